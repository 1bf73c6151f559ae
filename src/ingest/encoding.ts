import { analyse } from "chardet";
import { unreadable } from "./document.js";

/** Decodes bytes by, in this order: byte order mark, declaration of file or server, UTF-8, a guess from the bytes. */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  return decode(bytes, declared).text;
}

/** The same, with a warning where the encoding had to be guessed. */
export function decode(bytes: Uint8Array, declared?: string): { text: string; warnings: string[] } {
  const marked = byMark(bytes) ?? looksLikeUtf16(bytes);
  if (marked) return { text: new TextDecoder(marked).decode(bytes), warnings: [] };
  if (looksBinary(bytes))
    throw unreadable(
      "unsupported",
      "The file is not text. Convert it to PDF, EPUB, HTML, Markdown, DOCX or plain text.",
    );
  const named = declared && knownEncoding(declared);
  if (named && named !== "utf-8") return { text: decodeAs(named, bytes), warnings: [] };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), warnings: [] };
  } catch {
    const { encoding, text } = decodeLegacy(bytes);
    const warning = `The file is not UTF-8 and names no other encoding: it was read as ${encoding}. Save it as UTF-8 if letters are wrong.`;
    return { text, warnings: [warning] };
  }
}

const decodeAs = (encoding: string, bytes: Uint8Array) =>
  encoding === "windows-1252" ? decodeWestern(bytes) : new TextDecoder(encoding).decode(bytes);

const GUESSED_BYTES = 65_536;

/** Guesses a legacy encoding; Western if there is no evidence, because decoding it never fails. */
function decodeLegacy(bytes: Uint8Array): { encoding: string; text: string } {
  for (const { name, confidence } of analyse(bytes.subarray(0, GUESSED_BYTES))) {
    const encoding = confidence >= 10 ? knownEncoding(name) : undefined;
    if (encoding === undefined || encoding === "utf-8" || encoding.startsWith("utf-16")) continue;
    const text = decodeAs(encoding, bytes);
    if ((text.match(/\ufffd/g)?.length ?? 0) <= text.length / 500) return { encoding, text };
  }
  return { encoding: "windows-1252", text: decodeWestern(bytes) };
}

// 0x80 to 0x9f of windows-1252. Node 20 decodes that label as plain Latin-1 and loses these.
const WESTERN = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function decodeWestern(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text.replace(/[\u0080-\u009f]/g, (character) => WESTERN[character.charCodeAt(0) - 0x80]!);
}

/** The charset of a Content-Type header or of the declaration at the top of an HTML or XML file. */
export function declaredEncoding(bytes: Uint8Array, contentType?: string): string | undefined {
  const header = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? "")?.[1];
  if (header) return header;
  const top = new TextDecoder("latin1").decode(bytes.subarray(0, 2048));
  return (
    /<\?xml[^<>]*encoding\s*=\s*["']([\w.:-]+)/i.exec(top)?.[1] ??
    /<meta[^<>]*charset\s*=\s*["']?([\w.:-]+)/i.exec(top)?.[1]
  );
}

/** The encoding that a byte order mark names. */
export function byMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/** Recognises UTF-16 by its spaces, line ends and East Asian commas: in single-byte text these would need control characters. */
function looksLikeUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 4096);
  if (sample.length < 8) return undefined;
  for (const encoding of ["utf-16le", "utf-16be"]) {
    const text = new TextDecoder(encoding).decode(sample.subarray(0, sample.length & -2));
    const parts = text.match(/[\u0020\n\u3001\u3002\uff0c]/g)?.length ?? 0;
    const strange = text.match(/[\u0000-\u0008\ue000-\uf8ff\ufffd\uffff]|\p{Cn}/gu)?.length ?? 0;
    if (parts >= text.length * 0.01 && strange <= text.length * 0.01) return encoding;
  }
  return undefined;
}

function looksBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 8192);
  let odd = 0;
  for (const byte of sample) {
    if (byte === 0) return true;
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) odd++;
  }
  return odd > sample.length * 0.05;
}

function knownEncoding(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined; // a misspelt declaration must not make a readable file unreadable
  }
}
