import { ShelfError } from "../../../../kernel/errors.js";
import { pathOf, type QdrantClient } from "./client.js";
import { Count, type Filter, type NamedVectors, Page, type Point, Points, Written } from "./wire.js";

type Found = {
  id: string;
  payload?: Record<string, unknown> | null | undefined;
  vector?: NamedVectors | null | undefined;
};
interface What {
  project: string;
  collection: string;
  signal?: AbortSignal | undefined;
}
interface Shown {
  with_payload: boolean | { include: string[] };
  with_vector?: string[];
}

const PAGE = 256;
const IDS_AT_ONCE = 1_000;
/** Half of a server's default limit. A batch up to this size is one request, which is written completely or not at all. */
const REQUEST_BYTES = 16 * 1024 * 1024;

/** Reads and writes points of one collection in requests within the server's limits. */
export function pointAccess(client: QdrantClient) {
  const write = async (
    method: "PUT" | "POST",
    path: string,
    body: { json: string } | { body: unknown },
    { project, signal }: What,
  ) => {
    const { status } = await client.call(method, path, { ...body, answer: Written, project, signal });
    if (status !== "completed")
      throw new ShelfError(
        "TIMEOUT",
        "Qdrant took the change and did not say that it is done. Call again: repeating it does no harm.",
      );
  };

  return {
    async upsert(points: readonly Point[], what: What): Promise<void> {
      for (const json of batches(points))
        await write("PUT", pathOf(what.collection, "/points?wait=true"), { json }, what);
    },
    async remove(which: { points: readonly string[] } | { filter: Filter }, what: What): Promise<void> {
      if ("points" in which && which.points.length === 0) return;
      await write("POST", pathOf(what.collection, "/points/delete?wait=true"), { body: which }, what);
    },
    async updateVectors(updates: readonly Omit<Point, "payload">[], update_filter: Filter, what: What): Promise<void> {
      if (updates.length === 0) return;
      await write(
        "PUT",
        pathOf(what.collection, "/points/vectors?wait=true"),
        { body: { points: updates, update_filter } },
        what,
      );
    },
    /** Deletes named vectors of the points that match. */
    async deleteVectors(vector: readonly string[], filter: Filter, what: What): Promise<void> {
      await write(
        "POST",
        pathOf(what.collection, "/points/vectors/delete?wait=true"),
        { body: { vector, filter } },
        what,
      );
    },
    async setPayload(payload: Record<string, unknown>, ids: readonly string[], what: What): Promise<void> {
      if (ids.length === 0) return;
      await write(
        "POST",
        pathOf(what.collection, "/points/payload?wait=true"),
        { body: { payload, points: ids } },
        what,
      );
    },
    /** The first points by a number in their payload. */
    async first(filter: Filter, order_by: string, limit: number, shown: Shown, what: What): Promise<Found[]> {
      const { project, collection, signal } = what;
      const body = { filter, order_by, limit, ...shown };
      const answer = await client.call("POST", pathOf(collection, "/points/scroll"), {
        body,
        answer: Page,
        project,
        signal,
      });
      return answer.points;
    },
    async byIds(ids: readonly string[], shown: Shown, { project, collection, signal }: What): Promise<Found[]> {
      const found: Found[] = [];
      for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
        const body = { ids: ids.slice(at, at + IDS_AT_ONCE), ...shown };
        found.push(
          ...(await client.call("POST", pathOf(collection, "/points"), { body, answer: Points, project, signal })),
        );
      }
      return found;
    },
    /** Up to `most` points, or all of them, in the order of their ids; `from` is the first id that may come. */
    async scroll(
      filter: Filter,
      shown: Shown,
      { project, collection, signal }: What,
      { from, most = Number.POSITIVE_INFINITY }: { from?: string | undefined; most?: number } = {},
    ): Promise<Found[]> {
      const found: Found[] = [];
      let offset = from;
      while (found.length < most) {
        const body = {
          filter,
          limit: Math.min(PAGE, most - found.length),
          ...shown,
          ...(offset === undefined ? {} : { offset }),
        };
        const page = await client.call("POST", pathOf(collection, "/points/scroll"), {
          body,
          answer: Page,
          project,
          signal,
        });
        found.push(...page.points);
        if (!page.next_page_offset) break;
        offset = page.next_page_offset;
      }
      return found;
    },
    async count(filter: Filter, { project, collection, signal }: What): Promise<number> {
      const body = { filter, exact: true };
      return (await client.call("POST", pathOf(collection, "/points/count"), { body, answer: Count, project, signal }))
        .count;
    },
  };
}
export type PointAccess = ReturnType<typeof pointAccess>;

/** Bodies of requests: a point is written as JSON once, whether it is measured or sent. */
function* batches(points: readonly Point[]): Generator<string> {
  let batch: string[] = [];
  let bytes = 0;
  const body = () => `{"points":[${batch.join(",")}]}`;
  for (const point of points) {
    const json = JSON.stringify(point);
    const size = Buffer.byteLength(json);
    if (batch.length > 0 && bytes + size > REQUEST_BYTES) {
      yield body();
      batch = [];
      bytes = 0;
    }
    batch.push(json);
    bytes += size;
  }
  if (batch.length > 0) yield body();
}
