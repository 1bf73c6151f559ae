import { describe, expect, it } from "vitest";
import type { MeaningStore, Space } from "../../src/shelves/readwise/meaning/meaning-store.js";

const hash = (digit: string) => digit.repeat(32);
const row = (...bytes: number[]) => Uint8Array.from(bytes);

export function meaningStoreContract(name: string, open: () => MeaningStore) {
  const ann: Space = { keyHash: "a".repeat(64), kind: "highlights", model: "m 1" };
  const bob: Space = { ...ann, keyHash: "b".repeat(64) };

  describe(`${name} meaning store`, () => {
    it("gives back what was written, and nothing else", async () => {
      const store = open();
      expect((await store.read(ann, [hash("1")])).size).toBe(0);
      expect(await store.write(ann, new Map([[hash("1"), row(1, 2)]]))).toBe(true);
      const rows = await store.read(ann, [hash("1"), hash("2")]);
      expect([...rows].map(([key, bytes]) => [key, [...bytes]])).toEqual([[hash("1"), [1, 2]]]);
      await store.close();
    });

    it("never gives one key what another wrote, nor one model or kind what belongs to another", async () => {
      const store = open();
      await store.write(ann, new Map([[hash("1"), row(1)]]));
      for (const other of [bob, { ...ann, model: "m 2" }, { ...ann, kind: "documents" as const }])
        expect((await store.read(other, [hash("1")])).size).toBe(0);
      await store.close();
    });

    it("drops what is no longer there", async () => {
      const store = open();
      await store.write(ann, new Map([hash("1"), hash("2")].map((key) => [key, row(1)])));
      await store.keepOnly(ann, new Set([hash("2")]));
      expect([...(await store.read(ann, [hash("1"), hash("2")])).keys()]).toEqual([hash("2")]);
      await store.close();
    });

    it("lets a process that makes rows go on with it, and take it up again", async () => {
      const store = open();
      expect([await store.claim(ann), await store.claim(ann), await store.claim(bob)]).toEqual([true, true, true]);
      await store.release(ann);
      expect(await store.claim(ann)).toBe(true);
      await store.close();
    });

    it("forgets one key, or all of them", async () => {
      const store = open();
      for (const space of [ann, bob]) await store.write(space, new Map([[hash("1"), row(1)]]));
      expect(await store.forget(ann.keyHash)).toBe(1);
      expect((await store.read(ann, [hash("1")])).size).toBe(0);
      expect((await store.read(bob, [hash("1")])).size).toBe(1);
      await store.write(ann, new Map([[hash("3"), row(1)]]));
      expect(await store.forget()).toBe(2);
      await store.close();
    });
  });
}
