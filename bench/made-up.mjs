// Texts, vectors and projects out of a seed: the same for every side and in every run.

/** Numbers in [0,1). */
export function randomFrom(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
}

const COMMON =
  "the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were her all their there been if more when will would who so no".split(
    " ",
  );

const made = [...COMMON];

/** Rank to word: the commonest are English function words, so that questions hold them as real ones do. */
export function wordOf(rank) {
  for (let next = made.length; next <= rank; next++) made.push(madeWord(next));
  return made[rank];
}

function madeWord(rank) {
  let rest = rank;
  let text = "";
  do {
    text += "bdfgklmnprstvz"[rest % 14] + "aeiou"[Math.floor(rest / 14) % 5];
    rest = Math.floor(rest / 70);
  } while (rest > 0);
  return `${text}k`;
}

/** A number in [0,1) to a rank, the lower ones as frequent as in a language. */
export const zipf = (u, vocabulary = 60_000) => Math.floor(Math.exp(u * Math.log(vocabulary))) - 1;

/** Words as frequent as in a language. */
export function textOf(number, words = 40, vocabulary = 60_000) {
  const random = randomFrom(number * 13 + 3);
  return Array.from({ length: words }, () => wordOf(zipf(random(), vocabulary))).join(" ");
}

/** Questions of one to five words that are neither all common nor all rare. */
export function questionOf(number, vocabulary = 60_000) {
  const random = randomFrom(number * 7919 + 17);
  const length = 1 + Math.floor(random() * 5);
  return Array.from({ length }, () => wordOf(COMMON.length + zipf(random(), vocabulary / 10))).join(" ");
}

const pool = new Float32Array(2 ** 20);
const noise = randomFrom(5);
for (let i = 0; i < pool.length; i++) pool[i] = noise() + noise() + noise() + noise() - 2;

/** Unit vectors in 64 clusters: a centre and as much of one's own. */
export function vectorOf(number, dimension) {
  const random = randomFrom(number * 31 + 11);
  const from = (u) => Math.floor(u * (pool.length - dimension));
  const centre = from(randomFrom(1 + Math.floor(random() * 64))());
  const own = from(random());
  const vector = new Float32Array(dimension);
  let squares = 0;
  for (let d = 0; d < dimension; d++) {
    const value = pool[centre + d] + 0.9 * pool[own + d];
    vector[d] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  for (let d = 0; d < dimension; d++) vector[d] /= length;
  return vector;
}

export const newProject = (id, dimension, kind = "project") => ({
  id,
  kind,
  name: id,
  description: null,
  model: { id: "made-up", dimension, pooling: "mean", max_tokens: 256, weights_sha256: null },
  hybrid_enabled: true,
});

/** Sizes fall off like 1/rank: a few large projects, many small ones. */
export function unevenSizes(total, projects = 20) {
  const weights = Array.from({ length: projects }, (_, i) => 1 / (i + 1));
  const sum = weights.reduce((a, b) => a + b);
  return weights.map((weight) => Math.max(10, Math.round((total * weight) / sum)));
}

/** Embedders that make a vector out of a text's letters at no cost: what is measured is all the rest. */
export function madeUpEmbedders(dimension) {
  const identity = { id: "made-up", dimension, pooling: "mean", max_tokens: 256, weights_sha256: null };
  const numberOf = (text) => {
    let hash = 7;
    for (let i = 0; i < text.length; i += 7) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0;
    return hash % 10_000_019;
  };
  const embedder = {
    identity,
    embed: async (texts) => texts.map((text) => vectorOf(numberOf(text), dimension)),
    tokens: { by: "letters" },
    windows: async (passages) => passages.map(({ text, prefix }) => [`${prefix}\n${text}`]),
    countTokens: async (text) => Math.ceil(text.length / 4.2) + 2,
    async close() {},
  };
  return { preferred: identity, unavailable: undefined, get: () => embedder, list: () => [identity], async close() {} };
}
