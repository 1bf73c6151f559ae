// The stores that are measured side by side, each behind the same four questions. Peers live in bench/peers, apart from
// what users install. Each is used as its documentation begins, exact where it can be, and filtered by project.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bareChunk } from "../tests/support/bare-chunk.mjs";
import { newProject } from "./made-up.mjs";

const fromPeers = createRequire(new URL("./peers/package.json", import.meta.url));
const peer = (name) => import(pathToFileURL(fromPeers.resolve(name)).href);
const peerVersion = (name) => {
  const file = new URL(`./peers/node_modules/${name}/package.json`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
};
/** Words a person would type; operators are not theirs. */
const anyOf = (question, or = " OR ") =>
  question
    .split(" ")
    .map((word) => `"${word}"`)
    .join(or);

/**
 * By name: `open(folder, dimension)` gives
 * `add(project, [{ id, text, vector }])`, durable when it resolves; `seal()`, what it needs before it is searched well;
 * `byMeaning(project, vector, limit)` and `byWords(project, question, limit)`, ids best first; `close()`.
 */
export const ENGINES = {
  Bookwheel: {
    version: () => "",
    async open(folder, dimension) {
      const { sqliteChunkStore } = await import("../dist/shelves/chunks/stores/sqlite.js");
      const store = sqliteChunkStore({ file: join(folder, "shelf.db") });
      const known = new Set((await store.projects()).map(({ id }) => id));
      let position = 0;
      return {
        async add(project, rows) {
          if (!known.has(project)) await store.createProject(newProject(project, dimension));
          known.add(project);
          await store.upsert(
            project,
            rows.map(({ id, text, vector }) => bareChunk({ id, text, position: position++, vectors: [vector] })),
          );
        },
        byMeaning: async (project, vector, limit) =>
          (await store.byMeaning(project, vector, { limit })).map(({ id }) => id),
        byWords: async (project, question, limit) =>
          (await store.byWords(project, question, { limit })).map(({ id }) => id),
        close: () => store.close(),
      };
    },
  },

  "sqlite-vec": {
    version: () => peerVersion("sqlite-vec"),
    about: "vec0 partitioned by project, FTS5 with the project as a word",
    async open(folder, dimension) {
      const [{ DatabaseSync }, { getLoadablePath }] = await Promise.all([
        import("@photostructure/sqlite"),
        peer("sqlite-vec"),
      ]);
      const db = new DatabaseSync(join(folder, "vec.db"), { allowExtension: true });
      db.enableLoadExtension(true);
      db.loadExtension(getLoadablePath());
      db.exec(`pragma journal_mode = wal; pragma synchronous = full;
        create table if not exists chunks (n integer primary key, id text, project text, text text);
        create virtual table if not exists near using vec0(
          project text partition key, n integer primary key, vector float[${dimension}] distance_metric=cosine);
        create virtual table if not exists words using fts5(
          project, text, content='', contentless_delete=1, tokenize='porter unicode61')`);
      const [chunk, near, words] = [
        "insert into chunks values (?, ?, ?, ?)",
        "insert into near(project, n, vector) values (?, ?, ?)",
        "insert into words(rowid, project, text) values (?, ?, ?)",
      ].map((sql) => db.prepare(sql));
      const nearest = db.prepare(`select c.id from (select n, distance from near
        where vector match ? and project = ? and k = ?) join chunks c using (n) order by distance`);
      const found = db.prepare(`select c.id from (select rowid as n, rank from words
        where words match ? order by rank limit ?) join chunks c using (n) order by rank`);
      let n = db.prepare("select count(*) as n from chunks").get().n;
      return {
        async add(project, rows) {
          db.exec("begin immediate");
          for (const { id, text, vector } of rows) {
            n++;
            chunk.run(n, id, project, text);
            near.run(project, BigInt(n), new Uint8Array(vector.buffer));
            words.run(n, project, text);
          }
          db.exec("commit");
        },
        byMeaning: async (project, vector, limit) =>
          nearest.all(new Uint8Array(vector.buffer), project, limit).map(({ id }) => id),
        byWords: async (project, question, limit) =>
          found.all(`project:"${project}" AND text:(${anyOf(question)})`, limit).map(({ id }) => id),
        close: async () => db.close(),
      };
    },
  },
};
