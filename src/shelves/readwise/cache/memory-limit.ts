export type MemoryLimit = ReturnType<typeof createMemoryLimit>;

/** Entries younger than this are evicted last. */
const MIN_LIFETIME_MS = 30_000;

/** One hard limit for the whole cache of this process: bytes, and the indexes built from them. */
export function createMemoryLimit(maxBytes: number, clock: () => number) {
  // A Map keeps insertion order: the first entry is the least recently used.
  const held = new Map<string, { bytes: number; since: number; drop: () => void }>();
  const listeners: ((name: string) => void)[] = [];
  let total = 0;
  let evictions = 0;

  function release(name: string): void {
    total -= held.get(name)?.bytes ?? 0;
    held.delete(name);
  }
  function oldest(except: string): string | undefined {
    let young: string | undefined;
    for (const [name, { since }] of held) {
      if (name === except) continue;
      if (clock() - since >= MIN_LIFETIME_MS) return name;
      young ??= name;
    }
    return young;
  }

  return {
    /** Reserves `bytes` for a name and evicts the least recently used; false if they can never fit. */
    hold(name: string, bytes: number, drop: () => void): boolean {
      const since = held.get(name)?.since ?? clock();
      release(name);
      if (bytes > maxBytes) return false;
      held.set(name, { bytes, since, drop });
      total += bytes;
      while (total > maxBytes) {
        const victim = oldest(name);
        if (victim === undefined) break;
        const { drop: dropVictim } = held.get(victim)!;
        release(victim);
        evictions++;
        dropVictim();
        for (const listener of listeners) listener(victim);
      }
      return true;
    },
    touch(name: string): void {
      const entry = held.get(name);
      if (!entry) return;
      held.delete(name);
      held.set(name, entry);
    },
    release,
    onDrop(listener: (name: string) => void): void {
      listeners.push(listener);
    },
    maxBytes,
    get bytes() {
      return total;
    },
    get entries() {
      return held.size;
    },
    get evictions() {
      return evictions;
    },
  };
}
