import { sampleDocuments, sampleWorks } from "../sample/readwise.js";
import type { SampleDocument, SampleHighlight, SampleWork } from "../sample/types.js";
import { Library } from "./library.js";
import type { ReaderDocument } from "./records.js";
import { listeningTime, readingTime } from "./saved-page.js";

const DAY = 86_400_000;

type Calendar = (text: string) => number;

/** The hand-made library of the demo, as it would stand at `now`. */
export function sampleLibrary(now: number = Date.now()): Library {
  return libraryFrom(sampleWorks, sampleDocuments, now);
}

/**
 * Reader documents become documents; their highlights become child documents and v2 highlights, whether the
 * document lists them itself or a work with its key does (which also knows where and when they were made).
 * Where the data is newer than `now`, all of it moves back: nothing may be changed before it was made.
 */
export function libraryFrom(works: SampleWork[], documents: SampleDocument[], now: number = Date.now()): Library {
  const newest = Math.max(
    ...works.flatMap((work) => work.highlights.map((each) => Date.parse(each.highlighted_at))),
    ...documents.flatMap((each) => [Date.parse(each.saved_at), Date.parse(each.opened ?? each.saved_at)]),
  );
  const moveBack = Math.max(0, newest + DAY - now);
  const at: Calendar = (text) => Date.parse(text) - moveBack;

  const library = new Library("sample");
  const byKey = new Map(documents.map((sample) => [sample.key, addDocument(library, sample, at)]));
  const worked = new Set(works.map((work) => work.reader));

  for (const sample of documents) {
    if (worked.has(sample.key)) continue;
    const document = byKey.get(sample.key)!;
    sample.highlights?.forEach((highlight, index) => {
      library.addReaderHighlight(
        document,
        { ...highlight, location: 400 + index * 900 },
        document.saved_at + index * 60_000,
      );
    });
  }
  for (const work of [...works].sort((a, b) => firstMark(a, Date.parse) - firstMark(b, Date.parse))) {
    if (work.reader === undefined) addWork(library, work, at);
    else addReaderWork(library, work, byKey, documents, at);
  }
  return library;
}

function addDocument(library: Library, sample: SampleDocument, at: Calendar): ReaderDocument {
  const saved = at(sample.saved_at);
  const opened = sample.opened === undefined ? null : at(sample.opened);
  const upload = sample.category === "pdf" || sample.category === "epub";
  return library.addDocument(
    {
      category: sample.category,
      title: sample.title,
      author: sample.author,
      location: sample.location,
      source: sample.source,
      source_url: sample.source_url,
      site_name: sample.site_name,
      summary: sample.summary,
      tags: sample.tags,
      html: sample.html,
      published_date: sample.published_date,
      // Reader gives what is watched or heard a length instead of a number of words.
      word_count: sample.seconds === undefined ? sample.word_count : 0,
      reading_time: sample.seconds === undefined ? readingTime(sample.word_count) : null,
      listening_time: sample.seconds === undefined ? null : listeningTime(sample.seconds),
      reading_progress: sample.reading_progress,
      image_url: "",
      notes: sample.notes ?? "",
      saved_at: saved,
      updated_at: Math.max(saved, opened ?? 0),
      first_opened_at: opened,
      last_opened_at: opened,
      hasRawSource: upload,
    },
    saved,
  );
}

function firstMark(work: SampleWork, at: Calendar): number {
  return Math.min(...work.highlights.map((each) => at(each.highlighted_at)));
}

function addWork(library: Library, work: SampleWork, at: Calendar): void {
  const book = library.addBook(
    {
      title: work.title,
      author: work.author,
      category: work.category,
      source: work.source,
      source_url: work.source_url,
      summary: work.summary ?? null,
      document_note: work.document_note ?? null,
      tags: work.tags,
    },
    firstMark(work, at),
  );
  for (const { highlighted_at, favorite, ...highlight } of work.highlights)
    library.addHighlight(book, { ...highlight, is_favorite: favorite ?? false }, at(highlighted_at));
}

function addReaderWork(
  library: Library,
  work: SampleWork,
  byKey: Map<string, ReaderDocument>,
  documents: SampleDocument[],
  at: Calendar,
): void {
  const document = byKey.get(work.reader ?? "");
  const sample = documents.find(({ key }) => key === work.reader);
  if (!document || !sample)
    throw new Error(`'${work.title}' names the Reader document '${work.reader}', which is not there.`);

  const texts = new Set(work.highlights.map(({ text }) => text));
  const rest = (sample.highlights ?? []).filter(({ text }) => !texts.has(text));
  const marks: SampleHighlight[] = [
    ...work.highlights,
    ...rest.map((mark, index) => ({
      ...mark,
      highlighted_at: new Date(Date.parse(sample.saved_at) + index * 60_000).toISOString(),
    })),
  ];
  for (const { highlighted_at, favorite, location_type: _, ...mark } of marks)
    library.addReaderHighlight(document, { ...mark, is_favorite: favorite ?? false }, at(highlighted_at));

  for (const book of library.books.values())
    if (book.external_id === document.id) {
      book.document_note = work.document_note ?? book.document_note;
      book.summary = work.summary ?? book.summary;
      book.category = work.category;
    }
}
