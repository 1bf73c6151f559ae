import { unitOf } from "../../../kernel/vector.js";

/** The vectors of one item as bytes: for each a float32 factor, then one int8 code per dimension. */
export function encodeVectors(vectors: readonly Float32Array[]): Uint8Array {
  const dimension = vectors[0]?.length ?? 0;
  const row = new Uint8Array(vectors.length * (4 + dimension));
  const view = new DataView(row.buffer);
  vectors.forEach((vector, i) => {
    const unit = unitOf(vector);
    let largest = 0;
    for (const value of unit) largest = Math.max(largest, Math.abs(value));
    const factor = largest / 127 || 1;
    const at = i * (4 + dimension);
    view.setFloat32(at, factor, true);
    for (let d = 0; d < dimension; d++) view.setInt8(at + 4 + d, Math.round((unit[d] ?? 0) / factor));
  });
  return row;
}

/** The cosine of a unit vector with the nearest of a row's vectors. */
export function similarityTo(unit: Float32Array, row: Uint8Array): number {
  const dimension = unit.length;
  const codes = new Int8Array(row.buffer, row.byteOffset, row.byteLength);
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
  let best = -1;
  for (let at = 0; at + 4 + dimension <= row.byteLength; at += 4 + dimension) {
    let sum = 0;
    for (let d = 0; d < dimension; d++) sum += unit[d]! * codes[at + 4 + d]!;
    best = Math.max(best, sum * view.getFloat32(at, true));
  }
  return best;
}

/** Calls back with the signs of each vector of a row, one bit per dimension. */
export function eachSigns(
  row: Uint8Array,
  dimension: number,
  rowBytes: number,
  use: (signs: Uint8Array) => void,
): void {
  const codes = new Int8Array(row.buffer, row.byteOffset, row.byteLength);
  for (let at = 4; at + dimension <= row.byteLength; at += 4 + dimension)
    use(signsOf(codes.subarray(at, at + dimension), rowBytes));
}

export function signsOf(values: Int8Array | Float32Array, rowBytes: number): Uint8Array {
  const signs = new Uint8Array(rowBytes);
  for (let d = 0; d < values.length; d++) if (values[d]! > 0) signs[d >> 3]! |= 1 << (d & 7);
  return signs;
}
