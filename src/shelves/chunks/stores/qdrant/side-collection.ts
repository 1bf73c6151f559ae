import { createHash, randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import { LRUCache } from "lru-cache";
import { ShelfError } from "../../../../kernel/errors.js";
import { isCharacterRun } from "../../../../text/tokens.js";
import type { DocumentRecord, DocumentSummary } from "../../chunk-store.js";
import { wellFormed } from "./payload.js";
import { idIn, type Place } from "./place.js";
import type { PointAccess } from "./points.js";
import { dimensionOf } from "./sparse.js";
import type { Condition, Filter } from "./wire.js";

/** A collection without vectors, for documents and the chunks' vocabulary. */
export const SIDE_INDEXES: Readonly<Record<string, unknown>> = {
  project: { type: "keyword", is_tenant: true },
  kind: { type: "keyword" },
  doc_id: { type: "keyword" },
  revision: { type: "keyword" },
  term: { type: "text", tokenizer: "prefix", min_token_len: 1, max_token_len: 24, lowercase: false },
};

const PART_CHARS = 4 * 1024 * 1024;
const MAX_TERMS_OF_A_BEGINNING = 2_048;
const REMEMBERED_TERMS = 500_000;
const REMEMBERED_PROJECTS = 64;
const TERMS_PER_POINT = 2_000;
const compress = promisify(deflate);
const decompress = promisify(inflate);

interface Where {
  project: string;
  place: Place;
  signal?: AbortSignal | undefined;
}
const inSide = ({ project, place, signal }: Where) => ({ project, collection: place.side, signal });

const only = ({ place }: Where, kind: string, ...more: Condition[]): Filter => ({
  must: [{ key: "project", match: { value: place.tenant } }, { key: "kind", match: { value: kind } }, ...more],
});
const ofDocument = (docId: string): Condition => ({ key: "doc_id", match: { value: docId.toWellFormed() } });

interface Head extends Record<string, unknown> {
  summary: DocumentSummary;
  revision: string;
  parts: number;
}

/**
 * A document is a head and the parts of its compressed text. Parts are written under a revision of their own and the
 * head after them, so a reader sees either the old document or the new one.
 */
export function documentAccess(points: PointAccess) {
  const headId = (docId: string, { place }: Where) => idIn(place, `document:${docId}`);
  const partIds = (docId: string, { revision, parts }: Pick<Head, "revision" | "parts">, { place }: Where) =>
    Array.from({ length: parts }, (_, part) => idIn(place, `part:${docId}:${revision}:${part}`));
  const head = async (docId: string, where: Where): Promise<Head | undefined> => {
    const [found] = await points.byIds([headId(docId, where)], { with_payload: true }, inSide(where));
    // Written by `write`.
    return found?.payload?.project === where.place.tenant ? (found.payload as Head) : undefined;
  };

  return {
    async write(document: DocumentRecord, chunkCount: number, where: Where): Promise<void> {
      const { text, pages, headings, edits, ...summary } = document;
      const before = await head(document.id, where);
      const body = (await compress(JSON.stringify({ text, pages, headings, edits }))).toString("base64");
      const pieces = Array.from({ length: Math.ceil(body.length / PART_CHARS) }, (_, part) =>
        body.slice(part * PART_CHARS, (part + 1) * PART_CHARS),
      );
      const revision = randomUUID();
      const now: Head = {
        project: where.place.tenant,
        kind: "document",
        doc_id: document.id,
        revision,
        parts: pieces.length,
        summary: { ...summary, chunk_count: chunkCount, added_at: before?.summary.added_at ?? summary.added_at },
      };
      const ids = partIds(document.id, now, where);
      const parts = pieces.map((data, part) => ({
        id: ids[part] ?? "",
        vector: {},
        payload: { project: where.place.tenant, kind: "part", doc_id: document.id.toWellFormed(), revision, data },
      }));
      const beside = inSide(where);
      await points.upsert(parts, beside);
      await points.upsert([{ id: headId(document.id, where), vector: {}, payload: wellFormed(now) }], beside);
      const old = only(where, "part", ofDocument(document.id));
      await points.remove({ filter: { ...old, must_not: [{ key: "revision", match: { value: revision } }] } }, beside);
    },
    async remove(docId: string, where: Where): Promise<boolean> {
      const found = await head(docId, where);
      await points.remove({ filter: only(where, "part", ofDocument(docId)) }, inSide(where));
      await points.remove({ points: [headId(docId, where)] }, inSide(where));
      return found !== undefined;
    },
    async list(where: Where): Promise<DocumentSummary[]> {
      const shown = { with_payload: { include: ["summary"] } };
      const found = await points.scroll(only(where, "document"), shown, inSide(where));
      return found
        .map(({ payload }) => (payload as Head).summary)
        .sort((a, b) => (a.added_at === b.added_at ? (a.id < b.id ? -1 : 1) : a.added_at < b.added_at ? -1 : 1));
    },
    async read(docId: string, where: Where): Promise<DocumentRecord | undefined> {
      for (let attempt = 0; attempt < 3; attempt++) {
        const found = await head(docId, where);
        if (!found) return undefined;
        const ids = partIds(docId, found, where);
        const parts = await points.byIds(ids, { with_payload: { include: ["data"] } }, inSide(where));
        const byId = new Map(parts.map(({ id, payload }) => [id, payload?.data]));
        // Fewer parts than the head says: the document was rewritten meanwhile.
        if (ids.some((id) => !byId.has(id))) continue;
        const body = Buffer.from(ids.map((id) => byId.get(id)).join(""), "base64");
        const rest = JSON.parse((await decompress(body)).toString("utf8")) as Omit<
          DocumentRecord,
          keyof DocumentSummary
        >;
        return { ...found.summary, ...rest };
      }
      throw new ShelfError("INDEX_UNAVAILABLE", `Document '${docId}' is incomplete in Qdrant. Ingest it again.`);
    },
  };
}

/**
 * The index terms of a project's chunks, for prefix queries: a sparse vector has only hashes of its
 * terms. Every write adds one point with its terms. Terms of deleted chunks stay and match nothing.
 */
export function vocabularyAccess(points: PointAccess) {
  const written = new LRUCache<string, Set<number>>({ max: REMEMBERED_PROJECTS });

  return {
    async learn(terms: Iterable<string>, birth: string, where: Where): Promise<void> {
      const known = written.get(birth) ?? new Set<number>();
      const fresh = new Map<number, string>();
      for (const term of terms) {
        const key = dimensionOf(term);
        if (!known.has(key) && !isCharacterRun(term)) fresh.set(key, term);
      }
      if (fresh.size === 0) return;
      const all = [...fresh.values()].sort();
      const packs = Array.from({ length: Math.ceil(all.length / TERMS_PER_POINT) }, (_, pack) =>
        all.slice(pack * TERMS_PER_POINT, (pack + 1) * TERMS_PER_POINT),
      );
      await points.upsert(
        packs.map((term) => ({
          id: idIn(where.place, `terms:${createHash("sha256").update(term.join(" ")).digest("hex")}`),
          vector: {},
          payload: wellFormed({ project: where.place.tenant, kind: "term", term }),
        })),
        inSide(where),
      );
      if (known.size + fresh.size > REMEMBERED_TERMS) known.clear();
      for (const key of fresh.keys()) known.add(key);
      written.set(birth, known);
    },
    async beginningWith(prefix: string, where: Where): Promise<string[]> {
      const filter = only(where, "term", { key: "term", match: { text: prefix } });
      const shown = { with_payload: { include: ["term"] } };
      const found = await points.scroll(filter, shown, inSide(where));
      // Older versions wrote a point per term.
      const terms = found.flatMap(({ payload }) => payload?.term as string | string[]);
      return [...new Set(terms)].filter((term) => term.startsWith(prefix)).slice(0, MAX_TERMS_OF_A_BEGINNING);
    },
  };
}
