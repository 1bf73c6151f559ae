import type { ScoredOrdinal } from "./words.js";

/** The best of many scores, in a heap whose root is the worst kept. Equal scores: the lower ordinal is better. */
export class TopScores {
  private readonly scores: Float64Array;
  private readonly ordinals: Float64Array;
  private size = 0;

  constructor(private readonly limit: number) {
    this.scores = new Float64Array(limit);
    this.ordinals = new Float64Array(limit);
  }

  /** A score at or below this cannot enter. */
  get floor(): number {
    return this.size < this.limit ? Number.NEGATIVE_INFINITY : (this.scores[0] ?? Number.POSITIVE_INFINITY);
  }

  offer(ordinal: number, score: number): void {
    if (this.limit === 0) return;
    if (this.size < this.limit) {
      this.place(this.size++, ordinal, score, true);
      return;
    }
    if (this.worse(score, ordinal, this.scores[0] ?? 0, this.ordinals[0] ?? 0)) return;
    this.place(0, ordinal, score, false);
  }

  sorted(): ScoredOrdinal[] {
    return Array.from({ length: this.size }, (_, i) => ({
      ordinal: this.ordinals[i] ?? 0,
      score: this.scores[i] ?? 0,
    })).sort((a, b) => b.score - a.score || a.ordinal - b.ordinal);
  }

  private worse(score: number, ordinal: number, otherScore: number, otherOrdinal: number): boolean {
    return score < otherScore || (score === otherScore && ordinal > otherOrdinal);
  }

  private place(start: number, ordinal: number, score: number, up: boolean): void {
    const { scores, ordinals, size } = this;
    let at = start;
    while (up && at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.worse(score, ordinal, scores[parent] ?? 0, ordinals[parent] ?? 0)) break;
      scores[at] = scores[parent] ?? 0;
      ordinals[at] = ordinals[parent] ?? 0;
      at = parent;
    }
    while (!up) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (
        child + 1 < size &&
        this.worse(scores[child + 1] ?? 0, ordinals[child + 1] ?? 0, scores[child] ?? 0, ordinals[child] ?? 0)
      )
        child++;
      if (!this.worse(scores[child] ?? 0, ordinals[child] ?? 0, score, ordinal)) break;
      scores[at] = scores[child] ?? 0;
      ordinals[at] = ordinals[child] ?? 0;
      at = child;
    }
    scores[at] = score;
    ordinals[at] = ordinal;
  }
}
