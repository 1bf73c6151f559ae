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

/** From -1 to 1; -1 for vectors of different lengths, and for a zero vector with any other. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return -1;
  const [aa, bb] = [dot(a, a), dot(b, b)];
  return aa === 0 || bb === 0 ? (aa === bb ? 1 : -1) : dot(a, b) / Math.sqrt(aa * bb);
}
