import { ShelfError } from "../../../../kernel/errors.js";
import type { Chunk, VectorSpace } from "../../chunk-store.js";
import type { Database, Steps } from "./database.js";
import { LengthWriter, lengthMark } from "./lengths.js";
import { headingsKey, type ProjectRow, requireProject, restOf } from "./rows.js";
import { keyOf, ordinalOf } from "./schema.js";
import { compactVectors, dropVectors, writeVectors } from "./vectors.js";
import { writeWords } from "./words.js";

export interface AnalysedChunk {
  chunk: Chunk;
  terms: readonly string[];
}

type Removable = [
  key: number,
  vector: number | null,
  vectors: number,
  nextVector: number | null,
  nextVectors: number,
  language: string | null,
];
const REMOVABLE = "key, vector, vectors, next_vector, next_vectors, language";

/** Changes to one project inside a transaction. `finish` writes the collected changes. */
export class ProjectWriter {
  readonly row: ProjectRow;
  private readonly revision: number;
  private readonly lengths: LengthWriter;
  private ordinals: number;
  private chunks: number;
  private terms: number;
  private readonly languages: Map<string, number>;

  constructor(
    private readonly db: Database,
    id: string,
  ) {
    this.row = requireProject(db.write, id);
    this.revision = this.row.revision + 1;
    this.lengths = new LengthWriter(db, this.row.key);
    this.ordinals = this.row.ordinals;
    this.chunks = this.row.chunks;
    this.terms = this.row.terms;
    this.languages = new Map(Object.entries(this.row.languages));
  }

  /** Writes chunks under new ordinals and replaces chunks with the same ids. */
  *put(batch: readonly AnalysedChunk[], space: VectorSpace): Steps<{ added: number; updated: number }> {
    if (batch.length === 0) return { added: 0, updated: 0 };
    const { db, row } = this;
    const into =
      space === "next" && row.nextSpace !== null ? { space: row.nextSpace, dimension: row.nextDimension } : row;
    checkDimensions(batch, into.dimension, row.project.id);
    let updated = 0;
    for (const { chunk } of batch) {
      const before = db.write(`select ${REMOVABLE} from chunks where project = ? and id = ?`).get(row.key, chunk.id);
      if (!before) continue;
      this.drop(before as Removable);
      updated++;
      yield;
    }
    const first = this.ordinals;
    this.ordinals += batch.length;
    const numbers = yield* writeVectors(
      db,
      into.space,
      into.dimension,
      this.revision,
      batch.map(({ chunk }, index) => ({ ordinal: first + index, vectors: chunk.vectors })),
    );
    for (const [index, { chunk, terms }] of batch.entries()) {
      this.insert(chunk, terms.length, first + index, numbers[index] ?? 0, into.space === row.space);
      yield;
    }
    const entries = batch.map(({ terms }, index) => ({ ordinal: first + index, terms }));
    yield* writeWords(db, row.key, entries, this.ordinals > 2 * (this.chunks + 1000) ? this.alive : undefined);
    return { added: batch.length - updated, updated };
  }

  *removeIds(ids: readonly string[]): Steps<number> {
    let removed = 0;
    for (const id of new Set(ids)) {
      const before = this.db
        .write(`select ${REMOVABLE} from chunks where project = ? and id = ?`)
        .get(this.row.key, id);
      if (!before) continue;
      this.drop(before as Removable);
      removed++;
      yield;
    }
    return removed;
  }

  *removeOfDocument(docId: string, except: ReadonlySet<string>): Steps<number> {
    const rows = this.db
      .write(`select id, ${REMOVABLE} from chunks where project = ? and doc_id = ?`)
      .all(this.row.key, docId);
    const gone = rows.filter(([id]) => !except.has(String(id)));
    for (const [, ...before] of gone) {
      this.drop(before as Removable);
      yield;
    }
    return gone.length;
  }

  *finish(): Steps<void> {
    const { db, row } = this;
    this.lengths.save(this.revision);
    for (const space of [row.space, row.nextSpace])
      if (space !== null) yield* compactVectors(db, space, this.revision, this.alive);
    const languages = Object.fromEntries([...this.languages].filter(([, count]) => count > 0));
    db.write(
      "update projects set ordinals = ?, chunks = ?, terms = ?, languages = ?, revision = ?, updated_at = ? where key = ?",
    ).run(
      this.ordinals,
      this.chunks,
      this.terms,
      JSON.stringify(languages),
      this.revision,
      new Date().toISOString(),
      row.key,
    );
  }

  private readonly alive = (ordinal: number): boolean => this.lengths.get(ordinal) > 0;

  private insert(chunk: Chunk, length: number, ordinal: number, vector: number, bound: boolean): void {
    const { db, row } = this;
    const count = chunk.vectors.length;
    const key = keyOf(row.key, ordinal);
    db.write(
      `insert into chunks (key, project, id, doc_id, position, citekey, year, language, headings, text, rest, vector, vectors, next_vector, next_vectors)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      key,
      row.key,
      chunk.id,
      chunk.doc_id,
      chunk.position,
      chunk.citekey,
      chunk.year,
      chunk.language,
      headingsKey(chunk.section_path),
      chunk.text,
      restOf(chunk),
      bound ? vector : null,
      bound ? count : 0,
      bound ? null : vector,
      bound ? 0 : count,
    );
    for (const tag of new Set(chunk.tags))
      db.write("insert into chunk_tags (project, tag, ordinal) values (?, ?, ?)").run(row.key, tag, ordinal);
    if (row.nextSpace !== null && (bound || count === 0))
      db.write("insert into pending_vectors (key) values (?)").run(key);
    const mark = lengthMark(length);
    this.lengths.set(ordinal, mark);
    this.chunks++;
    this.terms += mark - 1;
    this.count(chunk.language, 1);
  }

  private drop([key, vector, vectors, nextVector, nextVectors, language]: Removable): void {
    const { db, row } = this;
    const ordinal = ordinalOf(key);
    db.write("delete from chunks where key = ?").run(key);
    db.write("delete from chunk_tags where project = ? and ordinal = ?").run(row.key, ordinal);
    dropVectors(db, row.space, vector, vectors);
    if (row.nextSpace !== null) {
      dropVectors(db, row.nextSpace, nextVector, nextVectors);
      db.write("delete from pending_vectors where key = ?").run(key);
    }
    this.chunks--;
    this.terms -= this.lengths.get(ordinal) - 1;
    this.lengths.set(ordinal, 0);
    this.count(language, -1);
  }

  private count(language: string | null, by: number): void {
    this.languages.set(language ?? "", (this.languages.get(language ?? "") ?? 0) + by);
  }
}

function checkDimensions(batch: readonly AnalysedChunk[], dimension: number, project: string): void {
  for (const { chunk } of batch)
    for (const vector of chunk.vectors)
      if (vector.length !== dimension)
        throw new ShelfError(
          "EMBEDDING_MISMATCH",
          `Chunk '${chunk.id}' has a vector of ${vector.length} numbers; '${project}' holds vectors of ${dimension}.`,
          {
            details: { project, expected_dimension: dimension, provided_dimension: vector.length },
          },
        );
}
