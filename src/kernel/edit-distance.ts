/** For words, which are compared by the million. */
const SCRATCH = new Uint32Array(128);

/** Levenshtein distance. */
export function editDistance(a: string, b: string): number {
  let start = 0;
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  const width = endB - start;
  if (endA === start || width === 0) return Math.max(endA - start, width);
  const row = width < SCRATCH.length ? SCRATCH : new Uint32Array(width + 1);
  for (let j = 0; j <= width; j++) row[j] = j;
  for (let i = start; i < endA; i++) {
    const unit = a.charCodeAt(i);
    let diagonal = row[0]!;
    row[0] = i - start + 1;
    for (let j = 1; j <= width; j++) {
      const kept = diagonal + (unit === b.charCodeAt(start + j - 1) ? 0 : 1);
      diagonal = row[j]!;
      row[j] = Math.min(kept, diagonal + 1, row[j - 1]! + 1);
    }
  }
  return row[width]!;
}

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
