import { firstIndex } from "../../../../kernel/collections.js";
import { TopK } from "../../../../kernel/top-k.js";
import { hasPhrase, parseQuery, phraseText, prefixStems, queryWords } from "../../../../text/analysis.js";
import { idf, SATURATION, saturation } from "../bm25.js";
import type { Database, Steps } from "./database.js";
import { mergeSegments } from "./merge-segments.js";
import { createBlockCache, eachPosting, type Postings } from "./postings.js";
import { PostingsBuilder, type SegmentBlock } from "./postings-writing.js";
import { keyOf } from "./schema.js";

const FANOUT = 8;
/** Largest merged segment: no write has to rewrite more than this. */
const LARGEST_MERGE_BLOCKS = 1536;
const UNMERGED = 99;
const CACHE_BYTES = 6 * 1024 * 1024;
const PREFIX_TERMS = 256;

/** Adds a batch to a project's word index as a segment, and merges segments of one level once there are enough. */
export function* writeWords(
  db: Database,
  project: number,
  batch: readonly { ordinal: number; terms: readonly string[] }[],
  alive: ((ordinal: number) => boolean) | undefined,
): Steps<void> {
  const builder = new PostingsBuilder();
  for (const { ordinal, terms } of batch) {
    builder.add(ordinal, terms);
    yield;
  }
  yield* writeSegment(db, project, 0, batch[0]?.ordinal ?? 0, builder.blocks());
  for (let level = 0; level < UNMERGED; level++) {
    const segments = db
      .write("select key, first from word_segments where project = ? and level = ? order by first")
      .all(project, level);
    if (segments.length < FANOUT) return;
    const keys = segments.map(([key]) => Number(key));
    if (blocksOf(db, keys) > LARGEST_MERGE_BLOCKS) {
      for (const key of keys) db.write("update word_segments set level = ? where key = ?").run(UNMERGED, key);
      return;
    }
    const runs = keys.map((key) => segmentBlocks(db, key));
    yield* writeSegment(db, project, level + 1, Number(segments[0]?.[1]), mergeSegments(runs, alive));
    for (const key of keys) {
      dropSegment(db, key);
      yield;
    }
  }
}

function blocksOf(db: Database, segments: readonly number[]): number {
  const count = db
    .write("select count(*) from word_blocks where segment in (select value from json_each(?))")
    .get(JSON.stringify(segments))?.[0];
  return Number(count);
}

export function* dropWords(db: Database, project: number): Steps<void> {
  for (const [key] of db.write("select key from word_segments where project = ?").all(project)) {
    dropSegment(db, Number(key));
    yield;
  }
}

function dropSegment(db: Database, key: number): void {
  db.write("delete from word_blocks where segment = ?").run(key);
  db.write("delete from word_segments where key = ?").run(key);
}

function* writeSegment(
  db: Database,
  project: number,
  level: number,
  first: number,
  blocks: Iterable<SegmentBlock>,
): Steps<void> {
  const row = db
    .write("insert into word_segments (project, level, first) values (?, ?, ?) returning key")
    .get(project, level, first);
  const segment = Number(row?.[0]);
  let n = 0;
  for (const block of blocks) {
    db.write("insert into word_blocks (key, segment, first, data) values (?, ?, ?, ?)").run(
      keyOf(segment, n++),
      segment,
      block.first,
      block.data,
    );
    yield;
  }
}

function* segmentBlocks(db: Database, segment: number): Iterable<Uint8Array> {
  for (const [key] of db.write("select key from word_blocks where segment = ? order by key").all(segment))
    yield db.write("select data from word_blocks where key = ?").get(Number(key))?.[0] as Uint8Array;
}

/** Project-wide data for a search. */
export interface WordStatistics {
  project: number;
  /** By ordinal: 0 where the chunk is gone, else its length in terms plus one. */
  lengths: Uint16Array;
  ordinals: number;
  chunks: number;
  terms: number;
  languages: readonly string[];
  segments: readonly Segment[];
}
interface Segment {
  key: number;
  firsts: readonly string[];
}
type TextsOf = (ordinals: readonly number[]) => Map<number, string>;
interface ScoredOrdinal {
  ordinal: number;
  score: number;
}

export function readSegments(db: Database, project: number, known: ReadonlyMap<number, Segment>): Segment[] {
  return db
    .read<[number]>("select key from word_segments where project = ? order by first")
    .all(project)
    .map(([key]) => known.get(key) ?? { key, firsts: firstTerms(db, key) });
}

function firstTerms(db: Database, segment: number): string[] {
  return db
    .read<[string]>("select first from word_blocks where segment = ? order by key")
    .all(segment)
    .map(([first]) => first);
}

export function createWordReader(db: Database) {
  const readBlock = createBlockCache(db, CACHE_BYTES);
  const scratch = new Scratch();

  function* exact(segments: readonly Segment[], term: string): Iterable<Postings> {
    for (const segment of segments) {
      const place = lastNotAfter(segment.firsts, term);
      if (place < 0) continue;
      const reader = readBlock(keyOf(segment.key, place));
      const index = reader.seek(term);
      if (index < reader.size && reader.term(index) === term) yield reader.postings(index);
    }
  }

  function* beginning(segments: readonly Segment[], prefix: string): Iterable<Postings> {
    for (const segment of segments) {
      let taken = 0;
      for (let place = Math.max(0, lastNotAfter(segment.firsts, prefix)); place < segment.firsts.length; place++) {
        const reader = readBlock(keyOf(segment.key, place));
        let index = reader.seek(prefix);
        while (index < reader.size && taken < PREFIX_TERMS && reader.term(index).startsWith(prefix)) {
          yield reader.postings(index++);
          taken++;
        }
        if (index < reader.size || taken >= PREFIX_TERMS) break;
      }
    }
  }

  return {
    /** Call it in one snapshot. `texts` reads the indexed text of chunks, for phrases. */
    search(
      statistics: WordStatistics,
      text: string,
      { limit, allowed, texts }: { limit: number; allowed: Uint8Array | undefined; texts: TextsOf },
    ): { hits: ScoredOrdinal[]; best: number } {
      const { lengths, chunks, segments } = statistics;
      const query = parseQuery(text);
      const average = statistics.terms / Math.max(1, chunks);
      scratch.reserve(statistics.ordinals);
      let best = 0;
      let required = 0;
      const addGroup = (lists: Iterable<Postings>, must: boolean, times = 1) => {
        const found = scratch.gather(lists, lengths);
        const weight = times * idf(chunks, found.length);
        best += weight * SATURATION;
        if (must) required++;
        for (const ordinal of found) {
          const length = (lengths[ordinal] ?? 1) - 1;
          scratch.addScore(ordinal, weight * saturation(scratch.takeFrequency(ordinal), length, average), must);
        }
      };
      for (const word of queryWords(query, statistics.languages))
        addGroup(
          word.terms.flatMap((term) => [...exact(segments, term)]),
          word.required,
          word.weight,
        );
      for (const prefix of query.prefixes) {
        const stems = prefixStems(prefix, statistics.languages).filter((stem) => !stem.startsWith(prefix));
        addGroup([...beginning(segments, prefix), ...stems.flatMap((stem) => [...exact(segments, stem)])], false);
      }
      const hits =
        query.phrases.length === 0
          ? scratch.best(limit, allowed)
          : withPhrases(scratch.ranked(allowed, required), query.phrases, limit, texts);
      scratch.clear();
      return { hits, best };
    },
  };
}

function withPhrases(
  ranked: readonly ScoredOrdinal[],
  phrases: readonly string[][],
  limit: number,
  texts: TextsOf,
): ScoredOrdinal[] {
  const hits: ScoredOrdinal[] = [];
  for (let start = 0; start < ranked.length && hits.length < limit; start += 128) {
    const page = ranked.slice(start, start + 128);
    const read = texts(page.map(({ ordinal }) => ordinal));
    for (const hit of page) {
      const ready = phraseText(read.get(hit.ordinal) ?? "");
      if (hits.length < limit && phrases.every((phrase) => hasPhrase(ready, phrase))) hits.push(hit);
    }
  }
  return hits;
}

/** Arrays indexed by ordinal, reused between searches; only touched entries are reset. */
class Scratch {
  private scores = new Float64Array(0);
  private frequencies = new Uint32Array(0);
  private musts = new Uint8Array(0);
  private touched: number[] = [];

  reserve(ordinals: number): void {
    if (ordinals <= this.scores.length) return;
    const size = Math.ceil(ordinals * 1.2) + 64;
    this.scores = new Float64Array(size);
    this.frequencies = new Uint32Array(size);
    this.musts = new Uint8Array(size);
  }

  /** Ordinals of existing chunks in any of the lists; `takeFrequency` returns their frequencies. */
  gather(lists: Iterable<Postings>, lengths: Uint16Array): number[] {
    const found: number[] = [];
    const { frequencies } = this;
    for (const list of lists)
      eachPosting(list, (ordinal, frequency) => {
        if (lengths[ordinal] === 0) return;
        if (frequencies[ordinal] === 0) found.push(ordinal);
        frequencies[ordinal] = (frequencies[ordinal] ?? 0) + frequency;
      });
    return found;
  }

  takeFrequency(ordinal: number): number {
    const frequency = this.frequencies[ordinal] ?? 0;
    this.frequencies[ordinal] = 0;
    return frequency;
  }

  addScore(ordinal: number, score: number, must: boolean): void {
    const before = this.scores[ordinal] ?? 0;
    if (before === 0) this.touched.push(ordinal);
    this.scores[ordinal] = before + score;
    if (must) this.musts[ordinal] = (this.musts[ordinal] ?? 0) + 1;
  }

  best(limit: number, allowed: Uint8Array | undefined): ScoredOrdinal[] {
    const top = new TopK(limit);
    for (const ordinal of this.touched)
      if (!allowed || allowed[ordinal] === 1) top.offer(ordinal, this.scores[ordinal] ?? 0);
    return top.sorted().map(({ id, score }) => ({ ordinal: id, score }));
  }

  ranked(allowed: Uint8Array | undefined, required: number): ScoredOrdinal[] {
    return this.touched
      .filter((ordinal) => this.musts[ordinal] === required && (!allowed || allowed[ordinal] === 1))
      .map((ordinal) => ({ ordinal, score: this.scores[ordinal] ?? 0 }))
      .sort((a, b) => b.score - a.score || a.ordinal - b.ordinal);
  }

  clear(): void {
    for (const ordinal of this.touched) {
      this.scores[ordinal] = 0;
      this.musts[ordinal] = 0;
    }
    this.touched = [];
  }
}

const lastNotAfter = (firsts: readonly string[], term: string): number =>
  firstIndex(firsts.length, (index) => firsts[index]! > term) - 1;
