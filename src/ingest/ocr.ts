import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { ShelfError } from "../kernel/errors.js";

/** Text recognition settings for the reader process, which has no PATH. */
export interface Ocr {
  /** As tesseract names it, "eng" or "deu+eng". */
  language: string;
  tesseract: string;
  /** Draws the pages of PDFs; pictures need none. */
  pdftoppm: string | undefined;
  tessdata?: string | undefined;
  /** Cache of recognised pages until their document is stored, so that a stopped run can continue. */
  folder: string;
  /** Time limit per page, in milliseconds; 45 s unless it is set. */
  pageMs?: number;
}

export const OCR_PACKAGES = "Debian's tesseract-ocr and poppler-utils";
/** Message for every file that is a picture of text. */
export const HOW_TO_RECOGNISE = `'bookwheel ingest PROJECT PATH --ocr eng', or the setting BOOKWHEEL_OCR=eng, reads it by text recognition, with ${OCR_PACKAGES}.`;
const LANGUAGE = /^[A-Za-z]{2,8}(?:_[A-Za-z]{2,8}){0,2}(?:\+[A-Za-z]{2,8}(?:_[A-Za-z]{2,8}){0,2}){0,5}$/;

/** Finds the programs; throws if they lack the language. */
export async function openOcr(
  language: string,
  { folder, path, tessdata }: { folder: string; path: string; tessdata?: string | undefined },
): Promise<Ocr> {
  if (!LANGUAGE.test(language))
    throw refused(`'${language}' is no language of tesseract. Give its code, such as eng, or several: deu+eng.`);
  const [tesseract, pdftoppm] = await Promise.all([program("tesseract", path), program("pdftoppm", path)]);
  if (!tesseract)
    throw refused(`Text recognition needs the program tesseract. Install ${OCR_PACKAGES}, or leave it off.`);
  const { stdout } = await promisify(execFile)(tesseract, ["--list-langs"], { timeout: 10_000 });
  const has = stdout
    .split("\n")
    .slice(1)
    .filter((line) => line && line !== "osd");
  const missing = language.split("+").filter((each) => !has.includes(each));
  if (missing.length > 0)
    throw refused(
      `tesseract has no language '${missing.join("', '")}'; it has ${has.join(", ") || "none"}. Debian's package is tesseract-ocr-${missing[0]!.replaceAll("_", "-")}.`,
    );
  return { language, tesseract, pdftoppm, tessdata, folder };
}

async function program(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, process.platform === "win32" ? `${name}.exe` : name);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}

const refused = (message: string) =>
  new ShelfError("INVALID_INPUT", message, { details: { fields: [{ field: "ocr", problem: message }] } });
