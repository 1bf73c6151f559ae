import { unreadable } from "./document.js";

/** Bytes as text: a byte order mark first, then what the file or server declares, then UTF-8, then the Western fallback. */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const marked = byMark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  const utf16 = looksLikeUtf16(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  if (looksBinary(bytes))
    throw unreadable(
      "unsupported",
      "The file is not text. Convert it to PDF, EPUB, HTML, Markdown, DOCX or plain text.",
    );
  const named = declared && knownEncoding(declared);
  if (named === "windows-1252") return decodeWestern(bytes);
  if (named && named !== "utf-8") return new TextDecoder(named).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8 after all: single bytes of Western text are by far the likeliest, and never fail to decode.
    return decodeWestern(bytes);
  }
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

function byMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function looksLikeUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 4096);
  if (sample.length < 8) return undefined;
  const zeros = [0, 0];
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) zeros[i % 2]!++;
  const half = sample.length / 2;
  if (zeros[1]! > half * 0.3 && zeros[0]! < half * 0.02) return "utf-16le";
  if (zeros[0]! > half * 0.3 && zeros[1]! < half * 0.02) return "utf-16be";
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
