import { randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { makeFolder } from "../../../kernel/make-folder.js";
import type { MeaningStore, Space } from "../../readwise/meaning/meaning-store.js";
import { codeOf, SQLITE } from "./sqlite/database-errors.js";
import { type Connection, formatOf } from "./sqlite/database-file.js";

interface SqliteMeaningOptions {
  file: string;
  maxBytes: number;
  clock?: () => number;
}

const FORMAT = 1;
const APPLICATION_ID = 0x626f6d65;
const SCHEMA = `
  create table if not exists spaces (
    id integer primary key autoincrement,
    key_hash text not null,
    kind text not null,
    model text not null,
    used_at integer not null,
    unique (key_hash, kind, model)
  );
  create table if not exists vectors (space integer not null, hash blob not null, data blob not null, primary key (space, hash)) without rowid;
  pragma application_id = ${APPLICATION_ID};
  pragma user_version = ${FORMAT};
`;
/** Not part of the format: without it processes only work twice. */
const CLAIMS =
  "create table if not exists claims (space integer primary key, owner text not null, until integer not null) without rowid";
/** Longer than a process needs for a few texts, short enough to go on soon after one was killed. */
const CLAIM_MS = 30_000;
const RENEW_MS = 5_000;
const DAY_MS = 24 * 3600_000;
/** Vectors unused for this long are deleted. */
const UNUSED_DAYS = 30;

/** Vectors of highlights and documents in a file of their own: a cache that may be deleted at any time. */
export function sqliteMeaningStore({ file, maxBytes, clock = Date.now }: SqliteMeaningOptions): MeaningStore {
  const db = open(file);
  const prepare = (sql: string) => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const find = prepare("select id, used_at from spaces where key_hash = ? and kind = ? and model = ?");
  const make = prepare("insert or ignore into spaces (key_hash, kind, model, used_at) values (?, ?, ?, ?)");
  const exists = prepare("select 1 from spaces where id = ?");
  const touch = prepare("update spaces set used_at = ? where id = ?");
  const get = prepare("select data from vectors where space = ? and hash = ?");
  const put = prepare("insert or replace into vectors (space, hash, data) values (?, ?, ?)");
  const owner = randomUUID();
  const take = prepare(
    `insert into claims (space, owner, until) values (?, ?, ?)
     on conflict (space) do update set owner = excluded.owner, until = excluded.until
     where claims.owner = excluded.owner or claims.until < ? or claims.until > ?`,
  );
  const giveBack = prepare("delete from claims where owner = ? and space = ?");
  const usedPages = prepare(
    "select (select page_count from pragma_page_count) - (select freelist_count from pragma_freelist_count)",
  );
  const pageSize = Number(rowOf(prepare("pragma page_size").get())?.[0] ?? 4096);
  const known = new Map<string, { id: number; touched: number }>();
  /** When this process last wrote its claim. */
  const claimed = new Map<string, number>();

  const transaction = <T>(work: () => T): T => {
    db.exec("begin immediate");
    try {
      const result = work();
      db.exec("commit");
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec("rollback");
      throw error;
    }
  };
  const idOf = (wanted: Space, create: boolean): number | undefined => {
    const { keyHash, kind, model } = wanted;
    const name = nameOf(wanted);
    let space = known.get(name);
    // Another process may have deleted it.
    if (!space || !exists.get(space.id)) {
      let row = rowOf(find.get(keyHash, kind, model));
      if (!row && create) {
        make.run(keyHash, kind, model, clock());
        row = rowOf(find.get(keyHash, kind, model));
      }
      if (!row) return undefined;
      space = { id: Number(row[0]), touched: Number(row[1]) };
      known.set(name, space);
    }
    if (clock() - space.touched > DAY_MS) {
      space.touched = clock();
      touch.run(clock(), space.id);
    }
    return space.id;
  };
  const dropSpaces = (ids: readonly number[]): number => {
    let dropped = 0;
    for (const id of ids) {
      dropped += Number(prepare("delete from vectors where space = ?").run(id).changes);
      prepare("delete from spaces where id = ?").run(id);
      prepare("delete from claims where space = ?").run(id);
    }
    known.clear();
    claimed.clear();
    return dropped;
  };
  const bytesUsed = () => Number(rowOf(usedPages.get())?.[0] ?? 0) * pageSize;
  const idsWhere = (condition: string, ...values: (string | number)[]) =>
    prepare(`select id from spaces where ${condition}`)
      .all(...values)
      .map((row) => Number(rowOf(row)?.[0]));

  transaction(() => {
    dropSpaces(idsWhere("used_at < ?", clock() - UNUSED_DAYS * DAY_MS));
    db.exec("delete from vectors where space not in (select id from spaces)");
  });

  return {
    async read(space, hashes) {
      const rows = new Map<string, Uint8Array>();
      const id = idOf(space, false);
      if (id === undefined) return rows;
      for (const hash of hashes) {
        const row = rowOf(get.get(id, Buffer.from(hash, "hex")));
        if (row) rows.set(hash, row[0] as Uint8Array);
      }
      return rows;
    },
    async write(space, rows) {
      return transaction(() => {
        let id = idOf(space, true)!;
        // The least recently used are deleted, never the one being written.
        while (bytesUsed() > maxBytes) {
          const [oldest] = idsWhere("id <> ? order by used_at limit 1", id);
          if (oldest === undefined) return false;
          dropSpaces([oldest]);
          id = idOf(space, true)!;
        }
        for (const [hash, data] of rows) put.run(id, Buffer.from(hash, "hex"), data);
        return true;
      });
    },
    async claim(space) {
      const now = clock();
      const held = claimed.get(nameOf(space));
      if (held !== undefined && now >= held && now < held + RENEW_MS) return true;
      // A claim too far in the future was made before the clock was set back.
      const isMine = transaction(
        () => take.run(idOf(space, true)!, owner, now + CLAIM_MS, now, now + CLAIM_MS).changes > 0,
      );
      if (isMine) claimed.set(nameOf(space), now);
      return isMine;
    },
    async release(space) {
      claimed.delete(nameOf(space));
      const id = idOf(space, false);
      if (id !== undefined) giveBack.run(owner, id);
    },
    async keepOnly(space, hashes) {
      const id = idOf(space, false);
      if (id === undefined) return;
      transaction(() => {
        const all = prepare("select hash from vectors where space = ?").all(id);
        const drop = prepare("delete from vectors where space = ? and hash = ?");
        for (const row of all) {
          const hash = rowOf(row)?.[0] as Uint8Array;
          if (!hashes.has(Buffer.from(hash).toString("hex"))) drop.run(id, hash);
        }
      });
    },
    async forget(keyHash) {
      const dropped = transaction(() =>
        dropSpaces(keyHash === undefined ? idsWhere("1") : idsWhere("key_hash = ?", keyHash)),
      );
      // Deleted data must not stay readable in the file.
      db.exec("vacuum; pragma wal_checkpoint(truncate)");
      return dropped;
    },
    async close() {
      try {
        if (claimed.size > 0) prepare("delete from claims where owner = ?").run(owner);
      } catch {
        // the file may be gone or locked: claims end by themselves
      }
      db.close();
    },
  };
}

const nameOf = ({ keyHash, kind, model }: Space) => `${keyHash} ${kind} ${model}`;

/** Statements return arrays here, which the driver's types do not say. */
const rowOf = (row: unknown) => row as unknown[] | undefined;

/** An unreadable file, or one of another format, is replaced: everything in it can be computed again. */
function open(file: string): Connection {
  makeFolder(dirname(file));
  try {
    return connect(file);
  } catch (error) {
    if (!existsSync(file) || !isUnreadable(error)) throw error;
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
    return connect(file);
  }
}

const OTHER_FORMAT = "another format";

function isUnreadable(error: unknown): boolean {
  const code = codeOf(error);
  return code === SQLITE.corrupt || code === SQLITE.notadb || (error as Error).message === OTHER_FORMAT;
}

function connect(file: string): Connection {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  try {
    // NORMAL: a power cut may lose the last vectors, which are then computed again.
    db.exec(
      "pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = on; pragma cache_size = -4000",
    );
    const { tables, application, version } = formatOf(db);
    if (tables === 0) db.exec(`begin immediate; ${SCHEMA} commit;`);
    else if (application !== APPLICATION_ID || version !== FORMAT) throw new Error(OTHER_FORMAT);
    db.exec(CLAIMS);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
