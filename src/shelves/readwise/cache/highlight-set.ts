import { grown } from "../../../kernel/collections.js";
import { foldedWords } from "../../../text/analysis.js";
import { fold } from "../../../text/fold.js";
import { detectLanguage } from "../../../text/language.js";
import { isNameOf, isTelling } from "../../../text/work-names.js";
import type { Highlight, Source } from "../schemas.js";
import { createShared, type Facts, timeOf } from "./facts.js";
import {
  HIGHLIGHT,
  HIGHLIGHT_GONE,
  SOURCE,
  SOURCE_FIELDS,
  SOURCE_GONE,
  TAGS,
  unpackHighlight,
  unpackTags,
} from "./highlight-records.js";
import { createItemTable, createRecordLog, type Place, type Record_ } from "./record-log.js";

/** Text, tags, note, title, author. */
const FIELDS = [
  { weight: 1, usual: 40 },
  { weight: 0.9, usual: 3 },
  { weight: 0.8, usual: 20 },
  { weight: 0.6, usual: 6 },
  { weight: 0.4, usual: 3 },
];
/** Bits of a highlight's flags; the first two are in its record. */
const FAVORITE = 1;
const DISCARD = 2;
const NOTED = 4;
/** The factor on the score of a discarded highlight. */
const DISCARDED = 0.5;
export const HIGHLIGHT_FIELDS = ["text", "tags", "note", "title", "author"] as const;

/** Fields for filters, stored besides the record. */
interface Columns {
  flags: number;
  madeAt: number;
  updatedAt: number;
  color: string;
  tags: readonly string[];
}

interface HeldSource {
  id: number;
  place: Place;
  title: string;
  author: string;
  tags: string;
  category: string | null;
  /** Folded, for filters. */
  names: { title: string; author: string; tags: readonly string[] };
  language: string | null;
  externalId: string | null;
  items: number[];
}

export type HighlightSet = ReturnType<typeof createHighlightSet>;

/** The latest of the items' times. */
function latest(items: readonly number[], times: Float64Array): string | null {
  let last = Number.NaN;
  for (const item of items) if (!(times[item]! <= last)) last = Number.isNaN(times[item]!) ? last : times[item]!;
  return Number.isNaN(last) ? null : new Date(last).toISOString();
}

/** A user's whole export as bytes: sources and highlights, with a word index. */
export function createHighlightSet() {
  const log = createRecordLog();
  const sources: HeldSource[] = [];
  const bySource = new Map<number, number>();
  const byHighlight = new Map<number, number>();
  /** Sources by each word of their author and title; former names of a source stay in it. */
  const byName = new Map<string, Set<number>>();
  const items = createItemTable(FIELDS, (item) => ({
    texts: [...textsOf(item, highlightAt(item))],
    language: sources[sourceOf[item]!]!.language,
    share: isDiscarded(item) ? DISCARDED : 1,
  }));
  let sourceOf = new Int32Array(1024);
  let ids = new Float64Array(1024);
  let flags = new Uint8Array(1024);
  let madeAt = new Float64Array(1024);
  let updatedAt = new Float64Array(1024);
  const colors: string[] = [];
  const ownTags: (readonly string[])[] = [];
  const sharedColor = createShared<string>((color) => color);
  const sharedTags = createShared<readonly string[]>((tags) => tags.join("\n"));
  const isDiscarded = (item: number) => (flags[item]! & DISCARD) !== 0;

  const highlightAt = (item: number) => unpackHighlight(log.read(items.place(item)));

  /** The text of each of `HIGHLIGHT_FIELDS`, computed lazily. */
  function* textsOf(item: number, highlight: Highlight): Generator<string> {
    const { title, author, tags } = sources[sourceOf[item]!]!;
    yield highlight.text;
    yield `${highlight.tags.map(({ name }) => name).join(" ")} ${tags}`.trim();
    yield highlight.note ?? "";
    yield title;
    yield author;
  }

  function grow(size: number): void {
    sourceOf = grown(sourceOf, size);
    ids = grown(ids, size);
    flags = grown(flags, size);
    madeAt = grown(madeAt, size);
    updatedAt = grown(updatedAt, size);
  }

  function addItem(id: number, source: number, place: Place, columns: Columns): void {
    const item = items.add(place);
    if (item >= ids.length) grow(item * 2);
    sourceOf[item] = source;
    ids[item] = id;
    flags[item] = columns.flags;
    madeAt[item] = columns.madeAt;
    updatedAt[item] = columns.updatedAt;
    colors[item] = columns.color;
    ownTags[item] = columns.tags;
    byHighlight.set(id, item);
    sources[source]!.items.push(item);
  }
  function removeHighlight(id: number): void {
    const item = byHighlight.get(id);
    if (item === undefined) return;
    byHighlight.delete(id);
    items.remove(item);
    const siblings = sources[sourceOf[item]!]!.items;
    siblings.splice(siblings.indexOf(item), 1);
  }
  function removeSource(id: number): void {
    const number = bySource.get(id);
    if (number === undefined) return;
    for (const item of [...sources[number]!.items]) removeHighlight(ids[item]!);
    bySource.delete(id);
  }

  function addNames(number: number, { title, author }: { title: string; author: string }): void {
    for (const word of foldedWords(`${author} ${title}`)) {
      const named = byName.get(word);
      if (named) named.add(number);
      else byName.set(word, new Set([number]));
    }
  }

  function applySource(record: Record_, place: Place): void {
    const id = record[1] as number;
    const text = (field: (typeof SOURCE_FIELDS)[number]) => (record[SOURCE_FIELDS.indexOf(field) + 2] ?? "") as string;
    const tags = unpackTags(record[TAGS]).map(({ name }) => name);
    const held = {
      id,
      place,
      title: text("title"),
      author: text("author"),
      tags: tags.join(" "),
      category: text("category") || null,
      names: { title: fold(text("title")), author: fold(text("author")), tags: tags.map(fold) },
      externalId: (record[TAGS + 1] ?? null) as string | null,
    };
    const known = bySource.get(id);
    if (known === undefined) {
      bySource.set(id, sources.length);
      addNames(sources.length, held);
      sources.push({ ...held, language: null, items: [] });
      return;
    }
    const before = sources[known]!;
    sources[known] = { ...before, ...held };
    if (before.title === held.title && before.author === held.author && before.tags === held.tags) return;
    addNames(known, held);
    // The words of a source are indexed with each of its highlights.
    for (const item of [...before.items]) {
      const [highlightId, where, columns] = [ids[item]!, items.place(item), columnsOf(item)];
      removeHighlight(highlightId);
      addItem(highlightId, known, where, columns);
    }
  }

  function applyHighlight(record: Record_, place: Place): void {
    const [, id, book, text] = record as [number, number, number, string];
    const source = bySource.get(book);
    if (source === undefined) return;
    removeHighlight(id);
    sources[source]!.language ??= detectLanguage(text);
    const created = record[9];
    const note = typeof record[4] === "string" && record[4].trim() !== "";
    addItem(id, source, place, {
      flags: (record[14] as number) | (note ? NOTED : 0),
      madeAt: timeOf(record[8]),
      updatedAt: timeOf(record[10] === 0 ? created : record[10]),
      color: sharedColor(String(record[7] ?? "")),
      tags: sharedTags(unpackTags(record[13]).map(({ name }) => fold(name))),
    });
  }
  const columnsOf = (item: number): Columns => ({
    flags: flags[item]!,
    madeAt: madeAt[item]!,
    updatedAt: updatedAt[item]!,
    color: colors[item]!,
    tags: ownTags[item]!,
  });
  const sourceAt = (item: number) => sources[sourceOf[item]!]!;
  const facts: Facts = {
    tags: (item) => ownTags[item]!,
    sourceTags: (item) => sourceAt(item).names.tags,
    author: (item) => sourceAt(item).names.author,
    source: (item) => sourceAt(item).names.title,
    sourceId: (item) => String(sourceAt(item).id),
    document: (item) => sourceAt(item).externalId,
    category: (item) => sourceAt(item).category,
    language: (item) => sourceAt(item).language,
    color: (item) => colors[item]!,
    hasNote: (item) => (flags[item]! & NOTED) !== 0,
    isFavorite: (item) => (flags[item]! & FAVORITE) !== 0,
    isDiscarded,
    at: (item) => madeAt[item]!,
    updated: (item) => updatedAt[item]!,
  };

  const readSource = (held: HeldSource): Source => {
    const record = log.read(held.place);
    const fields = SOURCE_FIELDS.map((name, i) => [name, record[i + 2] ?? null]);
    return {
      id: held.id,
      ...Object.fromEntries(fields),
      highlight_count: held.items.length,
      tags: unpackTags(record[TAGS]),
      last_highlight_at: latest(held.items, madeAt),
      updated_at: latest(held.items, updatedAt),
      external_id: held.externalId,
    } as Source; // recordsOf wrote these fields in this order
  };
  const placeOfRecord = (record: Record_): Place | undefined => {
    if (record[0] === SOURCE) return sources[bySource.get(record[1] as number) ?? -1]?.place;
    const item = byHighlight.get(record[1] as number);
    return item === undefined ? undefined : items.place(item);
  };
  const held = (id: number) => {
    const number = bySource.get(id);
    return number === undefined ? undefined : sources[number]!;
  };

  return {
    apply(part: Uint8Array): void {
      log.addPart(part, (record, place) => {
        const id = record[1] as number;
        if (record[0] === SOURCE) applySource(record, place);
        else if (record[0] === HIGHLIGHT) applyHighlight(record, place);
        else if (record[0] === SOURCE_GONE) removeSource(id);
        else removeHighlight(id);
      });
    },
    isNews(json: string): boolean {
      const record = JSON.parse(json) as Record_;
      if (record[0] === SOURCE_GONE) return bySource.has(record[1] as number);
      if (record[0] === HIGHLIGHT_GONE) return byHighlight.has(record[1] as number);
      const place = placeOfRecord(record);
      return place === undefined || log.bytesAt(place).toString() !== json;
    },
    liveRecords() {
      const records: string[] = [];
      for (const number of bySource.values()) {
        const source = sources[number]!;
        records.push(log.bytesAt(source.place).toString());
        for (const item of source.items) records.push(log.bytesAt(items.place(item)).toString());
      }
      return records;
    },
    get sourceCount() {
      return bySource.size;
    },
    get liveCount() {
      return byHighlight.size;
    },
    /** Newest first. */
    sourceIds: () => [...bySource.keys()].sort((a, b) => b - a),
    source(id: number): Source | undefined {
      const one = held(id);
      return one && readSource(one);
    },
    highlight(id: number): Highlight | undefined {
      const item = byHighlight.get(id);
      return item === undefined ? undefined : highlightAt(item);
    },
    highlightsOf: (id: number): Highlight[] => (held(id)?.items ?? []).map(highlightAt),
    /** The source that has a Reader document's highlights. */
    sourceOfDocument({ id, source_url }: { id: string; source_url: string | null }): number | undefined {
      let sameAddress: number | undefined;
      for (const number of bySource.values()) {
        const one = sources[number]!;
        if (one.externalId === id) return one.id;
        if (source_url === null && one.externalId !== null) continue;
        const { unique_url, source_url: address } = readSource({ ...one, items: [] });
        if (unique_url?.endsWith(`/read/${id}`) || address === `private://read/${id}`) return one.id;
        if (source_url !== null && address === source_url) sameAddress ??= one.id;
      }
      return sameAddress;
    },
    itemsWhere: items.where,
    facts,
    index: items.index,
    /** Items of sources that these words name (`isNameOf`). */
    itemsNamed(words: readonly string[]): number[] {
      let candidates: ReadonlySet<number> | undefined;
      for (const word of words.filter(isTelling)) {
        const named = byName.get(word);
        if (!named) return [];
        if (!candidates || named.size < candidates.size) candidates = named;
      }
      const found: number[] = [];
      for (const number of candidates ?? []) {
        const { id, items: own } = sources[number]!;
        if (bySource.get(id) === number && isNameOf(words, sources[number]!)) found.push(...own);
      }
      return found;
    },
    item(item: number) {
      const place = items.place(item);
      const highlight = unpackHighlight(log.read(place));
      return {
        highlight,
        title: sourceAt(item).title,
        /** The Reader document it was made in. */
        documentId: sourceAt(item).externalId,
        author: sourceAt(item).author,
        bytes: place[2] - place[1],
        /** In the order of `HIGHLIGHT_FIELDS`. */
        texts: textsOf(item, highlight),
      };
    },
    get itemCount() {
      return items.size;
    },
    isAlive: items.alive,
    sourceIdOf: (item: number) => sources[sourceOf[item]!]!.id,
    highlightIdOf: (item: number) => ids[item]!,
    get waste() {
      return items.removed / Math.max(1000, items.size) + log.parts / 2000;
    },
    byteSize: () => items.byteSize() + ids.length * 45 + byHighlight.size * 48 + sources.length * 400,
    logSize: () => log.byteSize(),
  };
}
