import { editDistance } from "./edit-distance.js";

/** The names most like a mistyped one, nearest first. */
export function nearest(name: string, names: readonly string[], limit = 3): string[] {
  const wanted = name.toLowerCase();
  return names
    .map((candidate) => {
      const other = candidate.toLowerCase();
      const contained = other.includes(wanted) || wanted.includes(other);
      const distance = editDistance(wanted, other) / Math.max(wanted.length, other.length, 1);
      return { candidate, distance: contained ? Math.min(distance, 0.3) : distance };
    })
    .filter(({ distance }) => distance <= 0.5)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}
