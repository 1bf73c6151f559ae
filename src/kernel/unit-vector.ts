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
