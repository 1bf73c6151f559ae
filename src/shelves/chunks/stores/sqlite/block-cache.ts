import { createByteLru } from "../../../../kernel/byte-lru.js";
import type { Database } from "./database.js";
import { asBuffer, BlockReader } from "./postings.js";

/** Measured overhead of a cached block: its objects and the allocator's bookkeeping. */
const OVERHEAD = 512;
const NOTHING = new Uint8Array(4);

/**
 * Recently used blocks of words, up to `capacity` bytes. Every write creates a small block that is soon merged into
 * another and never read again; those are evicted.
 */
export function createBlockCache(db: Pick<Database, "read">, capacity: number): (key: number) => BlockReader {
  const blocks = createByteLru<number, BlockReader>(capacity, (reader) => reader.byteLength + OVERHEAD);
  return (key) =>
    blocks(key, () => {
      const data = db.read<[Uint8Array]>("select data from word_blocks where key = ?").get(key)?.[0] ?? NOTHING;
      return new BlockReader(asBuffer(data));
    });
}
