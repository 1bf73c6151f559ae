import { detectLanguage } from "../../../text/language.js";
import type { WordIndex } from "../../../text/word-index.js";
import { Document } from "../schemas.js";
import { createItemTable, createRecordLog, type Place, type Record_ } from "./record-log.js";

const DOCUMENT = 0;
const GONE = 1;

/** Title, tags, author, summary, notes, content (the text of highlights and notes). */
const FIELDS = [
  { weight: 1.6, usual: 8 },
  { weight: 1.2, usual: 3 },
  { weight: 1, usual: 3 },
  { weight: 0.8, usual: 40 },
  { weight: 0.7, usual: 20 },
  { weight: 0.7, usual: 40 },
];
export const DOCUMENT_FIELDS = ["title", "tags", "author", "summary", "notes", "content"] as const;

const KEYS = Document.keyof().options;

export const documentRecord = (document: Document) => JSON.stringify([DOCUMENT, ...KEYS.map((key) => document[key])]);
export const goneDocument = (id: string) => JSON.stringify([GONE, id]);

function unpack(record: Record_): Document {
  const document: Record<string, unknown> = {};
  KEYS.forEach((key, i) => {
    document[key] = record[i + 1];
  });
  return document as Document; // documentRecord wrote these fields in this order
}

const textsOf = (document: Document) => [
  document.title ?? "",
  Object.values(document.tags ?? {})
    .map(({ name }) => name)
    .join(" "),
  document.author ?? "",
  document.summary ?? "",
  document.notes ?? "",
  document.content ?? "",
];

/** Reader documents held as bytes, and their words. */
export interface DocumentSet {
  apply(part: Uint8Array): void;
  isNews(record: string): boolean;
  liveRecords(): string[];
  readonly count: number;
  has(id: string): boolean;
  index(signal: AbortSignal): Promise<WordIndex>;
  item(item: number): { document: Document; bytes: number; texts: string[] };
  /** Items numbered so far; those that are gone keep their number. */
  readonly itemCount: number;
  isAlive(item: number): boolean;
  idOf(item: number): string;
  location(item: number): string | null;
  category(item: number): string | null;
  readonly waste: number;
  byteSize(): number;
  logSize(): number;
}

export function createDocumentSet(): DocumentSet {
  const log = createRecordLog();
  const byId = new Map<string, number>();
  const ids: string[] = [];
  // Few distinct values: strings are shared, so that a document costs a reference.
  const locations: (string | null)[] = [];
  const categories: (string | null)[] = [];
  const shared = new Map<string, string>();
  const share = (value: unknown) => {
    if (typeof value !== "string") return null;
    const known = shared.get(value);
    if (known !== undefined) return known;
    shared.set(value, value);
    return value;
  };
  const items = createItemTable(FIELDS, (item) => {
    const texts = textsOf(unpack(log.read(items.place(item))));
    return { texts, language: detectLanguage(texts.join(" ")) };
  });
  const [ID, LOCATION, CATEGORY] = (["id", "location", "category"] as const).map((key) => KEYS.indexOf(key) + 1) as [
    number,
    number,
    number,
  ];

  function remove(id: string): void {
    const item = byId.get(id);
    if (item === undefined) return;
    byId.delete(id);
    items.remove(item);
  }
  const placeOf = (id: string): Place | undefined => {
    const item = byId.get(id);
    return item === undefined ? undefined : items.place(item);
  };

  return {
    apply(part) {
      log.addPart(part, (record, place) => {
        const id = String(record[record[0] === GONE ? 1 : ID]);
        remove(id);
        if (record[0] === GONE) return;
        const item = items.add(place);
        byId.set(id, item);
        ids[item] = id;
        locations[item] = share(record[LOCATION]);
        categories[item] = share(record[CATEGORY]);
      });
    },
    isNews(json) {
      const record = JSON.parse(json) as Record_;
      const place = placeOf(String(record[record[0] === GONE ? 1 : ID]));
      if (record[0] === GONE) return place !== undefined;
      return place === undefined || log.bytesAt(place).toString() !== json;
    },
    liveRecords: () => [...byId.values()].map((item) => log.bytesAt(items.place(item)).toString()),
    get count() {
      return byId.size;
    },
    has: (id) => byId.has(id),
    index: (signal) => items.index(signal),
    item(item) {
      const place = items.place(item);
      const document = unpack(log.read(place));
      return { document, bytes: place[2] - place[1], texts: textsOf(document) };
    },
    get itemCount() {
      return items.size;
    },
    isAlive: (item) => items.alive(item),
    idOf: (item) => ids[item]!,
    location: (item) => locations[item]!,
    category: (item) => categories[item]!,
    get waste() {
      return items.removed / Math.max(1000, items.size) + log.parts / 2000;
    },
    byteSize: () => items.byteSize() + ids.length * 150,
    logSize: () => log.byteSize(),
  };
}
