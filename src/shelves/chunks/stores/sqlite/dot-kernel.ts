/**
 * Dot products of one query with many int8 vectors, and distances in bits, in WebAssembly SIMD. The module is small enough to be written down
 * as instructions; where SIMD is missing, plain JavaScript computes the same integers.
 */
export interface DotKernel {
  readonly simd: boolean;
  /** Grows to at least so many bytes; views made before are stale afterwards. */
  reserve(bytes: number): void;
  bytes(): Uint8Array;
  /** Writes `count` int32 products to `out`. `dim` is a multiple of 8, `count` of 4; `query` holds int16. */
  dots(codes: number, count: number, dim: number, query: number, out: number): void;
  /**
   * Writes to `out` which of `count` products (a multiple of 4), each with `margin` added and scaled by its own factor,
   * come out above `floor`; returns how many. Factors are float32, the answer is int32.
   */
  above(products: number, scales: number, count: number, margin: number, floor: number, out: number): number;
  /** Writes for `count` rows in how many bits each differs from `query`, as int32. */
  differences(rows: number, count: number, query: number, out: number): void;
}

const PAGE = 65_536;

/** `rowBytes`, a multiple of 16: how long the rows are whose bits are compared. */
export function createDotKernel({ simd = true, rowBytes = 16 } = {}): DotKernel {
  if (simd) {
    const bytes = moduleBytes(rowBytes);
    if (WebAssembly.validate(bytes)) return wasmKernel(bytes);
  }
  return scriptKernel(rowBytes);
}

function wasmKernel(module: Uint8Array<ArrayBuffer>): DotKernel {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), { env: { memory } });
  return {
    simd: true,
    reserve(bytes) {
      const missing = bytes - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    },
    bytes: () => new Uint8Array(memory.buffer),
    // The module below exports exactly these functions.
    dots: exports.dots as DotKernel["dots"],
    above: exports.above as DotKernel["above"],
    differences: exports.differences as DotKernel["differences"],
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

const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const i32 = (value: number) => [0x41, ...signed(value)];
const ADD = 0x6a;
const SUB = 0x6b;
const MUL = 0x6c;
const SHIFT_RIGHT = 0x76;
const AND = 0x71;
const IS_NOUGHT = 0x45;
const LESS_UNSIGNED = 0x49;
const simd = (opcode: number, ...rest: number[]) => [0xfd, ...unsigned(opcode), ...rest];
const LOAD = simd(0x00, 0, 0);
const LOAD_8X8_SIGNED = simd(0x01, 0, 0);
const ADD_I32X4 = simd(0xae);
const DOT_I16X8 = simd(0xba);
const ZERO = simd(0x0c, ...new Array<number>(16).fill(0));
const lane = (index: number) => simd(0x1b, index);

const I64 = 0x7e;
const LOAD_I64 = (offset: number) => [0x29, 0, ...unsigned(offset)];
const XOR_I64 = 0x85;
const COUNT_BITS_I64 = 0x7b;
const ADD_I64 = 0x7c;
const TO_I32 = 0xa7;
const SPLAT_F32X4 = simd(0x13);
const ADD_F32X4 = simd(0xe4);
const MUL_F32X4 = simd(0xe6);
const GREATER_F32X4 = simd(0x44);
const TO_F32X4 = simd(0xfa);
const TOP_BITS = simd(0xa4);
const TRAILING_NOUGHTS = 0x68;
const BLOCK = [0x02, 0x40];
const LOOP = [0x03, 0x40];
const END = 0x0b;
const REPEAT_IF = [0x0d, 0];
const LEAVE_IF = [0x0d, 0];
const step = (local: number, by: number) => [...get(local), ...i32(by), ADD, ...set(local)];
const sumOfLanes = (vector: number[]) => [
  ...[0, 1, 2, 3].flatMap((index) => [...vector, ...lane(index)]),
  ADD,
  ADD,
  ADD,
];
const STORE = (offset: number) => [0x36, 2, offset];

/**
 * In words of 64 bits: processors count the bits of such a word in one step, those of a vector in many. A row is written
 * out without a loop, which took an eighth of the time.
 */
function differencesCode(rowBytes: number): number[] {
  const [rows, count, query, out] = [0, 1, 2, 3];
  const words = Array.from({ length: rowBytes / 8 }, (_, word) => ({ offset: word * 8, asked: 4 + word }));
  const differing = ({ offset, asked }: (typeof words)[number]) => [
    ...[...get(rows), ...LOAD_I64(offset), ...get(asked), XOR_I64, COUNT_BITS_I64],
  ];
  return [
    ...[1, ...unsigned(words.length), I64],
    ...words.flatMap(({ offset, asked }) => [...get(query), ...LOAD_I64(offset), ...set(asked)]),
    ...LOOP,
    ...get(out),
    ...words.flatMap((word, i) => [...differing(word), ...(i > 0 ? [ADD_I64] : [])]),
    ...[TO_I32, ...STORE(0)],
    ...[...step(rows, rowBytes), ...step(out, 4)],
    ...[...get(count), ...i32(1), SUB, ...set(count)],
    ...[...get(count), ...REPEAT_IF],
    END,
    END,
  ];
}

/**
 * Four vectors at a time: eight codes of each are widened, multiplied with eight query weights and added in pairs. The
 * four are a quarter of the rows apart, so that the processor sees four streams without gaps and reads ahead. Doing more in a
 * turn of the loop does not pay: V8 makes slower code of it.
 */
function dotsCode(): number[] {
  const [codes, count, dim, query, out] = [0, 1, 2, 3, 4];
  const [a, b, c, d, q, end, quarter, stride] = [5, 6, 7, 8, 9, 10, 11, 12];
  const weights = 13;
  const sums = [14, 15, 16, 17];
  const pointers = [a, b, c, d];
  const next = (from: number, to: number) => [...get(from), ...get(quarter), ADD, ...set(to)];
  const accumulate = (sum: number, pointer: number) => [
    ...get(sum),
    ...get(pointer),
    ...LOAD_8X8_SIGNED,
    ...get(weights),
    ...DOT_I16X8,
    ...ADD_I32X4,
    ...set(sum),
  ];
  const store = (sum: number, part: number) => [
    ...[...get(out), ...get(stride), ...i32(part), MUL, ADD],
    ...[...sumOfLanes(get(sum)), ...STORE(0)],
  ];
  const body = [
    // A quarter of the int32 products is as many bytes as there are rows.
    ...[...get(count), ...set(stride)],
    ...[...get(count), ...get(dim), MUL, ...i32(2), SHIFT_RIGHT, ...set(quarter)],
    ...[...get(codes), ...set(a), ...next(a, b), ...next(b, c), ...next(c, d)],
    ...LOOP,
    ...sums.flatMap((sum) => [...ZERO, ...set(sum)]),
    ...[...get(query), ...set(q)],
    ...[...get(query), ...get(dim), ...i32(2), MUL, ADD, ...set(end)],
    ...LOOP,
    ...[...get(q), ...LOAD, ...set(weights)],
    ...sums.flatMap((sum, index) => accumulate(sum, pointers[index] ?? a)),
    ...pointers.flatMap((pointer) => step(pointer, 8)),
    ...step(q, 16),
    ...[...get(q), ...get(end), LESS_UNSIGNED, ...REPEAT_IF],
    END,
    ...sums.flatMap((sum, index) => store(sum, index)),
    ...step(out, 4),
    ...[...get(count), ...i32(4), SUB, ...set(count)],
    ...[...get(count), ...REPEAT_IF],
    END,
    END,
  ];
  return [2, 8, I32, 5, V128, ...body];
}

/** Four at a time; most fours have none, so the walk over a four's bits is seldom taken. */
function aboveCode(): number[] {
  const [products, scales, count, margin, floor, out] = [0, 1, 2, 3, 4, 5];
  const [i, bits, to] = [6, 7, 8];
  const [margins, floors] = [9, 10];
  const body = [
    ...[...get(margin), ...SPLAT_F32X4, ...set(margins), ...get(floor), ...SPLAT_F32X4, ...set(floors)],
    ...[...get(out), ...set(to)],
    ...LOOP,
    ...[...get(products), ...LOAD, ...TO_F32X4, ...get(margins), ...ADD_F32X4],
    ...[...get(scales), ...LOAD, ...MUL_F32X4, ...get(floors), ...GREATER_F32X4, ...TOP_BITS, ...set(bits)],
    ...[...BLOCK, ...get(bits), IS_NOUGHT, ...LEAVE_IF],
    ...LOOP,
    ...[...get(to), ...get(i), ...get(bits), TRAILING_NOUGHTS, ADD, ...STORE(0), ...step(to, 4)],
    ...[...get(bits), ...get(bits), ...i32(1), SUB, AND, ...set(bits)],
    ...[...get(bits), ...REPEAT_IF, END],
    END,
    ...[...step(products, 16), ...step(scales, 16), ...step(i, 4)],
    ...[...get(i), ...get(count), LESS_UNSIGNED, ...REPEAT_IF],
    END,
    ...[...get(to), ...get(out), SUB, ...i32(2), SHIFT_RIGHT],
    END,
  ];
  return [2, 3, I32, 2, V128, ...body];
}

function moduleBytes(rowBytes: number): Uint8Array<ArrayBuffer> {
  const functions = [dotsCode(), differencesCode(rowBytes), aboveCode()];
  const types = [
    ...[0x60, 5, I32, I32, I32, I32, I32, 0],
    ...[0x60, 4, I32, I32, I32, I32, 0],
    ...[0x60, 6, I32, I32, I32, F32, F32, I32, 1, I32],
  ];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [3, ...types]),
    ...section(2, [1, ...name("env"), ...name("memory"), 0x02, 0x01, 1, ...unsigned(65_536)]),
    ...section(3, [3, 0, 1, 2]),
    ...section(7, [3, ...name("dots"), 0, 0, ...name("differences"), 0, 1, ...name("above"), 0, 2]),
    ...section(10, [3, ...functions.flatMap((code) => [...unsigned(code.length), ...code])]),
  ]);
}

function section(id: number, content: number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}
function name(text: string): number[] {
  return [text.length, ...Buffer.from(text, "latin1")];
}
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const byte = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest ? byte | 0x80 : byte);
  } while (rest);
  return bytes;
}
/** Signed LEB128 of a non-negative integer: a last byte of 64 or more would be read as negative. */
function signed(value: number): number[] {
  const bytes = unsigned(value);
  const last = bytes.pop() ?? 0;
  return last < 64 ? [...bytes, last] : [...bytes, last | 0x80, 0];
}
