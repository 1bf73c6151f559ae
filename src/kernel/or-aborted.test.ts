import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { orAborted } from "./or-aborted.js";

it("gives the work's result or its error", async () => {
  const { signal } = new AbortController();
  expect(await orAborted(Promise.resolve(7), signal)).toBe(7);
  await expect(orAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
});

it("rejects with the signal's reason while the work goes on", async () => {
  const controller = new AbortController();
  const waiting = orAborted(new Promise(() => {}), controller.signal);
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
});

it("rejects at once where the signal was aborted before, and drops the work's own error", async () => {
  const work = Promise.reject(new Error("too late to matter"));
  await expect(orAborted(work, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
});

it("leaves no listener on a signal that outlives the work", async () => {
  const { signal } = new AbortController();
  await orAborted(Promise.resolve(), signal);
  await orAborted(Promise.reject(new Error("broken")), signal).catch(() => {});
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
