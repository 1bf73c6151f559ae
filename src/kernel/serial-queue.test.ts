import { expect, it } from "vitest";
import { createSerialQueue } from "./serial-queue.js";

/** Work that records its beginning and ends when it is allowed to. */
function steps() {
  const begun: string[] = [];
  const open = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      open.set(name, () => resolve(name));
    });
  return { begun, work, end: (name: string) => open.get(name)!() };
}
const ticks = () => new Promise((resolve) => setImmediate(resolve));

it("runs work under one key in order, and other keys beside it", async () => {
  const queue = createSerialQueue();
  const { begun, work, end } = steps();
  const all = [queue("a", work("a1")), queue("a", work("a2")), queue("b", work("b1"))];
  await ticks();
  expect(begun).toEqual(["a1", "b1"]);
  end("a1");
  await ticks();
  expect(begun).toEqual(["a1", "b1", "a2"]);
  end("a2");
  end("b1");
  expect(await Promise.all(all)).toEqual(["a1", "a2", "b1"]);
});

it("goes on after a failure, which only its own caller sees", async () => {
  const queue = createSerialQueue();
  const failed = queue("a", () => Promise.reject(new Error("broken")));
  const next = queue("a", async () => "fine");
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("fine");
});

it("lets a caller leave while it waits, without running its work", async () => {
  const queue = createSerialQueue();
  const { begun, work, end } = steps();
  const first = queue("a", work("first"));
  const controller = new AbortController();
  const second = queue("a", work("second"), controller.signal);
  const third = queue("a", work("third"));
  controller.abort(new Error("enough"));
  await expect(second).rejects.toThrow("enough");
  end("first");
  await first;
  await ticks();
  end("third");
  await third;
  expect(begun).toEqual(["first", "third"]);
});
