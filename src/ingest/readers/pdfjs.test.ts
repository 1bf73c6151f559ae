import { expect, it } from "vitest";

it("pdf.js leaves the arrays of the whole thread as quick as they are", async () => {
  const nativePush = Array.prototype.push;
  const { getDocument } = await import("./pdfjs.js");
  await expect(getDocument({ data: new Uint8Array([1, 2, 3]), verbosity: 0 }).promise).rejects.toThrow();
  expect(Array.prototype.push).toBe(nativePush);
});
