import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import wabt from "wabt";
import { createDotKernel, type DotKernel } from "./dot-kernel.js";
import { DOT_KERNEL_MODULE } from "./dot-kernel-module.js";

it("is the module that its text assembles to", async () => {
  const { parseWat } = await wabt();
  const text = readFileSync(new URL("./dot-kernel.wat", import.meta.url), "utf8");
  const { buffer } = parseWat("dot-kernel.wat", text, { simd: true }).toBinary({});
  expect(DOT_KERNEL_MODULE, "'npm run kernel' assembles it again").toBe(Buffer.from(buffer).toString("base64"));
});

function products(kernel: DotKernel, dim: number, count: number): number[] {
  kernel.reserve(2_000_000);
  const memory = kernel.bytes();
  const query = new Int16Array(memory.buffer, 0, dim);
  const codes = new Int8Array(memory.buffer, 16_384, dim * count);
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed;
  };
  for (let i = 0; i < dim; i++) query[i] = (random() % 255) - 127;
  for (let i = 0; i < codes.length; i++) codes[i] = (random() % 255) - 127;
  codes.fill(-127, 0, dim);
  query.fill(127, 0, 8);
  kernel.dots(16_384, count, dim, 0, 1_900_000);
  return [...new Int32Array(kernel.bytes().buffer, 1_900_000, count)];
}

it.each([
  [8, 4],
  [40, 8],
  [72, 4],
  [384, 512],
  [768, 256],
  [1024, 64],
])("computes the same integers with SIMD and without, at %i dimensions", (dim, count) => {
  const fast = createDotKernel();
  expect(fast.simd).toBe(true);
  expect(products(fast, dim, count)).toEqual(products(createDotKernel({ simd: false }), dim, count));
});

it("picks the same products with SIMD and without", () => {
  const picked = [createDotKernel(), createDotKernel({ simd: false })].map((kernel) => {
    kernel.reserve(65_536);
    const memory = kernel.bytes().buffer;
    const products = new Int32Array(memory, 0, 512);
    const scales = new Float32Array(memory, 4096, 512);
    for (let i = 0; i < 512; i++) {
      products[i] = ((i * 7919) % 4001) - 2000;
      scales[i] = 0.5 + (i % 5) / 10;
    }
    return [900, -5000, 5000].map((floor) => {
      const many = kernel.above(0, 4096, 512, 10, floor, 8192);
      return [...new Int32Array(memory, 8192, many)];
    });
  });
  expect(picked[0]).toEqual(picked[1]);
  const [some = [], all, none] = picked[0] ?? [];
  expect(some.length).toBeGreaterThan(5);
  expect(some.length).toBeLessThan(256);
  expect(all).toEqual(Array.from({ length: 512 }, (_, i) => i));
  expect(none).toEqual([]);
});

it.each([16, 48, 96, 384])("counts the same differing bits with SIMD and without, in rows of %i bytes", (bytes) => {
  const distances = [true, false].map((simd) => {
    const kernel = createDotKernel({ simd, rowBytes: bytes });
    expect(kernel.simd).toBe(simd);
    kernel.reserve(200_000);
    const memory = kernel.bytes();
    for (let i = 0; i < bytes * 101; i++) memory[i] = (i * i * 31 + (i >> 3)) & 255;
    memory.fill(255, bytes, 2 * bytes);
    memory.fill(0, 2 * bytes, 3 * bytes);
    kernel.differences(bytes, 100, 2 * bytes, 100_000);
    return [...new Int32Array(kernel.bytes().buffer, 100_000, 100)];
  });
  expect(distances[0]).toEqual(distances[1]);
  expect(distances[0]?.slice(0, 2)).toEqual([bytes * 8, 0]);
});
