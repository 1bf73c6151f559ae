import { describe, expect, it } from "vitest";
import { readerLimits } from "./reader-limits.js";

const MB = 1024 ** 2;

describe("what a parser may take", () => {
  it("leaves room for the server in a container of 256 MiB, where one parser works at a time", () => {
    expect(readerLimits(256 * MB)).toEqual({ size: 1, rssMb: 160, heapMb: 80, boundByMb: 256 });
  });
  it("grows with the container, and never takes more than all of it together", () => {
    let before = 0;
    for (const total of [300, 512, 700, 1_024, 2_048, 3_000]) {
      const { size, rssMb, heapMb } = readerLimits(total * MB);
      expect(heapMb).toBeLessThan(rssMb);
      expect(size * (rssMb - 48) + 144).toBeLessThanOrEqual(total);
      expect(size * rssMb).toBeGreaterThanOrEqual(before);
      before = size * rssMb;
    }
  });
  it("has an upper end, and a lower one at which small files can still be read", () => {
    expect(readerLimits(64 * 1024 * MB)).toEqual({ size: 2, rssMb: 1_536, heapMb: 768, boundByMb: undefined });
    expect(readerLimits(128 * MB)).toMatchObject({ size: 1, rssMb: 112 });
  });
});
