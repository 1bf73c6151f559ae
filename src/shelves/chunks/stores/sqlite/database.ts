import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { backup } from "@photostructure/sqlite";
import { makeFolder } from "../../../../kernel/make-folder.js";
import { createSerialQueue } from "../../../../kernel/serial-queue.js";
import { createTurns, steadyNow } from "../../../../kernel/time.js";
import { asShelfError, codeOf, isBusy, unavailable } from "./database-errors.js";
import {
  type Connection,
  checkAtOpen,
  checkRows,
  connect,
  emptied,
  holdsProjects,
  identityOf,
  migrate,
  ownerOnly,
  readMarker,
  type StoreMarker,
  writeMarker,
} from "./database-file.js";
import { MIGRATIONS } from "./schema.js";

/** Long work that other calls may interrupt wherever it yields. */
export type Steps<T> = Generator<undefined, T, undefined>;

/**
 * One file, two connections: a reader that never waits for the writer, and a writer. Other processes
 * may open the same file in the same way.
 */
export interface Database {
  /** A prepared statement of the reading connection, rows as arrays. */
  read<Row extends unknown[]>(
    sql: string,
  ): { all(...values: Value[]): Row[]; get(...values: Value[]): Row | undefined };
  write(sql: string): {
    run(...values: Value[]): number;
    all(...values: Value[]): unknown[][];
    get(...values: Value[]): unknown[] | undefined;
  };
  /** Runs `work` on one snapshot of the file. `work` must be synchronous. */
  snapshot<T>(work: () => T): T;
  /** Runs `work` in one durable transaction, after earlier writers. */
  transaction<T>(work: () => T, signal?: AbortSignal): Promise<T>;
  /** The same for long work: other calls are answered between its steps, and see nothing of it before its end. */
  transactionInSteps<T>(work: () => Steps<T>, signal?: AbortSignal): Promise<T>;
  /** A number that changes with every commit of any process. */
  changes(): number;
  /** Throws if the file was removed or replaced since it was opened; may return a warning. */
  health(): string | undefined;
  /** Checks the whole file and returns its problems; empty if there are none. */
  integrity(): string[];
  backup(file: string): Promise<void>;
  /** After the transactions that have begun. */
  close(): Promise<void>;
}
export type Value = null | number | string | Uint8Array;

const LOCK_WAIT_MS = 10_000;
/** After this pause without writes the WAL is checkpointed. */
const QUIET_MS = 1_000;
const WRITER_CACHE_KIB = 8000;
/** SQLite's page cache holds only the upper B-tree pages: searches have caches of their own. */
const READER_CACHE_KIB = 4000;

export function openDatabase(file: string): Database {
  const translate = (error: unknown) => asShelfError(error, file);
  let writer: Connection | undefined;
  let reader: Connection | undefined;
  let lostLog = false;
  try {
    makeFolder(dirname(file));
    const size = existsSync(file) ? statSync(file).size : 0;
    const before = readMarker(file);
    lostLog = size > 0 && before.open && !existsSync(`${file}-wal`);
    if (size === 0 && before.held) throw emptied(file, existsSync(file) ? "has 0 bytes" : "is gone");
    ownerOnly(file);
    writer = connect(file, WRITER_CACHE_KIB);
    migrate(writer, file);
    if (size > 0) checkAtOpen(writer, file, size);
    if (before.held && !holdsProjects(writer)) throw emptied(file, "holds no project");
    reader = connect(file, READER_CACHE_KIB);
    // Checkpoint at once, so that the file alone is already a valid, empty store.
    if (size === 0) writer.exec("pragma wal_checkpoint(truncate)");
    // From now on we wait for other writers between attempts, so that other calls are answered meanwhile.
    writer.exec("pragma busy_timeout = 20");
  } catch (error) {
    reader?.close();
    writer?.close();
    throw translate(error);
  }
  return database(file, writer, reader, translate, lostLog);
}

function database(
  file: string,
  writer: Connection,
  reader: Connection,
  translate: (error: unknown) => unknown,
  lostLog: boolean,
): Database {
  const identity = identityOf(file);
  const marker: StoreMarker = { held: holdsProjects(writer), open: true };
  writeMarker(file, marker);
  let settling: NodeJS.Timeout | undefined;

  function requireSameFile(): void {
    if (identityOf(file) !== identity)
      throw unavailable(
        file,
        "was removed or replaced while Bookwheel runs",
        "Nothing more is written. Put it back or restore a backup, then start Bookwheel again.",
      );
  }

  /** A newer version may have opened the file since, and moved it on to its own format. */
  function requireSameFormat(statement: ReturnType<typeof prepared>): void {
    const [format] = statement("pragma user_version").get() as unknown as [number];
    if (format !== MIGRATIONS.length)
      throw unavailable(
        file,
        `was moved to format ${format} by a newer Bookwheel while this one runs (it knows ${MIGRATIONS.length})`,
        "Nothing was written. Stop this process and start the newer version in its place.",
      );
  }

  /**
   * Before a commit that leaves no project: a process killed right after it must not leave a marker by which the store seems
   * to have lost its projects. What the file says counts, since another process may have written it.
   */
  function noteEmptied(): void {
    if (!holdsProjects(writer) && readMarker(file).held) writeMarker(file, Object.assign(marker, { held: false }));
  }

  /** After a commit: updates the marker, and checkpoints the WAL when no write follows. */
  function settle(): void {
    const held = holdsProjects(writer);
    if (held !== marker.held) writeMarker(file, Object.assign(marker, { held }));
    clearTimeout(settling);
    settling = setTimeout(() => {
      if (writer.isOpen && !writer.isTransaction) unlessHindered(() => writer.exec("pragma wal_checkpoint(passive)"));
    }, QUIET_MS).unref();
  }

  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw translate(error);
    }
  };
  const prepared = (connection: Connection) => {
    const statements = new Map<string, ReturnType<Connection["prepare"]>>();
    return (sql: string) => {
      let statement = statements.get(sql);
      if (!statement) {
        statement = connection.prepare(sql);
        statement.setReturnArrays(true);
        statements.set(sql, statement);
      }
      return statement;
    };
  };
  const reading = prepared(reader);
  const writing = prepared(writer);
  const writes = createSerialQueue();
  const inTurn = <T>(work: () => Steps<T>, signal?: AbortSignal): Promise<T> =>
    writes("file", () => patiently(work, signal), signal);

  async function patiently<T>(work: () => Steps<T>, signal: AbortSignal | undefined): Promise<T> {
    const deadline = steadyNow() + LOCK_WAIT_MS;
    for (;;) {
      signal?.throwIfAborted();
      requireSameFile();
      const checked = function* () {
        requireSameFormat(writing);
        const result = yield* work();
        noteEmptied();
        return result;
      };
      const result = await attempt(writer, checked, signal).catch((error: unknown) => {
        throw translate(error);
      });
      if (result !== BUSY) {
        settle();
        return result.value;
      }
      if (steadyNow() > deadline)
        throw unavailable(
          file,
          "is being written by another process",
          "Call again; if it stays so, close other Bookwheel processes.",
        );
      await delay(5 + Math.random() * 30, undefined, { signal });
    }
  }

  return {
    read<Row extends unknown[]>(sql: string) {
      // setReturnArrays makes every row an array; the caller's SQL decides its columns.
      return {
        all: (...values: Value[]) => guarded(() => reading(sql).all(...values) as unknown as Row[]),
        get: (...values: Value[]) => guarded(() => reading(sql).get(...values) as unknown as Row | undefined),
      };
    },
    write: (sql) => ({
      run: (...values) => Number(writing(sql).run(...values).changes),
      all: (...values) => writing(sql).all(...values) as unknown as unknown[][],
      get: (...values) => writing(sql).get(...values) as unknown as unknown[] | undefined,
    }),
    snapshot(work) {
      if (reader.isTransaction) return work();
      return guarded(() => {
        reader.exec("begin");
        try {
          return work();
        } finally {
          reader.exec("commit");
        }
      });
    },
    transaction: (work, signal) =>
      // biome-ignore lint/correctness/useYield: one step
      inTurn(function* () {
        return work();
      }, signal),
    transactionInSteps: inTurn,
    changes: () => guarded(() => Number((reading("pragma data_version").get() as unknown as [number])[0])),
    health() {
      requireSameFile();
      requireSameFormat(reading);
      return lostLog
        ? `degraded: the write-ahead log ${file}-wal of the last run was missing at the start; the last writes before it may be lost. Never copy the .db file alone: use 'bookwheel backup'.`
        : undefined;
    },
    integrity: () => guarded(() => checkRows(reader)),
    async backup(target) {
      closeSync(openSync(target, "a", 0o600));
      await backup(reader, target).catch((error: unknown) => {
        throw translate(error);
      });
    },
    close: () =>
      writes("file", async () => {
        clearTimeout(settling);
        if (identityOf(file) === identity) writeMarker(file, { ...marker, open: false });
        reader.close();
        // The driver closes a connection only after its statements are garbage-collected, so closing does not checkpoint the WAL.
        for (const pragma of ["optimize", "wal_checkpoint(truncate)"])
          if (writer.isOpen) unlessHindered(() => writer.exec(`pragma ${pragma}`));
        writer.close();
      }),
  };
}

/** Maintenance that may fail because of another process or a full disk; the next write reports the problem. */
function unlessHindered(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

const BUSY = Symbol("busy");

async function attempt<T>(
  writer: Connection,
  work: () => Steps<T>,
  signal: AbortSignal | undefined,
): Promise<{ value: T } | typeof BUSY> {
  try {
    writer.exec("begin immediate");
  } catch (error) {
    if (isBusy(error)) return BUSY;
    throw error;
  }
  try {
    const steps = work();
    const turn = createTurns();
    for (;;) {
      const step = steps.next();
      if (step.done) {
        writer.exec("commit");
        return { value: step.value };
      }
      await turn();
      signal?.throwIfAborted();
    }
  } catch (error) {
    if (writer.isTransaction) writer.exec("rollback");
    if (isBusy(error)) return BUSY;
    throw error;
  }
}
