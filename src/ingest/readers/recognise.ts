import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addTo } from "../../kernel/collections.js";
import type { Ocr } from "../ocr.js";
import { median, type Run } from "./pdf-segments.js";

/** A page usually takes seconds. Shorter than the reader may be silent, so that one page does not cost the document. */
const PAGE_MS = 45_000;
const MAX_DPI = 300;
/** Longest side of a drawn page, in pixels: a poster is scaled down. */
const MAX_DOTS = 5000;
const MAX_OUTPUT_CHARS = 8_000_000;
/** Words with a lower confidence are usually specks and lines. */
const MIN_CONFIDENCE = 20;

/** A page that was given up because it took too long. */
export class RecognitionTimeout extends Error {
  override readonly name = "RecognitionTimeout";
}

interface PdfPage {
  file: string;
  number: number;
  /** In points. */
  width: number;
  height: number;
}

/** The words of a page of a PDF, positioned like its own text. `name` identifies the document. */
export async function recognisePage(ocr: Ocr, { file, number, width, height }: PdfPage, name: string): Promise<Run[]> {
  const dpi = Math.max(72, Math.min(MAX_DPI, Math.floor((MAX_DOTS * 72) / Math.max(width, height, 1))));
  const tsv = await kept(ocr, name, number, async () => {
    const draw = spawn(
      ocr.pdftoppm ?? "pdftoppm",
      ["-f", String(number), "-l", String(number), "-r", String(dpi), "-gray", file],
      { stdio: ["ignore", "pipe", "ignore"], timeout: ocr.pageMs ?? PAGE_MS, killSignal: "SIGKILL" },
    );
    return await tesseract(ocr, dpi, draw);
  });
  return runsOf(tsv, 72 / dpi);
}

/** The words of a picture; one point is one pixel. */
export async function recogniseImage(ocr: Ocr, bytes: Uint8Array, name: string): Promise<Run[]> {
  return runsOf(await kept(ocr, name, 1, () => tesseract(ocr, undefined, bytes)), 0.24);
}

function tesseract(ocr: Ocr, dpi: number | undefined, input: ChildProcess | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const engine = spawn(
      ocr.tesseract,
      ["stdin", "stdout", "-l", ocr.language, ...(dpi ? ["--dpi", String(dpi)] : []), "tsv"],
      {
        stdio: ["pipe", "pipe", "ignore"],
        // One thread: recognition runs beside other work, and more threads make it slower on small machines.
        env: { OMP_THREAD_LIMIT: "1", ...(ocr.tessdata ? { TESSDATA_PREFIX: ocr.tessdata } : {}) },
      },
    );
    // Rejects at once: where tesseract is a script, a program it started may hold the pipe open after the script is killed.
    const deadline = setTimeout(() => {
      engine.kill("SIGKILL");
      engine.stdout.destroy();
      if (!(input instanceof Uint8Array)) input.kill("SIGKILL");
      reject(new RecognitionTimeout("tesseract took too long"));
    }, ocr.pageMs ?? PAGE_MS);
    const parts: Buffer[] = [];
    let length = 0;
    engine.stdout.on("data", (part: Buffer) => {
      length += part.length;
      if (length > MAX_OUTPUT_CHARS) engine.kill("SIGKILL");
      else parts.push(part);
    });
    engine.on("error", (error) => {
      clearTimeout(deadline);
      reject(error);
    });
    engine.stdin.on("error", () => {}); // it stopped early: its exit code says why
    engine.on("close", (code) => {
      clearTimeout(deadline);
      if (code === 0) resolve(Buffer.concat(parts).toString("utf8"));
      else reject(new Error(`tesseract ended with ${code}`));
    });
    if (input instanceof Uint8Array) engine.stdin.end(input);
    else {
      input.on("error", reject);
      input.stdout?.pipe(engine.stdin);
    }
  });
}

/** Caches recognised pages, so that a stopped run does not repeat them. */
async function kept(ocr: Ocr, name: string, page: number, recognise: () => Promise<string>): Promise<string> {
  const folder = pagesFolder(ocr, name);
  const file = join(folder, `${page}.tsv`);
  const before = await readFile(file, "utf8").catch(() => undefined);
  if (before !== undefined) return before;
  const tsv = await recognise();
  await mkdir(folder, { recursive: true });
  await writeFile(`${file}.part`, tsv);
  await rename(`${file}.part`, file);
  return tsv;
}

export const pagesFolder = (ocr: Pick<Ocr, "folder" | "language">, name: string) =>
  join(ocr.folder, `${name}-${ocr.language}`);

interface Word {
  left: number;
  top: number;
  width: number;
  height: number;
  text: string;
}

/** tesseract's table: one row per word with its box and confidence. */
function runsOf(tsv: string, scale: number): Run[] {
  const lines = new Map<string, Word[]>();
  for (const row of tsv.split("\n").slice(1)) {
    const [level, page, block, paragraph, line, , left, top, width, height, confidence, text] = row.split("\t");
    if (level !== "5" || !text?.trim() || Number(confidence) < MIN_CONFIDENCE) continue;
    const key = `${page}.${block}.${paragraph}.${line}`;
    addTo(lines, key, {
      left: Number(left),
      top: Number(top),
      width: Number(width),
      height: Number(height),
      text: text.trim(),
    });
  }
  const heights = [...lines.values()].map(lineHeight);
  const usual = median(heights);
  return [...lines.values()].flatMap((words, i) => {
    // Boxes of one font size differ with their letters: only a clear difference is another size.
    const height = heights[i]! > usual * 1.35 || heights[i]! < usual * 0.65 ? heights[i]! : usual;
    const baseline = Math.max(...words.map(({ top, height: own }) => top + Math.min(own, height)));
    return words.map(({ left, width, text }) => ({
      text,
      x: left * scale,
      y: baseline * scale,
      width: width * scale,
      size: height * scale,
      mono: false,
      font: "recognised",
      turned: false,
    }));
  });
}

const lineHeight = (words: readonly Word[]) => median(words.map(({ height }) => height));
