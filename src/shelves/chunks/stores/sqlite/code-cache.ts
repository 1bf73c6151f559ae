import type { Database } from "./database.js";
import type { DotKernel } from "./dot-kernel.js";
import { BLOCK_BYTES, type BlockHead } from "./vectors.js";

/** Key and revision of a block's codes. */
export interface CachedBlock {
  key: number;
  space: number;
  revision: number;
}

/** Caches codes of recently used blocks in WebAssembly memory, starting at `from`; evicts the least recently used space. */
export function createCodeCache(
  db: Pick<Database, "read">,
  kernel: Pick<DotKernel, "bytes" | "reserve">,
  { from, capacity }: { from: number; capacity: number },
) {
  const slots = new Map<number, { slot: number; revision: number; space: number }>();
  const lastUse = new Map<number, number>();
  /** Number of cached blocks per space. */
  const held = new Map<number, number>();
  const free: number[] = [];
  let used = 0;
  let clock = 0;

  const address = (slot: number) => from + slot * BLOCK_BYTES;

  const drop = (key: number, { slot, space }: { slot: number; space: number }): void => {
    slots.delete(key);
    free.push(slot);
    held.set(space, (held.get(space) ?? 0) - 1);
  };

  const forget = (space: number): void => {
    for (const [key, entry] of slots) if (entry.space === space) drop(key, entry);
    lastUse.delete(space);
    held.delete(space);
  };

  /** Evicts the least recently used space; the current one only if it is alone, with outdated blocks. */
  const makeRoom = (asking: number): void => {
    let victim = asking;
    for (const { space } of slots.values())
      if (space !== asking && (victim === asking || (lastUse.get(space) ?? 0) < (lastUse.get(victim) ?? 0)))
        victim = space;
    forget(victim);
  };

  const newSlot = (space: number): number => {
    if (free.length === 0 && used >= capacity) makeRoom(space);
    const slot = free.pop();
    if (slot !== undefined) return slot;
    // A quarter more than needed, because growing may copy the memory.
    if (address(used + 1) > kernel.bytes().byteLength)
      kernel.reserve(address(Math.min(capacity, Math.ceil((used + 1) * 1.25))));
    return used++;
  };

  return {
    /** The address of a block's codes, loaded if necessary; undefined if the block is gone. */
    place(block: CachedBlock): number | undefined {
      lastUse.set(block.space, ++clock);
      const known = slots.get(block.key);
      if (known?.revision === block.revision) return address(known.slot);
      const codes = db.read<[Uint8Array]>("select codes from vector_blocks where key = ?").get(block.key)?.[0];
      if (!codes) return undefined;
      const slot = known?.slot ?? newSlot(block.space);
      if (!known) held.set(block.space, (held.get(block.space) ?? 0) + 1);
      slots.set(block.key, { slot, revision: block.revision, space: block.space });
      const at = address(slot);
      kernel.bytes().set(codes, at);
      return at;
    },
    /** Frees the slots of blocks that are no longer part of their space. */
    forgetRewritten(all: readonly CachedBlock[]): void {
      const space = all[0]?.space;
      if (space === undefined || (held.get(space) ?? 0) <= all.length) return;
      const current = new Set(all.map(({ key }) => key));
      for (const [key, entry] of slots) if (entry.space === space && !current.has(key)) drop(key, entry);
    },
  };
}

/** A block in a search: the owners of its vectors, and the key of its codes. */
export interface ScanBlock extends BlockHead, CachedBlock {}

export interface ScanOptions {
  limit: number;
  accepts(ordinal: number): boolean;
  /** Whether `accepts` rejects more than deleted chunks. */
  filtered: boolean;
  signal: AbortSignal | undefined;
}
