import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type CacheStore, notesSince, placeIn } from "../../src/shelves/readwise/cache/cache-store.js";

const HOUR = 3_600_000;
const bytes = (text: string) => new TextEncoder().encode(text);
const texts = (parts: readonly Uint8Array[] | undefined) => parts?.map((part) => Buffer.from(part).toString());

/** What every cache store does. Keys are new each time, so that one store may serve all of it. */
export function cacheStoreContract(name: string, open: () => CacheStore | Promise<CacheStore>) {
  describe(`${name} cache store`, () => {
    const { signal } = new AbortController();

    it("gives back what was written, whole or from a part on, and nothing of another key", async () => {
      const store = await open();
      const key = randomUUID();
      const every = Uint8Array.from({ length: 256 }, (_, i) => i);
      await store.write(key, { head: "one", parts: [bytes("α"), every, bytes("")] }, HOUR);
      expect(await store.head(key)).toBe("one");
      const entry = await store.read(key);
      expect(entry?.head).toBe("one");
      expect(entry?.parts.map((part) => [...part])).toEqual([[...bytes("α")], [...every], []]);
      expect((await store.read(key, 1))?.parts.map((part) => part.length)).toEqual([256, 0]);
      expect(await store.read(key, 3)).toEqual({ head: "one", parts: [] });
      expect(await store.head(randomUUID())).toBeUndefined();
      expect(await store.read(randomUUID())).toBeUndefined();
    });

    it("adds to an entry that is there, and says so where it is gone", async () => {
      const store = await open();
      const key = randomUUID();
      expect(await store.append(key, { head: "x", parts: [bytes("x")] }, HOUR)).toBe(false);
      expect(await store.head(key)).toBeUndefined();
      await store.write(key, { head: "one", parts: [bytes("a")] }, HOUR);
      expect(await store.append(key, { head: "two", parts: [bytes("b"), bytes("c")] }, HOUR)).toBe(true);
      expect(await store.append(key, { head: "three", parts: [] }, HOUR)).toBe(true);
      const entry = await store.read(key);
      expect([entry?.head, texts(entry?.parts)]).toEqual(["three", ["a", "b", "c"]]);
      await store.write(key, { head: "again", parts: [bytes("z")] }, HOUR);
      expect(texts((await store.read(key))?.parts)).toEqual(["z"]);
      await store.remove(key);
      expect(await store.append(key, { head: "four", parts: [bytes("d")] }, HOUR)).toBe(false);
    });

    it("forgets what has had its time, and adding gives it new time", async () => {
      const store = await open();
      const [short, longer] = [randomUUID(), randomUUID()];
      await store.write(short, { head: "short", parts: [bytes("a")] }, 40);
      await store.write(longer, { head: "short", parts: [bytes("a")] }, 40);
      await store.append(longer, { head: "longer", parts: [] }, HOUR);
      await expect.poll(() => store.head(short)).toBeUndefined();
      expect(await store.head(longer)).toBe("longer");
    });

    it("keeps a journal a name, in order", async () => {
      const store = await open();
      const [one, other] = [randomUUID(), randomUUID()];
      const before = placeIn(await store.journal(one));
      expect(placeIn(await store.journal(one))).toBe(before);
      await store.note(one, "first");
      await store.note(one, "");
      await store.note(other, "elsewhere");
      const after = await store.journal(one);
      expect(placeIn(after)).not.toBe(before);
      expect(notesSince(after, before)).toEqual(["first", ""]);
      expect((await store.journal(other)).notes).toEqual(["elsewhere"]);
    });

    it("begins another journal where one has grown too long, so that nobody takes old for new", async () => {
      const store = await open();
      const name = randomUUID();
      const before = placeIn(await store.journal(name));
      for (let i = 0; i < 1_005; i++) await store.note(name, String(i));
      expect(notesSince(await store.journal(name), before)).toBeUndefined();
    });

    it("lets one run at a time under a name, any number under different ones", async () => {
      const store = await open();
      const [one, other] = [randomUUID(), randomUUID()];
      let running = 0;
      let most = 0;
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const elsewhere = store.alone(other, signal, () => held);
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, i) =>
          store.alone(one, signal, async () => {
            most = Math.max(most, ++running);
            await new Promise((resolve) => setTimeout(resolve, 5));
            running--;
            return i;
          }),
        ),
      );
      release();
      await elsewhere;
      expect([most, results]).toEqual([1, [0, 1, 2, 3, 4, 5]]);
    });

    it("goes on after a run that failed, and does not begin one that nobody waits for", async () => {
      const store = await open();
      const name = randomUUID();
      await expect(store.alone(name, signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
      let begun = false;
      const given = AbortSignal.abort(new Error("left"));
      await expect(
        store.alone(name, given, async () => {
          begun = true;
        }),
      ).rejects.toThrow("left");
      expect(begun).toBe(false);
      expect(await store.alone(name, signal, async () => "next")).toBe("next");
    });
  });
}
