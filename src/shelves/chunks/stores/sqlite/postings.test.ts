import { expect, it, test } from "vitest";
import type { Database } from "./database.js";
import { mergeSegments } from "./merge-segments.js";
import { BlockReader, createBlockCache, eachPosting } from "./postings.js";
import { PostingsBuilder, type SegmentBlock } from "./postings-writing.js";

/** Ends of Unicode where the order of bytes and that of UTF-16 units differ, and terms that are beginnings of others. */
const TERMS = ["a", "aa", "ab", "b", "ba", "z", "é", "日", "日本", "\ue000", "\uffee", "\u{10400}", "\u{1f600}x"];

type Index = Record<string, [number, number][]>;
type Documents = [ordinal: number, terms: string[]][];

function segment(documents: Documents): SegmentBlock[] {
  const builder = new PostingsBuilder();
  for (const [ordinal, terms] of documents) builder.add(ordinal, terms);
  return builder.blocks();
}

function read(blocks: readonly SegmentBlock[]): Index {
  const index: Index = {};
  let before = "";
  for (const { first, data } of blocks) {
    const reader = new BlockReader(Buffer.from(data));
    expect(reader.term(0)).toBe(first);
    for (let i = 0; i < reader.size; i++) {
      const term = reader.term(i);
      expect(term > before, `${term} after ${before}`).toBe(true);
      before = term;
      expect(reader.seek(term)).toBe(i);
      const list: [number, number][] = [];
      const postings = reader.postings(i);
      eachPosting(postings, (ordinal, frequency) => list.push([ordinal, frequency]));
      expect(postings).toMatchObject({ count: list.length, first: list[0]?.[0], last: list.at(-1)?.[0] });
      index[term] = list;
    }
  }
  return index;
}

function expected(documents: Documents): Index {
  const index: Index = {};
  for (const [ordinal, terms] of documents)
    for (const term of new Set(terms)) {
      index[term] ??= [];
      index[term].push([ordinal, terms.filter((other) => other === term).length]);
    }
  return index;
}

function documents(first: number, count: number, seed: number): Documents {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, (_, i) => [
    first + i * 3,
    Array.from({ length: 40 }, () => (random(2) ? (TERMS[random(TERMS.length)] ?? "a") : `w${random(4000)}`)),
  ]);
}

const parts = [documents(0, 150, 1), documents(1000, 1, 2), documents(200_000, 300, 3)];

it("segments give back what was added, in order, across blocks", () => {
  for (const part of parts) expect(read(segment(part))).toEqual(expected(part));
});

it("merged segments read as one written at once", () => {
  const merged = [...mergeSegments(parts.map((part) => segment(part).map(({ data }) => data)))];
  expect(merged.length).toBeGreaterThan(1);
  expect(read(merged)).toEqual(expected(parts.flat()));
});

it("a merge leaves removed chunks out, and terms that only they had", () => {
  const alive = (ordinal: number) => ordinal % 2 === 0;
  const merged = [
    ...mergeSegments(
      parts.map((part) => segment(part).map(({ data }) => data)),
      alive,
    ),
  ];
  expect(read(merged)).toEqual(expected(parts.flat().filter(([ordinal]) => alive(ordinal))));
});

/** A file of as many blocks as anyone asks for, all of one size, which says how often it was read. */
function blocksOf(bytes: number) {
  const file = { reads: 0 };
  const get = () => {
    file.reads++;
    return [new Uint8Array(bytes)];
  };
  const db = { read: () => ({ get, all: () => [] }) } as unknown as Pick<Database, "read">;
  return { file, db };
}

test("a block asked for again is not read again", () => {
  const { file, db } = blocksOf(4000);
  const block = createBlockCache(db, 1_000_000);
  expect(block(1)).toBe(block(1));
  expect(file.reads).toBe(1);
});

test("small blocks count with the objects that keep them, not with their bytes alone", () => {
  const { file, db } = blocksOf(40);
  const block = createBlockCache(db, 1_000_000);
  for (let key = 0; key < 10_000; key++) block(key);
  file.reads = 0;
  for (let key = 9_999; key > 8_100; key--) block(key);
  expect(file.reads).toBeLessThan(100);
  for (let key = 0; key < 1000; key++) block(key);
  expect(file.reads).toBeGreaterThan(1000);
});

test("what was asked for longest ago makes room", () => {
  const { file, db } = blocksOf(400_000);
  const block = createBlockCache(db, 1_000_000);
  block(1);
  block(2);
  block(1);
  block(3);
  file.reads = 0;
  block(1);
  block(3);
  expect(file.reads).toBe(0);
  block(2);
  expect(file.reads).toBe(1);
});
