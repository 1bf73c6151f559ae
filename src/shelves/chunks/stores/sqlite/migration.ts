import type { Migration } from "../../chunk-store.js";
import type { ModelIdentity } from "../../embedding/embedder.js";
import type { Database } from "./database.js";
import { CHUNK_COLUMNS, type ChunkRow, chunkOf, requireProject } from "./rows.js";
import { keyOf, ordinalOf, rangeOf } from "./schema.js";
import { dropSpace, writeVectors } from "./vectors.js";

export function sqliteMigration(db: Database, createSpace: (model: ModelIdentity) => number): Migration {
  const open = (id: string) => {
    const project = requireProject(db.write, id);
    return { ...project, range: rangeOf(project.key) };
  };
  const bump = (key: number) => db.write("update projects set revision = revision + 1 where key = ?").run(key);

  return {
    async start(id, model) {
      await db.transactionInSteps(function* () {
        const { key, nextSpace, range } = open(id);
        if (nextSpace !== null) yield* dropSpace(db, nextSpace);
        const space = createSpace(model);
        db.write("update spaces set project = ? where key = ?").run(key, space);
        db.write(
          "update chunks set next_vector = null, next_vectors = 0 where key >= ? and key < ? and next_vectors > 0",
        ).run(...range);
        db.write("insert or ignore into pending_vectors (key) select key from chunks where key >= ? and key < ?").run(
          ...range,
        );
        db.write("update projects set next_space = ? where key = ?").run(space, key);
        bump(key);
      });
    },
    async pending(id, limit) {
      const range = rangeOf(requireProject(db.read<unknown[]>, id).key);
      const remaining =
        db.read<[number]>("select count(*) from pending_vectors where key >= ? and key < ?").get(...range)?.[0] ?? 0;
      const rows = db
        .read<[number, ...ChunkRow]>(
          `select p.key, ${CHUNK_COLUMNS.replace(/\w+/g, "c.$&")} from pending_vectors p join chunks c on c.key = p.key
           where p.key >= ? and p.key < ? order by p.key limit ?`,
        )
        .all(...range, limit);
      return {
        remaining,
        chunks: rows.map(([chunkKey, ...chunk]) => ({ ...chunkOf(chunk), version: ordinalOf(chunkKey) })),
      };
    },
    async write(id, entries) {
      return db.transactionInSteps(function* () {
        const { key, nextSpace, nextDimension, revision } = open(id);
        if (nextSpace === null) return 0;
        const current = entries.filter(
          (entry) =>
            db.write("select 1 from pending_vectors where key = ?").get(keyOf(key, entry.version)) !== undefined,
        );
        const numbers = yield* writeVectors(
          db,
          nextSpace,
          nextDimension,
          revision + 1,
          current.map(({ version, vectors }) => ({ ordinal: version, vectors })),
        );
        current.forEach(({ version, vectors }, index) => {
          const chunk = keyOf(key, version);
          db.write("update chunks set next_vector = ?, next_vectors = ? where key = ?").run(
            numbers[index] ?? 0,
            vectors.length,
            chunk,
          );
          db.write("delete from pending_vectors where key = ?").run(chunk);
        });
        bump(key);
        return current.length;
      });
    },
    async finish(id) {
      return db.transactionInSteps(function* () {
        const { key, space, nextSpace, range } = open(id);
        if (nextSpace === null) return false;
        if (db.write("select 1 from pending_vectors where key >= ? and key < ? limit 1").get(...range)) return false;
        db.write(
          "update chunks set vector = next_vector, vectors = next_vectors, next_vector = null, next_vectors = 0 where key >= ? and key < ?",
        ).run(...range);
        db.write("update projects set space = ?, next_space = null, updated_at = ? where key = ?").run(
          nextSpace,
          new Date().toISOString(),
          key,
        );
        yield* dropSpace(db, space);
        bump(key);
        return true;
      });
    },
  };
}
