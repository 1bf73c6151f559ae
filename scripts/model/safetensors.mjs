import { readFileSync } from "node:fs";

/** Reads a safetensors file; `get(name)` answers a float32 copy of one tensor, whatever half or single precision it has. */
export function readSafetensors(file) {
  const bytes = readFileSync(file);
  const headerLength = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + headerLength));
  const body = bytes.subarray(8 + headerLength);

  return {
    get(name) {
      const entry = header[name];
      if (!entry) throw new Error(`${file} has no tensor '${name}'.`);
      if (entry.dtype !== "F16") throw new Error(`'${name}' is ${entry.dtype}; only F16 is read.`);
      const [start, end] = entry.data_offsets;
      const values = new Float32Array((end - start) / 2);
      for (let i = 0; i < values.length; i++) values[i] = HALVES[body.readUInt16LE(start + i * 2)];
      return { shape: entry.shape, values };
    },
  };
}

const HALVES = Float32Array.from({ length: 65_536 }, (_, bits) => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
});
