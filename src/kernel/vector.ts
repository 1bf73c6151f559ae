export function unitOf(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** The direction in the middle of several vectors. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors.map(unitOf)) for (let d = 0; d < sum.length; d++) sum[d]! += vector[d]!;
  return unitOf(sum);
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Fills `codes` and returns the factor from code to value. */
export function quantise(vector: Float32Array, codes: Int8Array | Int16Array, range: number): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / range || 1;
  for (let i = 0; i < vector.length; i++) codes[i] = Math.round((vector[i] ?? 0) / scale);
  return scale;
}

export const signBytes = (dimension: number): number => Math.ceil(dimension / 128) * 16;

/** The signs of `count` vectors, each `width` numbers after the last: one bit per dimension, rows of whole 16 bytes. */
export function signsOf(values: Int8Array | Float32Array, dimension: number, count = 1, width = dimension): Uint8Array {
  const bytes = signBytes(dimension);
  const signs = new Uint8Array(count * bytes);
  for (let row = 0; row < count; row++)
    for (let d = 0; d < dimension; d++)
      if (values[row * width + d]! > 0) signs[row * bytes + (d >> 3)]! |= 1 << (d & 7);
  return signs;
}

/** From -1 to 1; -1 for vectors of different lengths, and for a zero vector with any other. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return -1;
  const [aa, bb] = [dot(a, a), dot(b, b)];
  return aa === 0 || bb === 0 ? (aa === bb ? 1 : -1) : dot(a, b) / Math.sqrt(aa * bb);
}
