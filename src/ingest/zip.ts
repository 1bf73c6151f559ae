import { inflateRawSync } from "node:zlib";
import { unreadable } from "./document.js";

interface ZipLimits {
  entryBytes: number;
  totalBytes: number;
  entries: number;
}
const LIMITS: ZipLimits = { entryBytes: 64 * 1024 ** 2, totalBytes: 256 * 1024 ** 2, entries: 20_000 };

export interface Zip {
  names: readonly string[];
  has(name: string): boolean;
  /** Inflates one entry. Sizes in headers are not trusted: inflated bytes are counted. */
  bytes(name: string): Uint8Array;
  /** Inflates every entry once and discards it: a check for readers that unpack the archive themselves. */
  checkAll(each?: (name: string, bytes: Uint8Array) => void): void;
}

interface Entry {
  method: number;
  flags: number;
  packed: number;
  offset: number;
}

/** An archive opened by its directory, in memory. Names that point outside it, encryption and bombs are refused. */
export function openZip(bytes: Uint8Array, limits: ZipLimits = LIMITS): Zip {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = readDirectory(bytes, view, limits);
  let spent = 0;

  function inflate(name: string, counted: boolean): Uint8Array {
    const entry = entries.get(name);
    if (!entry) throw unreadable("broken", `The archive has no '${name}', which it needs.`);
    if (entry.flags & 1) throw unreadable("encrypted", "The archive is encrypted. Save a copy without a password.");
    const at = entry.offset;
    if (at + 30 > bytes.length || view.getUint32(at, true) !== 0x04034b50) throw broken();
    const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    const packed = bytes.subarray(start, start + entry.packed);
    if (packed.length !== entry.packed) throw broken();
    const room = Math.min(limits.entryBytes, limits.totalBytes - (counted ? spent : 0));
    const plain = entry.method === 0 ? packed : entry.method === 8 ? unpack(packed, room) : undefined;
    if (!plain) throw unreadable("unsupported", `The archive packs '${name}' in a way that cannot be read.`);
    if (plain.length > room) throw bomb();
    if (counted) spent += plain.length;
    return plain;
  }

  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    bytes: (name) => inflate(name, true),
    checkAll(each) {
      let total = 0;
      for (const name of entries.keys()) {
        const plain = inflate(name, false);
        total += plain.length;
        if (total > limits.totalBytes) throw bomb();
        each?.(name, plain);
      }
    },
  };
}

function readDirectory(bytes: Uint8Array, view: DataView, limits: ZipLimits): Map<string, Entry> {
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count > limits.entries)
    throw unreadable("refused", `The archive lists ${count} files; at most ${limits.entries} are read.`);
  const entries = new Map<string, Entry>();
  const decoder = new TextDecoder();
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw broken();
    const nameLength = view.getUint16(at + 28, true);
    const name = decoder.decode(bytes.subarray(at + 46, at + 46 + nameLength));
    if (/^[/\\]|^[a-z]:|\0/i.test(name) || name.split(/[\\/]/).includes(".."))
      throw unreadable("refused", "The archive names a file outside itself. It was not read.");
    const entry = {
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    };
    if (!name.endsWith("/")) entries.set(name, entry);
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= lowest; at--) if (view.getUint32(at, true) === 0x06054b50) return at;
  throw broken();
}

function unpack(packed: Uint8Array, room: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, room) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw bomb();
    throw broken(error);
  }
}

const broken = (cause?: unknown) =>
  unreadable("broken", "The archive is broken or cut short. Fetch the file again.", cause);
const bomb = () => unreadable("refused", "The archive unpacks to far more than a document holds. It was not read.");
