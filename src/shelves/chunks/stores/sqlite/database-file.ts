import { chmodSync, closeSync, existsSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import type { ShelfError } from "../../../../kernel/errors.js";
import { jsonOrUndefined } from "../../../../kernel/json.js";
import { isBusy, unavailable } from "./database-errors.js";
import { MIGRATIONS } from "./schema.js";

export type Connection = InstanceType<typeof DatabaseSync>;

const APPLICATION_ID = 0x626f6f6b;
const QUICK_CHECK_BYTES = 24 * 1024 * 1024;

/** Only the owner may read the store, independent of umask. SQLite gives its side files the same mode. */
export function ownerOnly(file: string): void {
  closeSync(openSync(file, "a", 0o600));
  for (const each of [file, `${file}-wal`, `${file}-shm`])
    try {
      chmodSync(each, 0o600);
    } catch {
      // missing, or owned by another user: doctor reports who can read it
    }
}

export function holdsProjects(connection: Connection): boolean {
  return connection.prepare("select 1 from projects limit 1").get() !== undefined;
}

export function emptied(file: string, what: string): ShelfError {
  return unavailable(
    file,
    `${what}, and it held projects before`,
    `Put it back together with its -wal file, or restore a backup. To start with an empty store, delete ${markerFile(file)}.`,
  );
}

export function connect(file: string, cacheKib: number): Connection {
  const connection = new DatabaseSync(file, { timeout: 250 });
  // FULL: a commit is on the disk before it is acknowledged.
  connection.exec(
    "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = off; pragma temp_store = memory",
  );
  connection.exec(
    `pragma cache_size = -${cacheKib}; pragma journal_size_limit = 67108864; pragma wal_autocheckpoint = 4000`,
  );
  return connection;
}

const numberOf = (connection: Connection, sql: string) => Number(Object.values(connection.prepare(sql).get() ?? {})[0]);

/** Whether a file has tables, and whose they are: the program's number, and the version of their format. */
export function formatOf(connection: Connection): { tables: number; application: number; version: number } {
  return {
    tables: numberOf(connection, "select count(*) from sqlite_schema"),
    application: numberOf(connection, "pragma application_id"),
    version: numberOf(connection, "pragma user_version"),
  };
}

export function migrate(connection: Connection, file: string): void {
  const before = formatOf(connection);
  if (before.version === MIGRATIONS.length && before.application === APPLICATION_ID) return;
  retryBusy(() => connection.exec("begin immediate"));
  try {
    const { tables, application, version } = formatOf(connection);
    if (tables > 0 && application !== APPLICATION_ID)
      throw unavailable(
        file,
        "is another program's database",
        "Move it away, or set BOOKWHEEL_HOME to another folder.",
      );
    if (version > MIGRATIONS.length)
      throw unavailable(
        file,
        `was written by a newer Bookwheel (format ${version}; this one reads up to ${MIGRATIONS.length})`,
        "Update Bookwheel, or set BOOKWHEEL_HOME to another folder.",
      );
    for (const step of MIGRATIONS.slice(version)) connection.exec(step);
    connection.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${MIGRATIONS.length}`);
    connection.exec("commit");
  } catch (error) {
    if (connection.isTransaction) connection.exec("rollback");
    throw error;
  }
}

/** Checks a small file completely, of a large one only the tables that all others depend on. */
export function checkAtOpen(connection: Connection, file: string, size: number): void {
  if (columnsOf(connection) !== expectedColumns())
    throw unavailable(
      file,
      "has other tables than this Bookwheel makes",
      "It was made before the first release or changed by another program: move it away and store the documents again.",
    );
  const tables = size <= QUICK_CHECK_BYTES ? [""] : ["(projects)", "(spaces)", "(word_segments)", "(chunk_lengths)"];
  for (const table of tables) {
    const problems = checkRows(connection, table);
    if (problems.length > 0)
      throw unavailable(
        file,
        `is damaged (${problems[0]})`,
        "Restore a backup of it, or move it away and store the documents again.",
      );
  }
}

function columnsOf(connection: Connection): string {
  const rows = connection
    .prepare(
      `select t.name as name, c.name as field from sqlite_schema t join pragma_table_info(t.name) c
       where t.name not like 'sqlite_%' order by 1, 2`,
    )
    .all();
  return JSON.stringify(rows);
}

let expected: string | undefined;
function expectedColumns(): string {
  if (expected === undefined) {
    const empty = new DatabaseSync(":memory:");
    for (const step of MIGRATIONS) empty.exec(step);
    expected = columnsOf(empty);
    empty.close();
  }
  return expected;
}

export function checkRows(connection: Connection, table = ""): string[] {
  const rows = connection.prepare(`pragma quick_check${table}`).all();
  return rows.map((row) => String(Object.values(row as object)[0])).filter((message) => message !== "ok");
}

function retryBusy(work: () => void): void {
  for (let tries = 0; ; tries++) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || tries >= 40) throw error;
    }
  }
}

/**
 * A small file beside the store that remembers what the store itself cannot say once it is gone: that it held projects,
 * and that it was in use when the program last ended. It distinguishes an emptied or replaced store from a new one.
 */
export interface StoreMarker {
  /** The store has held at least one project and was not emptied by a call since. */
  held: boolean;
  /** A process had the store open and has not closed it. */
  open: boolean;
}

const markerFile = (file: string) => `${file}.marker`;

export function readMarker(file: string): StoreMarker {
  const path = markerFile(file);
  const read = existsSync(path) ? jsonOrUndefined(readFileSync(path, "utf8")) : undefined;
  const { held = false, open = false } =
    typeof read === "object" && read !== null ? (read as Partial<StoreMarker>) : {};
  return { held: held === true, open: open === true };
}

/** Ignores errors: a full disk must not turn a successful commit into a failure. */
export function writeMarker(file: string, marker: StoreMarker): void {
  const path = markerFile(file);
  try {
    writeFileSync(`${path}.new`, `${JSON.stringify(marker)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // the next change of the marker tries again
  }
}

/** Identity of the file with this name; undefined if there is none. */
export function identityOf(file: string): string | undefined {
  const info = statSync(file, { throwIfNoEntry: false });
  return info && `${info.dev}:${info.ino}`;
}
