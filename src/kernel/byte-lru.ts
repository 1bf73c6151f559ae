import { LRUCache } from "lru-cache";

type ByteLru<K, V> = (key: K, make: () => V) => V;

/**
 * Values made on demand and kept in at most `maxBytes`: the least recently used go first. A value larger than that is
 * made again each time.
 */
export function createByteLru<K extends NonNullable<unknown>, V extends NonNullable<unknown>>(
  maxBytes: number,
  bytesOf: (value: V) => number,
): ByteLru<K, V> {
  const kept = new LRUCache<K, V>({ maxSize: maxBytes, sizeCalculation: (value) => Math.max(1, bytesOf(value)) });
  return (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make();
    kept.set(key, made);
    return made;
  };
}
