import { createByteLru } from "../../../../kernel/byte-lru.js";
import type { Database } from "./database.js";
import { asBuffer, BlockReader } from "./postings.js";

/** What a kept block takes beside its bytes, measured: its objects, and the memory's own bookkeeping. */
const OVERHEAD = 512;
const NOTHING = new Uint8Array(4);

/**
 * Blocks of words asked for lately, in `capacity` bytes. Every write leaves a small block behind that soon is merged into
 * another and never asked for again: those are the ones that go.
 */
export function createBlockCache(db: Pick<Database, "read">, capacity: number): (key: number) => BlockReader {
  const blocks = createByteLru<number, BlockReader>(capacity, (reader) => reader.byteLength + OVERHEAD);
  return (key) =>
    blocks(key, () => {
      const data = db.read<[Uint8Array]>("select data from word_blocks where key = ?").get(key)?.[0] ?? NOTHING;
      return new BlockReader(asBuffer(data));
    });
}
