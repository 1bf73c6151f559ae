import { grown } from "../../../kernel/collections.js";
import { quantise, signBytes, signsOf, unitOf } from "../../../kernel/vector.js";

/** Compares bits quickly: the interface of the embedded store's kernel. */
export interface BitKernel {
  /** Grows to at least this many bytes; earlier views become stale. */
  reserve(bytes: number): void;
  bytes(): Uint8Array;
  /** Writes for `count` rows in how many bits each differs from `query`, as int32. */
  differences(rows: number, count: number, query: number, out: number): void;
}

const QUERY_AT = 0;
const DISTANCES_AT = 4096;
/** Rows compared in one go. */
const LOT = 16_384;
const ROWS_AT = DISTANCES_AT + LOT * 4;

/** The signs of many vectors with the item each belongs to: a thirtieth of their size, and enough to pick candidates. */
export function createSignTable(dimension: number, kernelFor: (rowBytes: number) => BitKernel) {
  const rowBytes = signBytes(dimension);
  const kernel = kernelFor(rowBytes);
  let owners = new Int32Array(1024);
  let room = 1024;
  let count = 0;
  kernel.reserve(ROWS_AT + room * rowBytes);

  return {
    get count() {
      return count;
    },
    add(item: number, signs: Uint8Array): void {
      if (count === room) {
        room *= 2;
        kernel.reserve(ROWS_AT + room * rowBytes);
        owners = grown(owners, room);
      }
      kernel.bytes().set(signs, ROWS_AT + count * rowBytes);
      owners[count++] = item;
    },
    /** At least `wanted` accepted items if there are so many, those whose signs differ least. */
    nearest(signs: Uint8Array, wanted: number, accepts: (item: number) => boolean): Set<number> {
      const distances = new Uint16Array(count);
      const histogram = new Uint32Array(rowBytes * 8 + 1);
      kernel.bytes().set(signs, QUERY_AT);
      for (let start = 0; start < count; start += LOT) {
        const rows = Math.min(LOT, count - start);
        kernel.differences(ROWS_AT + start * rowBytes, rows, QUERY_AT, DISTANCES_AT);
        const { buffer } = kernel.bytes();
        const lot = new Int32Array(buffer, DISTANCES_AT, rows);
        for (let i = 0; i < rows; i++) {
          distances[start + i] = lot[i]!;
          histogram[lot[i]!]!++;
        }
      }
      // Filters may leave few of the nearest: widen the search until there are enough.
      const items = new Set<number>();
      for (let from = 0, aim = wanted * 2; from < histogram.length; aim *= 4) {
        let until = from;
        for (let sum = 0; until < histogram.length && sum < aim; until++) sum += histogram[until]!;
        for (let row = 0; row < count; row++) {
          const distance = distances[row]!;
          if (distance >= from && distance < until && accepts(owners[row]!)) items.add(owners[row]!);
        }
        if (items.size >= wanted) break;
        from = until;
      }
      return items;
    },
    byteSize: () => ROWS_AT + room * (rowBytes + 4),
  };
}

/** The vectors of one item as bytes: for each a float32 factor, then one int8 code per dimension. */
export function encodeVectors(vectors: readonly Float32Array[]): Uint8Array {
  const dimension = vectors[0]?.length ?? 0;
  const row = new Uint8Array(vectors.length * (4 + dimension));
  const view = new DataView(row.buffer);
  vectors.forEach((vector, i) => {
    const at = i * (4 + dimension);
    const codes = new Int8Array(row.buffer, at + 4, dimension);
    view.setFloat32(at, quantise(unitOf(vector), codes, 127), true);
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
export function eachSigns(row: Uint8Array, dimension: number, use: (signs: Uint8Array) => void): void {
  const codes = new Int8Array(row.buffer, row.byteOffset, row.byteLength);
  for (let at = 4; at + dimension <= row.byteLength; at += 4 + dimension)
    use(signsOf(codes.subarray(at, at + dimension), dimension));
}
