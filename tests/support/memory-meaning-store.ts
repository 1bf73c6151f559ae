import type { MeaningStore, Space } from "../../src/shelves/readwise/meaning/meaning-store.js";

/** Vectors in memory, for the lifetime of a test. */
export function memoryMeaningStore(): MeaningStore & { readonly rows: number } {
  const spaces = new Map<string, Map<string, Uint8Array>>();
  const nameOf = ({ keyHash, kind, model }: Space) => `${keyHash} ${kind} ${model}`;
  return {
    get rows() {
      return [...spaces.values()].reduce((sum, rows) => sum + rows.size, 0);
    },
    async read(space, hashes) {
      const rows = spaces.get(nameOf(space));
      return new Map(
        hashes.flatMap((hash) => {
          const row = rows?.get(hash);
          return row ? [[hash, row] as const] : [];
        }),
      );
    },
    async write(space, rows) {
      const known = spaces.get(nameOf(space)) ?? new Map<string, Uint8Array>();
      spaces.set(nameOf(space), known);
      for (const [hash, row] of rows) known.set(hash, row);
      return true;
    },
    claim: async () => true,
    release: async () => {},
    async keepOnly(space, hashes) {
      const rows = spaces.get(nameOf(space));
      for (const hash of [...(rows?.keys() ?? [])]) if (!hashes.has(hash)) rows?.delete(hash);
    },
    async forget(keyHash) {
      let dropped = 0;
      for (const [name, rows] of [...spaces])
        if (keyHash === undefined || name.startsWith(`${keyHash} `)) {
          dropped += rows.size;
          spaces.delete(name);
        }
      return dropped;
    },
    close: async () => {},
  };
}
