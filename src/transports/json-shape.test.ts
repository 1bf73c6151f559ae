import { describe, expect, it } from "vitest";
import { isTooMuch, MAX_SHAPE, shapeOf } from "./json-shape.js";

const shape = (value: unknown) => shapeOf(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));

describe("the shape of a JSON text", () => {
  it("counts what the text would become, and nothing inside texts", () => {
    expect(shape({ a: [1, 2, { b: '[{,:"\\' }], '"c\\": [{': [] })).toEqual({
      depth: 3,
      containers: 4,
      keys: 3,
      items: 3,
      tool: undefined,
    });
  });

  it("names the tool of a call, wherever its name stands", () => {
    const params = { arguments: { name: "wrong", params: { name: "wrong" } }, name: "store_chunks" };
    expect(shape({ params, method: "tools/call" }).tool).toBe("store_chunks");
    expect(shape({ method: "tools/call", params: { name: "cite", arguments: {} } }).tool).toBe("cite");
    expect(shape([{ params: { name: "cite" } }]).tool).toBeUndefined();
    expect(shape({ name: "cite", other: { name: "cite" } }).tool).toBeUndefined();
  });

  it("stops at the first limit that is passed", () => {
    for (const text of ["[".repeat(200), "{},".repeat(200_000), "1,".repeat(2_000_000), '"a":1,'.repeat(200_000)])
      expect(isTooMuch(shape(text)), text.slice(0, 10)).toBe(true);
    expect(isTooMuch(shape(Array.from({ length: MAX_SHAPE.items }, () => 1)))).toBe(false);
  });

  it("takes a text without an end, and ends that are escaped, in linear time", () => {
    expect(shape(`"${"\\".repeat(1_000_001)}"`).containers).toBe(0);
    expect(shape(`"${'\\"'.repeat(500_000)}`).containers).toBe(0);
    expect(shape('"abc').containers).toBe(0);
  });
});
