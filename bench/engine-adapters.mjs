// The stores that are measured side by side, each behind the same four questions. Peers live in bench/peers, apart from
// what users install. Each is used as its documentation begins, exact where it can be, and filtered by project.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
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
 * `syncs: false` where not one sync was seen by strace while it was filled: what it acknowledged can be lost with the power.
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

  LanceDB: {
    version: () => peerVersion("@lancedb/lancedb"),
    about: "exact scan, bitmap index on the project, its own full-text index",
    syncs: false,
    async open(folder) {
      const { connect, Index } = await peer("@lancedb/lancedb");
      const db = await connect(join(folder, "lance"));
      let table = (await db.tableNames()).includes("chunks") ? await db.openTable("chunks") : undefined;
      const ids = (rows) => rows.map(({ id }) => id);
      return {
        async add(project, rows) {
          const records = rows.map(({ id, text, vector }) => ({ id, project, text, vector: Array.from(vector) }));
          if (table) await table.add(records);
          else table = await db.createTable("chunks", records);
        },
        async seal() {
          await table.optimize();
          await table.createIndex("project", { config: Index.bitmap() });
          await table.createIndex("text", { config: Index.fts() });
        },
        byMeaning: async (project, vector, limit) =>
          ids(
            await table
              .query()
              .nearestTo(vector)
              .distanceType("dot")
              .where(`project = '${project}'`)
              .select(["id", "_distance"])
              .limit(limit)
              .toArray(),
          ),
        byWords: async (project, question, limit) =>
          ids(
            await table
              .query()
              .fullTextSearch(question, { columns: "text" })
              .where(`project = '${project}'`)
              .select(["id", "_score"])
              .limit(limit)
              .toArray(),
          ),
        close: async () => db.close(),
      };
    },
  },

  zvec: {
    version: () => peerVersion("@zvec/zvec"),
    about: "flat index, inverted index on the project, its own full-text index",
    async open(folder, dimension) {
      const z = (await peer("@zvec/zvec")).default;
      const path = join(folder, "zvec");
      const { ZVecIndexType: index, ZVecDataType: type } = z;
      z.ZVecInitialize({ logLevel: z.ZVecLogLevel.ERROR });
      const field = (name, indexParams) => ({ name, dataType: type.STRING, indexParams });
      const collection = existsSync(path)
        ? z.ZVecOpen(path)
        : z.ZVecCreateAndOpen(
            path,
            new z.ZVecCollectionSchema({
              name: "chunks",
              fields: [
                field("project", { indexType: index.INVERT }),
                field("text", { indexType: index.FTS, filters: ["lowercase", "stemmer"] }),
              ],
              vectors: {
                name: "vector",
                dataType: type.VECTOR_FP32,
                dimension,
                indexParams: { indexType: index.FLAT, metricType: z.ZVecMetricType.IP },
              },
            }),
          );
      const ask = (project, topk, rest) =>
        collection.querySync({ ...rest, topk, filter: `project = '${project}'`, outputFields: [] }).map(({ id }) => id);
      return {
        async add(project, rows) {
          const told = collection.insertSync(
            rows.map(({ id, text, vector }) => ({ id, vectors: { vector }, fields: { project, text } })),
          );
          const refused = told.find(({ ok }) => !ok);
          if (refused) throw new Error(refused.message);
        },
        async seal() {
          await collection.optimize();
        },
        byMeaning: async (project, vector, limit) => ask(project, limit, { fieldName: "vector", vector }),
        byWords: async (project, question, limit) =>
          ask(project, limit, { fieldName: "text", fts: { matchString: question } }),
        close: async () => collection.closeSync(),
      };
    },
  },

  "PGlite + pgvector": {
    version: () => peerVersion("@electric-sql/pglite"),
    about: "exact scan of the project's rows, tsvector with GIN",
    syncs: false,
    async open(folder, dimension) {
      const [{ PGlite }, { vector }] = await Promise.all([
        peer("@electric-sql/pglite"),
        peer("@electric-sql/pglite-pgvector"),
      ]);
      const db = await PGlite.create({ dataDir: join(folder, "pg"), extensions: { vector } });
      await db.exec(`create extension if not exists vector;
        create table if not exists chunks (id text primary key, project text not null, text text not null,
          vector vector(${dimension}) not null,
          words tsvector generated always as (to_tsvector('english', text)) stored);
        create index if not exists chunks_project on chunks (project);
        create index if not exists chunks_words on chunks using gin (words)`);
      const list = (vector) => `[${vector.join(",")}]`;
      const ids = ({ rows }) => rows.map(({ id }) => id);
      return {
        async add(project, rows) {
          const places = rows.map((_, i) => `($${i * 4 + 1}, $${i * 4 + 2}, $${i * 4 + 3}, $${i * 4 + 4})`);
          await db.query(
            `insert into chunks (id, project, text, vector) values ${places.join(", ")}`,
            rows.flatMap(({ id, text, vector }) => [id, project, text, list(vector)]),
          );
        },
        async seal() {
          await db.exec("analyze chunks");
        },
        byMeaning: async (project, vector, limit) =>
          ids(
            await db.query("select id from chunks where project = $1 order by vector <#> $2 limit $3", [
              project,
              list(vector),
              limit,
            ]),
          ),
        byWords: async (project, question, limit) =>
          ids(
            await db.query(
              `select id from chunks, websearch_to_tsquery('english', $2) as query
               where project = $1 and words @@ query order by ts_rank(words, query) desc limit $3`,
              [project, anyOf(question, " or "), limit],
            ),
          ),
        close: () => db.close(),
      };
    },
  },

  Chroma: {
    version: () => peerVersion("chromadb"),
    // A later binary of its server needs a later glibc than Debian 12 has.
    about: "the server of its bindings 1.0.1 where this is Linux on x64, HNSW, approximate; no ranked words",
    async open(folder) {
      const { ChromaClient } = await peer("chromadb");
      const port = await freePort();
      const program = fromPeers.resolve("chromadb").replace(/dist.*$/, "dist/cli.mjs");
      const server = spawn(process.execPath, [program, "run", "--path", join(folder, "chroma"), "--port", `${port}`], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      let said = "";
      server.stderr.on("data", (part) => {
        said = (said + part).slice(-2000);
      });
      const client = new ChromaClient({ host: "localhost", port });
      for (let tries = 0; !(await client.heartbeat().catch(() => undefined)); tries++) {
        if (tries > 100 || server.exitCode !== null) throw new Error(`its server did not start: ${reasonIn(said)}`);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      const collection = await client.getOrCreateCollection({
        name: "chunks",
        embeddingFunction: null,
        configuration: { hnsw: { space: "cosine" } },
      });
      return {
        add: (project, rows) =>
          collection.add({
            ids: rows.map(({ id }) => id),
            embeddings: rows.map(({ vector }) => Array.from(vector)),
            documents: rows.map(({ text }) => text),
            metadatas: rows.map(() => ({ project })),
          }),
        byMeaning: async (project, vector, limit) => {
          const { ids } = await collection.query({
            queryEmbeddings: [Array.from(vector)],
            nResults: limit,
            where: { project },
            include: ["distances"],
          });
          return ids[0];
        },
        async close() {
          const ended = new Promise((resolve) => server.once("exit", resolve));
          server.kill();
          await ended;
        },
      };
    },
  },
};

const reasonIn = (text) => /(?:Error: |error: )(.*)/.exec(text)?.[1] ?? text.trim().split("\n").at(-1);

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
