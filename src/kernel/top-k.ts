export interface Scored {
  id: number;
  score: number;
}

/** The best `limit` of many scored ids: a heap with the worst kept one at its root. `order` ranks ids of equal score. */
export class TopK {
  private readonly scores: Float64Array;
  private readonly ids: Float64Array;
  private size = 0;

  constructor(
    private readonly limit: number,
    readonly order: (a: number, b: number) => number = ascending,
  ) {
    this.scores = new Float64Array(limit);
    this.ids = new Float64Array(limit);
  }

  /** A lower score cannot enter any more. */
  get floor(): number {
    if (this.limit === 0) return Number.POSITIVE_INFINITY;
    return this.size < this.limit ? Number.NEGATIVE_INFINITY : this.scores[0]!;
  }

  offer(id: number, score: number): void {
    if (this.size < this.limit) this.siftUp(id, score);
    else if (this.limit > 0 && this.isWorse(0, id, score)) this.siftDown(id, score);
  }

  /** Best first. */
  sorted(): Scored[] {
    return Array.from(this.ids.subarray(0, this.size), (id, i) => ({ id, score: this.scores[i]! })).sort(
      (a, b) => b.score - a.score || this.order(a.id, b.id),
    );
  }

  /** Whether the kept entry at a place is worse than this one. */
  private isWorse(at: number, id: number, score: number): boolean {
    const kept = this.scores[at]!;
    return kept < score || (kept === score && this.order(this.ids[at]!, id) > 0);
  }

  private siftUp(id: number, score: number): void {
    const { ids, scores } = this;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.isWorse(parent, id, score)) break;
      ids[at] = ids[parent]!;
      scores[at] = scores[parent]!;
      at = parent;
    }
    ids[at] = id;
    scores[at] = score;
  }

  private siftDown(id: number, score: number): void {
    const { ids, scores, size } = this;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.isWorse(child + 1, ids[child]!, scores[child]!)) child++;
      if (!this.isWorse(child, id, score)) break;
      ids[at] = ids[child]!;
      scores[at] = scores[child]!;
      at = child;
    }
    ids[at] = id;
    scores[at] = score;
  }
}

function ascending(a: number, b: number): number {
  return a - b;
}
