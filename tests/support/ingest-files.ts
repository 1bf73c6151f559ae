import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import type { Embedder, Embedders, ModelIdentity } from "../../src/shelves/chunks/embedding/embedder.js";
import { crc32 } from "./crc32.js";
import { ROOT } from "./peers.js";

export const DOCUMENTS = join(process.env.BOOKWHEEL_SHARED ?? join(ROOT, "..", "shared"), "corpora", "documents");
/** False, with a line that says so, where the shared documents are not there. */
export const hasDocuments = existsSync(DOCUMENTS);
if (!hasDocuments)
  console.log(`Skipped what needs ${DOCUMENTS}: set BOOKWHEEL_SHARED to the folder that holds corpora/.`);

export const corpusFile = async (path: string) => new Uint8Array(await readFile(join(DOCUMENTS, path)));

export async function tempFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "bookwheel-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

type Content = string | Uint8Array;

/** A ZIP archive; `lie` writes another size into the headers than the entry unpacks to. */
export function makeZip(entries: Record<string, Content>, { lie = false, store = false } = {}): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const plain = Buffer.from(content as Uint8Array);
    const packed = store ? plain : deflateRawSync(plain);
    const nameBytes = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(store ? 0 : 8, 4);
    fields.writeUInt32LE(plain.length > 1024 ** 2 ? 0 : crc32(plain), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(lie ? 10 : plain.length, 18);
    fields.writeUInt16LE(nameBytes.length, 22);
    files.push(Buffer.from([0x50, 0x4b, 3, 4]), fields, nameBytes, packed);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    fields.copy(entry, 6, 0, 26);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, nameBytes);
    offset += 30 + nameBytes.length + packed.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(entries).length, 8);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...files, listing, end]));
}

export interface PdfText {
  text: string;
  x?: number;
  y: number;
  size?: number;
}

// Keys that no password, and not the empty one either, fits.
const LOCK = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${"ab".repeat(32)}> /U <${"cd".repeat(32)}> /P -4 >> /ID [<00112233> <00112233>]`;

/** A PDF of lines in Helvetica on US letter paper; `y` counts from the bottom, as PDF does. */
export function makePdf(
  pages: readonly (readonly PdfText[])[],
  { labels, title, locked = false }: { labels?: string; title?: string; locked?: boolean } = {},
): Uint8Array {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  // Pages hang in groups of a hundred, as in the files of real programs.
  const groups = Array.from(
    { length: Math.ceil(pages.length / 100) },
    (_, g) => pages.slice(g * 100, g * 100 + 100).length,
  );
  const firstPage = 4 + groups.length;
  add(`<< /Type /Catalog /Pages 2 0 R ${labels ? `/PageLabels << /Nums [${labels}] >>` : ""} >>`);
  add(`<< /Type /Pages /Kids [${groups.map((_, g) => `${4 + g} 0 R`).join(" ")}] /Count ${pages.length} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  groups.forEach((count, g) => {
    const kids = Array.from({ length: count }, (_, i) => `${firstPage + (g * 100 + i) * 2} 0 R`).join(" ");
    add(`<< /Type /Pages /Parent 2 0 R /Kids [${kids}] /Count ${count} >>`);
  });
  pages.forEach((lines, i) => {
    const content = lines
      .map(
        ({ text, x = 72, y, size = 10 }) => `BT /F1 ${size} Tf ${x} ${y} Td (${text.replace(/[()\\]/g, "\\$&")}) Tj ET`,
      )
      .join("\n");
    add(
      `<< /Type /Page /Parent ${4 + Math.floor(i / 100)} 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${firstPage + 1 + i * 2} 0 R >>`,
    );
    add(`<< /Length ${Buffer.byteLength(content, "latin1")} >>\nstream\n${content}\nendstream`);
  });
  if (title) add(`<< /Title (${title}) >>`);
  const parts = ["%PDF-1.4\n"];
  let length = parts[0]!.length;
  const offsets: number[] = [];
  objects.forEach((body, i) => {
    offsets.push(length);
    const text = `${i + 1} 0 obj\n${body}\nendobj\n`;
    parts.push(text);
    length += Buffer.byteLength(text, "latin1");
  });
  const xref = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${xref}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${locked ? LOCK : ""} ${title ? `/Info ${objects.length} 0 R` : ""} >>\nstartxref\n${length}\n%%EOF\n`,
  );
  return new Uint8Array(Buffer.from(parts.join(""), "latin1"));
}

/** Prose as lines down a page. */
export function lines(texts: readonly string[], { x = 72, top = 700, leading = 12, size = 10 } = {}): PdfText[] {
  return texts.map((text, i) => ({ text, x, y: top - i * leading, size }));
}

export function makeEpub({
  chapters,
  nav,
  extra = {},
}: {
  chapters: Record<string, string>;
  nav?: string;
  extra?: Record<string, Content>;
}): Uint8Array {
  const names = Object.keys(chapters);
  const items = names.map((name, i) => `<item id="c${i}" href="${name}" media-type="application/xhtml+xml"/>`).join("");
  return makeZip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "OPS/book.opf": `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A Small Book</dc:title><dc:creator>Ada Writer</dc:creator><dc:language>en</dc:language><dc:identifier>urn:isbn:9780306406157</dc:identifier><dc:date>1999-04-01</dc:date></metadata><manifest>${items}${nav ? '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>' : ""}</manifest><spine>${names.map((_, i) => `<itemref idref="c${i}"/>`).join("")}</spine></package>`,
    ...(nav ? { "OPS/nav.xhtml": nav } : {}),
    ...Object.fromEntries(names.map((name) => [`OPS/${name}`, chapters[name]!])),
    ...extra,
  });
}

export const xhtml = (body: string) =>
  `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body>${body}</body></html>`;

export const MODEL: ModelIdentity = {
  id: "test-model",
  dimension: 4,
  pooling: "mean",
  max_tokens: 256,
  weights_sha256: null,
};

/** Counts words instead of tokens and embeds by hashing: the same text gives the same vector, in no time. */
export function wordEmbedder(): Embedder & { embedded: string[] } {
  const embedded: string[] = [];
  return {
    embedded,
    identity: MODEL,
    async embed(texts) {
      embedded.push(...texts);
      return texts.map((text) => {
        const vector = new Float32Array(4);
        for (let i = 0; i < text.length; i++) vector[i % 4]! += text.charCodeAt(i) % 17;
        const norm = Math.hypot(...vector) || 1;
        return vector.map((value) => value / norm);
      });
    },
    tokens: { by: "words" },
    windows: async (passages) => passages.map(({ text, prefix }) => [`${prefix}\n${text}`]),
    countTokens: async (text) => Math.ceil((text.match(/\S+/g)?.length ?? 0) * 1.3) + 2,
    async close() {},
  };
}

export function wordEmbedders(embedder: Embedder = wordEmbedder()): Embedders {
  return {
    preferred: MODEL,
    unavailable: undefined,
    get: ({ id }) => (id === MODEL.id ? embedder : undefined),
    list: () => [MODEL],
    async close() {},
  };
}

/** Only letters and digits, folded: what two extractors of one page agree on. */
export const letters = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
