import { fold } from "../../../text/fold.js";
import { detectLanguage } from "../../../text/language.js";
import { isChild, isVideo, tagNames } from "../kinds.js";
import { Document } from "../schemas.js";
import { createShared, type Facts, timeOf } from "./facts.js";
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

export const idOfRecord = (json: string) => {
  const record = JSON.parse(json) as Record_; // written by documentRecord or goneDocument
  return String(record[record[0] === GONE ? 1 : KEYS.indexOf("id") + 1]);
};

function unpack(record: Record_): Document {
  const document: Record<string, unknown> = {};
  KEYS.forEach((key, i) => {
    document[key] = record[i + 1];
  });
  return document as Document; // documentRecord wrote these fields in this order
}

const textsOf = (document: Document) => [
  document.title ?? "",
  tagNames(document).join(" "),
  document.author ?? "",
  document.summary ?? "",
  document.notes ?? "",
  document.content ?? "",
];

const NOTED = 1;
const SEEN = 2;
const CHILD = 4;
const VIDEO = 8;

/** Fields for filters, stored besides the record. */
interface Columns {
  tags: readonly string[];
  author: string;
  source: string;
  category: string | null;
  language: string | null;
  location: string | null;
  flags: number;
  progress: number;
  at: number;
  updated: number;
  opened: number;
  published: number;
}

/** A tag matches by its name and by its key. */
const foldedTags = ({ tags }: Document) => [
  ...new Set(Object.entries(tags ?? {}).flatMap(([key, { name }]) => [fold(name), fold(key)])),
];

export type DocumentSet = ReturnType<typeof createDocumentSet>;

/** Reader documents as bytes, with a word index. */
export function createDocumentSet() {
  const log = createRecordLog();
  const byId = new Map<string, number>();
  const ids: string[] = [];
  const columns: Columns[] = [];
  const sharedText = createShared<string>((text) => text);
  const share = (value: unknown) => (typeof value === "string" ? sharedText(value) : null);
  const sharedTags = createShared<readonly string[]>((tags) => tags.join("\n"));
  const items = createItemTable(FIELDS, (item) => {
    const texts = textsOf(unpack(log.read(items.place(item))));
    return { texts, language: columns[item]!.language };
  });
  const ID = KEYS.indexOf("id") + 1;

  function columnsOf(document: Document): Columns {
    const { title, author, site_name, notes, first_opened_at } = document;
    return {
      tags: sharedTags(foldedTags(document)),
      author: sharedText(fold(author ?? "")),
      source: fold(`${site_name ?? ""} ${title ?? ""}`),
      category: share(document.category),
      language: detectLanguage(textsOf(document).join(" ")),
      location: share(document.location),
      flags:
        (notes?.trim() ? NOTED : 0) |
        (first_opened_at === null ? 0 : SEEN) |
        (isChild(document) ? CHILD : 0) |
        (isVideo(document) ? VIDEO : 0),
      progress: document.reading_progress ?? 0,
      at: timeOf(document.saved_at),
      updated: timeOf(document.updated_at),
      opened: timeOf(document.last_opened_at),
      published: timeOf(document.published_date),
    };
  }
  const has = (item: number, flag: number) => (columns[item]!.flags & flag) !== 0;
  const facts: Facts = {
    tags: (item) => columns[item]!.tags,
    author: (item) => columns[item]!.author,
    source: (item) => columns[item]!.source,
    document: (item) => ids[item]!,
    category: (item) => columns[item]!.category,
    language: (item) => columns[item]!.language,
    location: (item) => columns[item]!.location,
    hasNote: (item) => has(item, NOTED),
    isSeen: (item) => has(item, SEEN),
    progress: (item) => columns[item]!.progress,
    at: (item) => columns[item]!.at,
    updated: (item) => columns[item]!.updated,
    opened: (item) => columns[item]!.opened,
    published: (item) => columns[item]!.published,
  };

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
    apply(part: Uint8Array): void {
      log.addPart(part, (record, place) => {
        const id = String(record[record[0] === GONE ? 1 : ID]);
        remove(id);
        if (record[0] === GONE) return;
        const item = items.add(place);
        byId.set(id, item);
        ids[item] = id;
        columns[item] = columnsOf(unpack(record));
      });
    },
    isNews(json: string): boolean {
      const record = JSON.parse(json) as Record_;
      const place = placeOf(String(record[record[0] === GONE ? 1 : ID]));
      if (record[0] === GONE) return place !== undefined;
      return place === undefined || log.bytesAt(place).toString() !== json;
    },
    liveRecords: () => [...byId.values()].map((item) => log.bytesAt(items.place(item)).toString()),
    get liveCount() {
      return byId.size;
    },
    index: items.index,
    item(item: number) {
      const place = items.place(item);
      const document = unpack(log.read(place));
      return { document, bytes: place[2] - place[1], texts: textsOf(document) };
    },
    get itemCount() {
      return items.size;
    },
    isAlive: items.alive,
    document(id: string): Document | undefined {
      const place = placeOf(id);
      return place && unpack(log.read(place));
    },
    idOf: (item: number) => ids[item]!,
    ids: () => byId.keys(),
    /** A highlight or note, which Reader lists as a document. */
    isChild: (item: number) => has(item, CHILD),
    isVideo: (item: number) => has(item, VIDEO),
    itemsWhere: items.where,
    facts,
    get waste() {
      return items.removed / Math.max(1000, items.size) + log.parts / 2000;
    },
    byteSize: () => items.byteSize() + ids.length * 350,
    logSize: () => log.byteSize(),
  };
}
