import { deserialize, serialize } from "node:v8";
import { type Random, seededRandom } from "./random.js";
import type {
  Book,
  Highlight,
  NewBook,
  NewDocument,
  NewHighlight,
  NewReaderHighlight,
  ReaderDocument,
  ReaderTags,
  Tag,
} from "./records.js";

export interface ReaderHighlightOptions {
  visibleInV2At?: number;
  videoCategory?: string;
}

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";

export function tagKey(name: string, rule: "slug" | "lower" = "slug"): string {
  const lower = name.trim().toLowerCase();
  return rule === "slug" ? lower.replace(/\s+/g, "-") : lower;
}

interface Snapshot {
  seed: string;
  books: Map<number, Book>;
  highlights: Map<number, Highlight>;
  documents: Map<string, ReaderDocument>;
  readerTags: Map<string, string>;
  next: { book: number; highlight: number; tag: number };
  version: number;
}

/** One person's account, and what the service and its owner do to it. */
export class Library {
  readonly books = new Map<number, Book>();
  readonly highlights = new Map<number, Highlight>();
  readonly documents = new Map<string, ReaderDocument>();
  readonly readerTags = new Map<string, string>();
  readonly seed: string;

  #random: Random;
  #nextBook = 41_000_001;
  #nextHighlight = 702_000_001;
  #nextTag = 91_000_001;
  #byUrl = new Map<string, Highlight>();
  #bookByDocument = new Map<string, Book>();
  #version = 0;
  #views = new Map<string, { version: number; items: unknown[] }>();
  #later: { at: number; run: () => void }[] = [];

  constructor(seed = "empty") {
    this.seed = seed;
    this.#random = seededRandom(`ids of ${seed}`);
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** The whole account as bytes, for `restore`. What is still to happen later is not in it. */
  snapshot(): Uint8Array {
    const { books, highlights, documents, readerTags, seed } = this;
    const next = { book: this.#nextBook, highlight: this.#nextHighlight, tag: this.#nextTag };
    return serialize({
      seed,
      books,
      highlights,
      documents,
      readerTags,
      next,
      version: this.#version,
    } satisfies Snapshot);
  }

  static restore(bytes: Uint8Array): Library {
    const kept = deserialize(bytes) as Snapshot;
    const library = new Library(kept.seed);
    for (const [id, book] of kept.books) {
      library.books.set(id, book);
      if (book.external_id) library.#bookByDocument.set(book.external_id, book);
    }
    for (const [id, highlight] of kept.highlights) {
      library.highlights.set(id, highlight);
      if (highlight.url) library.#byUrl.set(highlight.url, highlight);
    }
    for (const [id, document] of kept.documents) library.documents.set(id, document);
    for (const [key, name] of kept.readerTags) library.readerTags.set(key, name);
    library.#nextBook = kept.next.book;
    library.#nextHighlight = kept.next.highlight;
    library.#nextTag = kept.next.tag;
    library.#version = kept.version;
    // Ids made from here on must differ from those the first run made.
    library.#random = seededRandom(`ids of ${kept.seed} after ${kept.version}`);
    return library;
  }

  addBook(fields: NewBook, now: number): Book {
    const { tags = [], ...rest } = fields;
    const book: Book = {
      id: this.#nextBook++,
      author: null,
      category: "books",
      source: "kindle",
      cover_image_url: "https://readwise-assets.example/covers/default.png",
      source_url: null,
      asin: null,
      unique_url: null,
      summary: null,
      document_note: null,
      external_id: "",
      updated: now,
      is_deleted: false,
      ...rest,
      tags: tags.map((name) => this.newTag(name)),
      highlights: [],
    };
    this.books.set(book.id, book);
    if (book.external_id) this.#bookByDocument.set(book.external_id, book);
    this.touch();
    return book;
  }

  addHighlight(book: Book, fields: NewHighlight, now: number): Highlight {
    const { tags = [], ...rest } = fields;
    const highlight: Highlight = {
      id: this.#nextHighlight++,
      book_id: book.id,
      note: "",
      location: null,
      location_type: "none",
      color: "",
      highlighted_at: now,
      created_at: now,
      updated_at: now,
      external_id: null,
      url: null,
      removedTags: [],
      is_favorite: false,
      is_discard: false,
      is_deleted: false,
      ...rest,
      tags: tags.map((name) => this.newTag(name)),
    };
    this.highlights.set(highlight.id, highlight);
    if (highlight.url) this.#byUrl.set(highlight.url, highlight);
    book.highlights.push(highlight);
    book.updated = Math.max(book.updated, highlight.updated_at);
    this.touch();
    return highlight;
  }

  newTag(name: string): Tag {
    return { id: this.#nextTag++, name };
  }

  highlightByUrl(url: string): Highlight | undefined {
    const found = this.#byUrl.get(url);
    return found && !found.is_deleted ? found : undefined;
  }

  setUrl(highlight: Highlight, url: string | null): void {
    if (highlight.url) this.#byUrl.delete(highlight.url);
    highlight.url = url;
    if (url) this.#byUrl.set(url, highlight);
  }

  /** The tombstone stays, for exports that ask for deleted items. */
  deleteHighlight(highlight: Highlight, now: number): void {
    highlight.is_deleted = true;
    this.changed(highlight, now);
  }

  /** Sources cannot be deleted over the API, only by their owner in the app. */
  deleteBook(book: Book, now: number): void {
    book.is_deleted = true;
    book.updated = now;
    for (const highlight of book.highlights) this.deleteHighlight(highlight, now);
    this.touch();
  }

  changed(highlight: Highlight, now: number): void {
    highlight.updated_at = now;
    this.books.get(highlight.book_id)!.updated = now;
    this.touch();
  }

  addDocument(fields: NewDocument, now: number): ReaderDocument {
    const { tags = [], ...rest } = fields;
    const at = rest.saved_at ?? now;
    const document: ReaderDocument = {
      id: this.#ulid(rest.created_at ?? at),
      title: null,
      author: null,
      source: "Reader add from clipboard",
      location: "new",
      site_name: null,
      word_count: null,
      reading_time: null,
      listening_time: null,
      created_at: at,
      updated_at: at,
      saved_at: at,
      last_moved_at: at,
      published_date: null,
      summary: null,
      image_url: null,
      content: null,
      source_url: null,
      notes: "",
      parent_id: null,
      reading_progress: 0,
      first_opened_at: null,
      last_opened_at: null,
      highlight_offset: null,
      highlight_location: null,
      html: "",
      hasRawSource: false,
      ...rest,
      tags: tags === null ? null : this.makeReaderTags(tags, at),
    };
    this.documents.set(document.id, document);
    this.touch();
    return document;
  }

  makeReaderTags(names: string[], now: number, rule: "slug" | "lower" = "slug"): ReaderTags {
    const tags: ReaderTags = {};
    for (const name of names) {
      const key = tagKey(name, rule);
      tags[key] = { name, type: "manual", created: now };
      if (!this.readerTags.has(key)) this.readerTags.set(key, name);
    }
    return tags;
  }

  /** Removes a document with its highlights and notes. Reader leaves no tombstone; what v2 holds of it stays. */
  removeDocument(id: string): void {
    const gone = new Set([id]);
    for (const document of this.documents.values())
      if (document.parent_id !== null && gone.has(document.parent_id)) gone.add(document.id);
    // A note may stand before its highlight in the map.
    for (const document of this.documents.values())
      if (document.parent_id !== null && gone.has(document.parent_id)) gone.add(document.id);
    for (const each of gone) this.documents.delete(each);
    this.touch();
  }

  /**
   * A highlight inside Reader, made by a person or with `parent_id`: a child document, one more for its note, and the
   * highlight in v2 under a source that carries the document's id.
   */
  addReaderHighlight(
    parent: ReaderDocument,
    fields: NewReaderHighlight,
    now: number,
    options: ReaderHighlightOptions = {},
  ): ReaderDocument {
    const tagless = fields.tags === undefined || fields.tags.length === 0;
    const child = this.addDocument(
      {
        category: "highlight",
        content: fields.text,
        parent_id: parent.id,
        source: "reader-web-app",
        highlight_offset: fields.location ?? null,
        highlight_location: fields.location === undefined || fields.location === null ? null : `${fields.location}`,
        location: this.#random.chance(0.5) ? null : "new",
        tags: tagless && this.#random.chance(0.5) ? null : fields.tags,
      },
      now,
    );
    if (fields.note) this.setReaderNote(child, fields.note, now);

    const url = readerUrl(child.id);
    const intoV2 = () => {
      const book = this.#bookOf(parent, options.videoCategory ?? "articles", now);
      this.addHighlight(book, { location_type: "offset", ...fields, url, external_id: child.id }, now);
    };
    if (options.visibleInV2At === undefined) intoV2();
    else this.later(options.visibleInV2At, intoV2);
    return child;
  }

  #bookOf(document: ReaderDocument, videoCategory: string, now: number): Book {
    const known = this.#bookByDocument.get(document.id);
    if (known && !known.is_deleted) return known;
    return this.addBook(
      {
        title: document.title ?? "Untitled",
        author: document.author,
        category: document.category === "video" ? videoCategory : (V2_CATEGORY[document.category] ?? "articles"),
        source: "reader",
        source_url: isPrivate(document) ? `private://read/${document.id}` : document.source_url,
        cover_image_url: document.image_url || "https://readwise-assets.example/covers/reader.png",
        unique_url: readerUrl(document.id),
        external_id: document.id,
        summary: document.summary,
        document_note: document.notes,
        tags: Object.values(document.tags ?? {}).map((tag) => tag.name),
      },
      now,
    );
  }

  /** The other side of a Reader highlight, or of a v2 highlight that was made in Reader. */
  twinOf(child: ReaderDocument): Highlight | undefined {
    return this.highlightByUrl(readerUrl(child.id));
  }

  /** A Reader highlight's note is a document of its own, under the highlight. */
  setReaderNote(child: ReaderDocument, text: string, now: number): void {
    child.notes = text;
    for (const each of this.documents.values())
      if (each.category === "note" && each.parent_id === child.id) this.documents.delete(each.id);
    if (text !== "")
      this.addDocument(
        { category: "note", content: text, parent_id: child.id, source: null, location: null, tags: null },
        now,
      );
    this.touch();
  }

  /** Something the service does by itself after a while; it shows from the first request at or after that time. */
  later(at: number, run: () => void): void {
    this.#later.push({ at, run });
  }

  catchUp(now: number): void {
    if (!this.#later.some((job) => job.at <= now)) return;
    const due = this.#later.filter((job) => job.at <= now);
    this.#later = this.#later.filter((job) => job.at > now);
    for (const job of due) job.run();
  }

  /** Call after changing an object directly, so that the sorted views are made again. */
  touch(): void {
    this.#version++;
  }

  booksNewestFirst(): Book[] {
    return this.#view("books", () => [...this.books.values()].sort((a, b) => b.id - a.id));
  }

  liveHighlights(): Highlight[] {
    return this.#view("highlights", () =>
      [...this.highlights.values()].filter((highlight) => !highlight.is_deleted).sort((a, b) => b.id - a.id),
    );
  }

  documentsNewestFirst(order: "updated" | "saved"): ReaderDocument[] {
    return this.#view(`documents by ${order}`, () => {
      const key = order === "updated" ? "updated_at" : "saved_at";
      return [...this.documents.values()].sort((a, b) => b[key] - a[key] || (a.id < b.id ? 1 : -1));
    });
  }

  #view<T>(name: string, make: () => T[]): T[] {
    const held = this.#views.get(name);
    if (held?.version === this.#version) return held.items as T[]; // each name is only ever used with one T
    const items = make();
    this.#views.set(name, { version: this.#version, items });
    return items;
  }

  #ulid(time: number): string {
    let stamp = "";
    for (let rest = time, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) stamp = CROCKFORD[rest % 32] + stamp;
    let tail = "";
    for (let i = 0; i < 16; i++) tail += CROCKFORD[this.#random.int(32)];
    return stamp + tail;
  }
}

const V2_CATEGORY: Record<string, string> = { epub: "books", tweet: "tweets", podcast: "podcasts" };

function isPrivate(document: ReaderDocument): boolean {
  return document.category === "email" || document.hasRawSource;
}

export function readerUrl(id: string): string {
  return `https://read.readwise.io/read/${id}`;
}
