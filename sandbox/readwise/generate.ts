import { Library } from "./library.js";
import { article, LATIN, passage, person, pickScript, type Script, sentence, title, transcript } from "./prose.js";
import { type Random, seededRandom } from "./random.js";
import type { Book, ReaderDocument } from "./records.js";
import { listeningTime, readingTime } from "./saved-page.js";
import { SITES, TAGS } from "./words.js";

export interface GenerateOptions {
  seed?: string | number;
  sources?: number;
  highlights?: number;
  /** Documents in Reader; the highlights and notes made in them come on top. */
  documents?: number;
  /** Posts of subscriptions nobody sorted, on top of `documents`: a feed easily has thousands. */
  feed?: number;
  /** Nothing in the library is later than this. */
  until?: number;
}

const DAY = 86_400_000;
const YEARS = 8;
const COLORS = ["", "", "", "yellow", "yellow", "blue", "pink", "orange", "green", "purple"];

/** A made-up library. The same options give the same library, ids and all. */
export function generateLibrary(options: GenerateOptions = {}): Library {
  const { sources = 200, highlights = 2_000, documents = 120, feed = 0, until = Date.UTC(2026, 5, 1) } = options;
  const seed = `${options.seed ?? 1}`;
  const random = seededRandom(seed);
  const library = new Library(seed);
  const start = until - YEARS * 365 * DAY;

  const readerSources = Math.min(documents, Math.floor(sources / 4), highlights);
  const inReader: ReaderDocument[] = [];
  for (let i = 0; i < documents; i++) {
    const saved = start + Math.floor(((i + random.next()) / documents) * (until - start - 30 * DAY));
    const document = addDocument(library, random, i, saved, until);
    if (inReader.length < readerSources && (i * readerSources) % documents < readerSources) inReader.push(document);
  }

  const shares = shareOut(random, highlights, sources);
  for (let i = 0; i < sources; i++) {
    const from = start + Math.floor((i / sources) * (until - start - 30 * DAY));
    const count = shares[i] ?? 0;
    // Every fourth source is the other side of a Reader document, as long as there are any.
    const document = i % 4 === 3 ? inReader[Math.floor(i / 4)] : undefined;
    if (document) addReaderHighlights(library, random, document, count, until);
    else addSource(library, random, i, count, from, until);
  }
  const feedRandom = seededRandom(`feed of ${seed}`);
  for (let i = 0; i < feed; i++) {
    const saved = start + Math.floor(((i + feedRandom.next()) / feed) * (until - start - 30 * DAY));
    addDocument(library, feedRandom, FEED_INDEX + i * READER_KINDS.length, saved, until);
  }
  return library;
}

/** Few sources have many highlights, most have some, and together they have exactly `total`. */
function shareOut(random: Random, total: number, sources: number): number[] {
  const weights = Array.from({ length: sources }, () => 0.15 + (1 - random.next()) ** -0.6);
  const sum = weights.reduce((a, b) => a + b, 0);
  const shares: number[] = [];
  let given = 0;
  let weight = 0;
  for (const each of weights) {
    weight += each;
    const upTo = Math.round((weight / sum) * total);
    shares.push(upTo - given);
    given = upTo;
  }
  return shares;
}

const KINDS = [
  { category: "books", source: "kindle", location: "location" },
  { category: "books", source: "api_book", location: "page" },
  { category: "articles", source: "instapaper", location: "order" },
  { category: "articles", source: "api_article", location: "order" },
  { category: "podcasts", source: "snipd", location: "time_offset" },
  { category: "tweets", source: "twitter", location: "order" },
  { category: "supplementals", source: "supplemental", location: "order" },
] as const;

function addSource(library: Library, random: Random, index: number, count: number, from: number, until: number): void {
  const kind = KINDS[Math.floor(KINDS.length ** random.next()) - 1]!;
  const script = pickScript(random);
  const book = library.addBook(
    {
      title: title(random, script),
      author: random.chance(0.03) ? null : person(random),
      category: kind.category,
      source: kind.source,
      source_url:
        kind.category === "articles" ? `https://${random.pick(SITES)[1]}/${index}` : random.chance(0.1) ? "" : null,
      asin: kind.source === "kindle" ? `B0${(index + 10_000_000).toString(36).toUpperCase().padStart(8, "0")}` : null,
      cover_image_url: random.chance(0.02) ? null : `https://covers.example/${index}.jpg`,
      unique_url: random.chance(0.5) ? "" : null,
      summary: random.chance(0.3) ? sentence(random) : null,
      document_note: random.chance(0.1) ? sentence(random) : null,
      tags: someTags(random, 0.4),
    },
    from,
  );
  let location = 1;
  let at = from;
  for (let i = 0; i < count; i++) {
    location += 1 + random.int(40);
    at += Math.floor(random.next() * 2 * DAY);
    addHighlight(library, random, book, script, { location, location_type: kind.location }, Math.min(at, until - DAY));
  }
}

function addHighlight(
  library: Library,
  random: Random,
  book: Book,
  script: Script,
  place: { location: number; location_type: string },
  at: number,
): void {
  const color = random.pick(COLORS);
  const highlight = library.addHighlight(
    book,
    {
      text: passage(random, script, 1 + Math.floor(random.next() ** 3 * 6)),
      note: someNote(random),
      location: random.chance(0.04) ? null : place.location,
      location_type: place.location_type,
      color,
      highlighted_at: random.chance(0.02) ? null : at,
      created_at: at + random.int(DAY / 2),
      updated_at: at + random.int(DAY),
      tags: color === "blue" ? [...someTags(random, 0.1), "blue"] : someTags(random, 0.15),
      is_favorite: random.chance(0.05),
      is_discard: random.chance(0.02),
    },
    at,
  );
  if (highlight.updated_at < highlight.created_at) highlight.updated_at = highlight.created_at;
  if (random.chance(0.005)) highlight.is_deleted = true;
}

function addReaderHighlights(
  library: Library,
  random: Random,
  document: ReaderDocument,
  count: number,
  until: number,
): void {
  let at = document.saved_at;
  for (let i = 0; i < count; i++) {
    at = Math.min(at + random.int(DAY / 4), until - 1);
    const tags = someTags(random, 0.15);
    library.addReaderHighlight(
      document,
      { text: passage(random, LATIN, 1 + random.int(3)), note: someNote(random), location: 300 + i * 850, tags },
      at,
    );
  }
}

function someNote(random: Random): string | null {
  const at = random.next();
  if (at < 0.02) return null;
  if (at < 0.7) return "";
  if (at < 0.97) return sentence(random);
  return at < 0.995 ? passage(random, pickScript(random), 3) : passage(random, LATIN, 25 + random.int(20));
}

function someTags(random: Random, chance: number): string[] {
  const tags = new Set<string>();
  while (tags.size < 4 && random.chance(chance)) tags.add(random.pick(TAGS));
  return [...tags];
}

const READER_KINDS = ["article", "article", "article", "rss", "article", "email", "video", "pdf", "tweet", "epub"];
/** Numbers of the feed's posts, far from those of other documents; their kind is rss. */
const FEED_INDEX = 1_000_003;
const LOCATIONS = ["new", "later", "archive", "archive", "feed", "shortlist"];

function addDocument(library: Library, random: Random, index: number, saved: number, until: number): ReaderDocument {
  const category = index === 7 ? "podcast" : READER_KINDS[index % READER_KINDS.length]!;
  const script = pickScript(random);
  const heading = title(random, script);
  const [site, domain] = random.pick(SITES);
  const upload = category === "pdf" || category === "epub";
  const paragraphs = 4 + Math.floor(random.next() ** 2 * 40);
  const words = paragraphs * 70;
  const published = saved - random.int(400) * DAY;
  const opened = random.chance(0.5) ? Math.min(saved + random.int(20 * DAY), until - 1) : null;
  const moved = Math.min(saved + random.int(10 * DAY), until - 1);
  // Half of the videos come from subscriptions: to Reader those are posts.
  const video = category === "video" || (category === "rss" && index % 20 === 3);
  const seconds = paragraphs * 28;
  const textSeed = `text of ${library.seed} ${index}`;
  return library.addDocument(
    {
      category,
      title: heading,
      author: random.chance(0.1) ? null : person(random),
      source: category === "rss" ? "Reader RSS" : upload ? "File Upload" : "Reader add from clipboard",
      location: category === "rss" ? "feed" : index === 11 ? null : random.pick(LOCATIONS),
      tags: someTags(random, 0.4),
      site_name: video ? "YouTube" : upload ? null : site,
      word_count: (upload && random.chance(0.3)) || video ? 0 : words,
      reading_time: video ? null : readingTime(words),
      listening_time: video || category === "podcast" ? listeningTime(seconds) : null,
      published_date: publishedDate(index, published),
      summary: random.chance(0.6) ? passage(random, script, 2) : null,
      image_url: random.chance(0.5) ? `https://images.example/${index}.png` : "",
      source_url: upload
        ? `https://readwise.io/reader/document_raw_content/${7_000_000 + index}`
        : video
          ? `https://www.youtube.com/watch?v=${index}`
          : `https://${domain}/${index}`,
      notes: random.chance(0.1) ? sentence(random) : "",
      reading_progress: opened === null ? 0 : random.chance(0.3) ? 1 : Math.round(random.next() * 1000) / 1000,
      first_opened_at: opened,
      last_opened_at: opened,
      saved_at: saved,
      last_moved_at: moved,
      updated_at: Math.max(moved, opened ?? 0),
      html: () =>
        video
          ? transcript(seededRandom(textSeed), paragraphs)
          : article(seededRandom(textSeed), heading, script, paragraphs),
      hasRawSource: upload,
    },
    saved,
  );
}

/** A day, epoch milliseconds or nothing: the service has all three. */
function publishedDate(index: number, at: number): string | number | null {
  if (index % 10 === 3) return null;
  return index % 10 === 5 ? at : new Date(at).toISOString().slice(0, 10);
}
