export interface Hit {
  document: number;
  /** In (0, 1]: over 0.8 the query stands there word for word, over 0.6 in other forms of its words, over 0.4 all its words do. */
  score: number;
}

export interface Top {
  /** Gives back what a score must reach to be kept. */
  offer(document: number, score: number): number;
  sorted(): Hit[];
  order(a: number, b: number): number;
}

/** The best `limit` of what it is offered: a heap with the worst kept one on top. */
export function topOf(limit: number, order: (a: number, b: number) => number): Top {
  const documents = new Int32Array(limit);
  const scores = new Float64Array(limit);
  let size = 0;
  /** Whether what is kept at a place is worse than this. */
  const isWorse = (at: number, document: number, score: number) =>
    scores[at]! < score || (scores[at] === score && order(documents[at]!, document) > 0);

  function put(at: number, document: number, score: number): void {
    documents[at] = document;
    scores[at] = score;
  }
  function siftUp(document: number, score: number): void {
    let at = size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isWorse(parent, document, score)) break;
      put(at, documents[parent]!, scores[parent]!);
      at = parent;
    }
    put(at, document, score);
  }
  function siftDown(document: number, score: number): void {
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isWorse(child + 1, documents[child]!, scores[child]!)) child++;
      if (!isWorse(child, document, score)) break;
      put(at, documents[child]!, scores[child]!);
      at = child;
    }
    put(at, document, score);
  }

  return {
    order,
    offer(document, score) {
      if (size < limit) siftUp(document, score);
      else if (isWorse(0, document, score)) siftDown(document, score);
      return size < limit ? -1 : scores[0]!;
    },
    sorted: () =>
      Array.from(documents.subarray(0, size), (document, i) => ({ document, score: scores[i]! }))
        .sort((a, b) => b.score - a.score || order(a.document, b.document))
        .map(({ document, score }) => ({ document, score: Math.max(0.0001, Math.round(score * 10_000) / 10_000) })),
  };
}
