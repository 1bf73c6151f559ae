import { expect, it } from "vitest";
import { boundedText } from "./bounded-text.js";

it("reads an answer whole, whatever the parts it comes in", async () => {
  const bytes = new TextEncoder().encode("größe ☃");
  const parts = new ReadableStream({
    start(stream) {
      for (const byte of bytes) stream.enqueue(new Uint8Array([byte]));
      stream.close();
    },
  });
  expect(await boundedText(new Response(parts))).toBe("größe ☃");
  expect(await boundedText(new Response(null))).toBe("");
});

it("gives up an answer that does not stop, and hangs up", async () => {
  let cancelled = false;
  const endless = new ReadableStream({
    pull: (stream) => stream.enqueue(new Uint8Array(1024)),
    cancel: () => {
      cancelled = true;
    },
  });
  await expect(boundedText(new Response(endless), 10_000)).rejects.toThrow("larger than");
  expect(cancelled).toBe(true);
});
