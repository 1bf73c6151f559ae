import { isAbsolute } from "node:path";
import { type Corrections, corrected, correctionsIn, uncorrected, yearIn } from "../ingest/corrections.js";
import { splitAuthors } from "../ingest/names.js";
import { badParameter, ShelfError } from "../kernel/errors.js";
import { withoutNulls } from "../kernel/json.js";
import type { ChunkStore, DocumentRecord, DocumentSummary } from "../shelves/chunks/chunk-store.js";
import { createProjects, type Projects } from "../shelves/chunks/projects.js";
import { partsOf } from "../text/parts-of.js";
import { isCitekey } from "./bibliography/entry.js";
import { type CslItem, type CslName, parseName } from "./csl.js";
import { refuseSeveral, unknownSource } from "./sources.js";
import { OPENING_CHARS, suspicionsOf } from "./suspicious.js";
import { authorsOf, itemOf, worksIn, worksNamed } from "./works.js";

/** The owner's corrections; fields left out stay unchanged. */
interface RecordChange {
  title?: string | undefined;
  author?: string | undefined;
  translator?: string | undefined;
  year?: number | undefined;
  publisher?: string | undefined;
  key?: string | undefined;
}

export type Records = ReturnType<typeof createRecords>;

export function createRecords({
  store,
  projects = createProjects({ store }),
}: {
  store: ChunkStore;
  projects?: Projects;
}) {
  return {
    async update(project: string, source: string, change: RecordChange) {
      const { id } = await projects.open(project, { notebooks: true });
      const works = await worksIn(store, id);
      const named = worksNamed(works, source);
      if (named.length === 0) throw unknownSource(source, works, `of project '${id}'`);
      refuseSeveral(source, named);
      const ids = named.flatMap(({ doc_ids }) => doc_ids);
      if (change.key !== undefined) refuseKey(change.key, works, ids);
      const records: DocumentRecord[] = [];
      for (const docId of ids) {
        const document = await store.document(id, docId);
        if (document) records.push(await write(id, document, change));
      }
      return { project: id, documents: records.map((document) => shownRecord(document, openingOf(document))) };
    },
  };

  async function write(project: string, document: DocumentRecord, change: RecordChange): Promise<DocumentRecord> {
    const before = correctionsIn(document);
    const corrections: Corrections = {
      ...before,
      ...withoutNulls({ citekey: change.key, title: change.title }),
      csl: { ...before?.csl, ...cslOf(change) },
    };
    const chunks = await store.chunks(project, { doc_id: document.id });
    const vectors = await store.vectors?.(
      project,
      chunks.map((chunk) => chunk.id),
    );
    if (!vectors)
      throw new ShelfError(
        "INDEX_UNAVAILABLE",
        "This store cannot change a record without its vectors. Ingest it again.",
      );
    const now = corrected(
      { ...uncorrected(document), updated_at: new Date().toISOString() },
      chunks.map((chunk) => ({ ...chunk, vectors: vectors.get(chunk.id) ?? [] })),
      corrections,
    );
    await store.replaceDocument(project, now.document, now.chunks);
    return now.document;
  }
}

function refuseKey(key: string, works: Awaited<ReturnType<typeof worksIn>>, own: readonly string[]): void {
  const taken = works.find((work) => work.key === key && !work.doc_ids.some((docId) => own.includes(docId)));
  if (!taken && isCitekey(key)) return;
  const problem = taken
    ? `is the key of '${taken.item.title}' already`
    : "must be a citekey: no spaces, commas or braces";
  throw badParameter("INVALID_INPUT", "key", problem, `key '${key}' ${problem}.`);
}

function cslOf({ title, author, translator, year, publisher }: RecordChange): Record<string, unknown> {
  const names = (written: string | undefined) =>
    written === undefined ? undefined : partsOf(written, ";").flatMap(splitAuthors).map(parseName);
  return withoutNulls({
    title,
    author: names(author),
    translator: names(translator),
    issued: year === undefined ? undefined : { "date-parts": [[year]] },
    publisher,
  });
}

const openingOf = ({ text }: DocumentRecord) => text.slice(0, OPENING_CHARS);

/** A document's record, the origin of each field, and suspicious values. */
export function shownRecord(document: DocumentSummary, opening = "") {
  const item = itemOf(document.citekey ?? document.id, document);
  const { origin } = document;
  return {
    id: document.id,
    title: item.title ?? document.title,
    citekey: document.citekey,
    kind: document.kind,
    chunk_count: document.chunk_count,
    ...withoutNulls({
      author: authorsOf(item),
      translator: Array.isArray(item.translator) ? authorsOf({ ...item, author: item.translator as CslName[] }) : null,
      year: yearIn(document.csl),
      publisher: typeof item.publisher === "string" ? item.publisher : null,
      path: origin !== null && isAbsolute(origin) ? origin : null,
      url: origin !== null && /^https?:/.test(origin) ? origin : null,
      language: document.language,
    }),
    added_at: document.added_at,
    fields_from: fieldsFrom(document, item),
    ...suspicious(item, document, opening),
  };
}

function suspicious(item: CslItem, document: DocumentSummary, opening: string) {
  const found = suspicionsOf(item, document, opening).map(({ field, value, why }) => ({ field, value, why }));
  return found.length > 0 ? { suspicious: found } : {};
}

const FIELDS = { title: "title", author: "author", translator: "translator", year: "issued", publisher: "publisher" };

/** The origin of each field of a record. */
function fieldsFrom(document: DocumentSummary, item: CslItem): Record<string, string> {
  const corrections = correctionsIn(document);
  const usual = recordFrom(document);
  const fields = Object.entries(FIELDS).flatMap(([name, csl]) =>
    item[csl] === undefined ? [] : [[name, corrections && csl in corrections.csl ? "corrected" : usual] as const],
  );
  const key = corrections?.citekey ? "corrected" : usual === "file" || usual === "Readwise" ? "made up" : usual;
  return Object.fromEntries([...fields, ...(document.citekey === null ? [] : [["key", key] as const])]);
}

/** The origin of the record as a whole. */
function recordFrom({ kind, extra }: Pick<DocumentSummary, "kind" | "extra">): string {
  const { matched, bibliography } = extra as { matched?: string | null; bibliography?: string };
  if (matched === "override") return "bookwheel.json";
  if (matched === "given") return "given";
  if (matched) return bibliography ? `bibliography ${bibliography.split(/[\\/]/).at(-1)}` : "bibliography";
  return kind === "highlights" || kind === "reader" ? "Readwise" : "file";
}
