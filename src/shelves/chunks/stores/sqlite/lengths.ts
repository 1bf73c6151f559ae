import { grown } from "../../../../kernel/collections.js";
import type { Database } from "./database.js";
import { keyOf } from "./schema.js";

/** Lengths of chunks in terms plus one, by ordinal; 0 if the chunk is gone. Stored in rows of this many. */
const ROW = 4096;
const LONGEST = 65_534;

export const lengthMark = (terms: number): number => Math.min(terms, LONGEST) + 1;

export function readLengths(
  db: Database,
  project: number,
  ordinals: number,
  known: { lengths: Uint16Array; revision: number } | undefined,
): Uint16Array {
  let lengths = known?.lengths ?? new Uint16Array(0);
  if (lengths.length < ordinals) lengths = grown(lengths, Math.ceil((ordinals * 1.25) / ROW) * ROW);
  for (const [key, data] of db
    .read<[number, Uint8Array]>("select key, data from chunk_lengths where project = ? and revision > ?")
    .all(project, known?.revision ?? 0)) {
    const start = (key - keyOf(project, 0)) * ROW;
    lengths.set(new Uint16Array(data.slice().buffer), start);
  }
  return lengths;
}

/** Lengths of one project during a write; `save` writes the changed rows. */
export class LengthWriter {
  private readonly rows = new Map<number, { data: Uint16Array; changed: boolean }>();

  constructor(
    private readonly db: Database,
    private readonly project: number,
  ) {}

  get(ordinal: number): number {
    return this.row(ordinal).data[ordinal % ROW] ?? 0;
  }

  set(ordinal: number, mark: number): void {
    const row = this.row(ordinal);
    row.data[ordinal % ROW] = mark;
    row.changed = true;
  }

  save(revision: number): void {
    for (const [index, { data, changed }] of this.rows)
      if (changed)
        this.db
          .write("insert or replace into chunk_lengths (key, project, revision, data) values (?, ?, ?, ?)")
          .run(keyOf(this.project, index), this.project, revision, new Uint8Array(data.buffer));
  }

  private row(ordinal: number) {
    const index = Math.floor(ordinal / ROW);
    let row = this.rows.get(index);
    if (!row) {
      const stored = this.db
        .write("select data from chunk_lengths where key = ?")
        .get(keyOf(this.project, index))?.[0] as Uint8Array | undefined;
      row = { data: stored ? new Uint16Array(stored.slice().buffer) : new Uint16Array(ROW), changed: false };
      this.rows.set(index, row);
    }
    return row;
  }
}
