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
  const blocks = new Map<number, { reader: BlockReader; cost: number }>();
  let kept = 0;
  return (key) => {
    const known = blocks.get(key);
    if (known) {
      blocks.delete(key);
      blocks.set(key, known);
      return known.reader;
    }
    const data = db.read<[Uint8Array]>("select data from word_blocks where key = ?").get(key)?.[0] ?? NOTHING;
    const reader = new BlockReader(asBuffer(data));
    const cost = data.byteLength + OVERHEAD;
    blocks.set(key, { reader, cost });
    kept += cost;
    for (const [oldest, entry] of blocks) {
      if (kept <= capacity) break;
      blocks.delete(oldest);
      kept -= entry.cost;
    }
    return reader;
  };
}
