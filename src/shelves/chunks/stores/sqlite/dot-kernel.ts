import { DOT_KERNEL_MODULE } from "./dot-kernel-module.js";

/**
 * Dot products of one query with many int8 vectors, and Hamming distances, in WebAssembly SIMD (`dot-kernel.wat`). Where SIMD is
 * missing, plain JavaScript computes the same integers.
 */
export interface DotKernel {
  readonly simd: boolean;
  /** Grows the memory to at least this many bytes; earlier views become invalid. */
  reserve(bytes: number): void;
  bytes(): Uint8Array;
  /** Writes `count` int32 products to `out`. `dim` is a multiple of 8, `count` of 4; `query` holds int16. */
  dots(codes: number, count: number, dim: number, query: number, out: number): void;
  /**
   * Writes to `out` which of `count` products (a multiple of 4), each with `margin` added and scaled by its own factor,
   * come out above `floor`; returns how many. Factors are float32, the answer is int32.
   */
  above(products: number, scales: number, count: number, margin: number, floor: number, out: number): number;
  /** Writes the Hamming distances of `count` rows from `query`, as int32. */
  differences(rows: number, count: number, query: number, out: number): void;
}

const PAGE = 65_536;

/** `rowBytes`, a multiple of 16, is the length of the rows for `differences`. */
export function createDotKernel({ simd = true, rowBytes = 16 } = {}): DotKernel {
  if (simd) {
    const bytes = Buffer.from(DOT_KERNEL_MODULE, "base64");
    if (WebAssembly.validate(bytes)) return wasmKernel(bytes, rowBytes);
  }
  return scriptKernel(rowBytes);
}

function wasmKernel(module: Uint8Array<ArrayBuffer>, rowBytes: number): DotKernel {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), { env: { memory } });
  // The module exports exactly these functions.
  const differences = exports.differences as (...args: [...Parameters<DotKernel["differences"]>, number]) => void;
  return {
    simd: true,
    reserve(bytes) {
      const missing = bytes - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    },
    bytes: () => new Uint8Array(memory.buffer),
    dots: exports.dots as DotKernel["dots"],
    above: exports.above as DotKernel["above"],
    differences: (rows, count, query, out) => differences(rows, count, query, out, rowBytes),
  };
}

function scriptKernel(rowBytes: number): DotKernel {
  let buffer = new ArrayBuffer(PAGE);
  return {
    simd: false,
    reserve(bytes) {
      if (bytes <= buffer.byteLength) return;
      const larger = new ArrayBuffer(Math.ceil(bytes / PAGE) * PAGE);
      new Uint8Array(larger).set(new Uint8Array(buffer));
      buffer = larger;
    },
    bytes: () => new Uint8Array(buffer),
    dots(codes, count, dim, query, out) {
      const vectors = new Int8Array(buffer, codes, count * dim);
      const weights = new Int16Array(buffer, query, dim);
      const products = new Int32Array(buffer, out, count);
      for (let row = 0, at = 0; row < count; row++) {
        let total = 0;
        for (let i = 0; i < dim; i++) total += (vectors[at++] ?? 0) * (weights[i] ?? 0);
        products[row] = total;
      }
    },
    above(products, scales, count, margin, floor, out) {
      const dots = new Int32Array(buffer, products, count);
      const factors = new Float32Array(buffer, scales, count);
      const found = new Int32Array(buffer, out, count);
      const more = Math.fround(margin);
      const least = Math.fround(floor);
      let many = 0;
      for (let i = 0; i < count; i++) {
        const sum = Math.fround(Math.fround(dots[i] ?? 0) + more);
        if (Math.fround(sum * (factors[i] ?? 0)) > least) found[many++] = i;
      }
      return many;
    },
    differences(rows, count, query, out) {
      const words = new Uint32Array(buffer, rows, (count * rowBytes) / 4);
      const asked = new Uint32Array(buffer, query, rowBytes / 4);
      const distances = new Int32Array(buffer, out, count);
      for (let row = 0, at = 0; row < count; row++) {
        let total = 0;
        for (const word of asked) total += bitsOf((words[at++] ?? 0) ^ word);
        distances[row] = total;
      }
    },
  };
}

function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
