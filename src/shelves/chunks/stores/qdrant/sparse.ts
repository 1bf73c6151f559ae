import { B, K1, SATURATION, saturation } from "../bm25.js";
import type { SparseVector } from "./wire.js";

/**
 * A term's dimension, by the recipe of Qdrant's own BM25: the absolute value of MurmurHash3 (32 bits, seed 0) over its
 * UTF-8 bytes.
 */
export function dimensionOf(term: string): number {
  return Math.abs(murmur3(Buffer.from(term, "utf8")) | 0);
}

/** Weights of a text's terms without IDF, which the server multiplies in. */
export function sparseVector(terms: readonly string[], averageLength: number): SparseVector {
  const counts = new Map<number, number>();
  for (const term of terms) {
    const dimension = dimensionOf(term);
    counts.set(dimension, (counts.get(dimension) ?? 0) + 1);
  }
  const indices = [...counts.keys()].sort((a, b) => a - b);
  return {
    indices,
    values: indices.map((index) => rounded(saturation(counts.get(index) ?? 0, terms.length, averageLength))),
  };
}

/** Term frequency computed from the stored weight: the inverse of `saturation`. */
export function occurrences(weight: number, length: number, averageLength: number): number {
  const damping = K1 * (1 - B + (B * length) / averageLength);
  return Math.max(1, Math.round((weight * damping) / (SATURATION - weight)));
}

const rounded = (value: number) => Number(value.toPrecision(9));

function murmur3(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length & ~3;
  let hash = 0;
  for (let at = 0; at < whole; at += 4) {
    hash ^= scrambled(view.getUint32(at, true));
    hash = (Math.imul(rotated(hash, 13), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let at = bytes.length - 1; at >= whole; at--) tail = (tail << 8) | (bytes[at] ?? 0);
  hash ^= scrambled(tail) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
function scrambled(word: number): number {
  return Math.imul(rotated(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
}
function rotated(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

/** Ten decimals or nine digits represent a float32 exactly; JSON would write seventeen. */
export function numbersOf(vector: Float32Array): number[] {
  return Array.from(vector, (value) => {
    const short = Math.round(value * 1e10) / 1e10;
    return Math.fround(short) === value ? short : rounded(value);
  });
}
