// The part of the ONNX protobuf format that a BERT encoder needs.

export const TYPE = { float: 1, int8: 3, int32: 6, int64: 7 };

const VARINT = 0;
const BYTES = 2;
const FIXED32 = 5;

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Buffer.from(bytes);
}

const key = (field, wire) => varint((field << 3) | wire);
const number = (field, value) => Buffer.concat([key(field, VARINT), varint(value)]);
const string = (field, value) => message(field, [Buffer.from(value)]);

function float(field, value) {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([key(field, FIXED32), bytes]);
}

function message(field, parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([key(field, BYTES), varint(length), ...parts]);
}

/** An integer attribute of a node. */
export const int = (value) => [number(3, value), number(20, 2)];
/** A float attribute of a node. */
export const real = (value) => [float(2, value), number(20, 1)];

export function node(operator, inputs, outputs, { domain = "", ...attributes } = {}) {
  return message(1, [
    ...inputs.map((name) => string(1, name)),
    ...outputs.map((name) => string(2, name)),
    string(3, `${outputs[0]}_n`),
    string(4, operator),
    ...Object.entries(attributes).map(([name, value]) => message(5, [string(1, name), ...value])),
    ...(domain === "" ? [] : [string(7, domain)]),
  ]);
}

/** A constant. `values` is a typed array whose elements are of `type`, little-endian as ONNX wants them. */
export function tensor(name, shape, type, values) {
  return message(5, [
    ...shape.map((size) => number(1, size)),
    number(2, type),
    string(8, name),
    message(9, [Buffer.from(values.buffer, values.byteOffset, values.byteLength)]),
  ]);
}

const described = (field) => (name, type, shape) => {
  const dimensions = shape.map((size) => message(1, [typeof size === "string" ? string(2, size) : number(1, size)]));
  return message(field, [string(1, name), message(2, [message(1, [number(1, type), message(2, dimensions)])])]);
};
export const input = described(11);
export const output = described(12);

export function model(name, producer, parts) {
  const opset = (domain, version) => message(8, [string(1, domain), number(2, version)]);
  return Buffer.concat([
    number(1, 8), // the format's own version
    string(2, producer),
    message(7, [...parts, string(2, name)]),
    opset("", 17),
    opset("com.microsoft", 1),
  ]);
}
