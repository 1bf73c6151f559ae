// Chunks nobody wrote, with vectors, the same for the same seed.
import { randomFrom, wordOf, zipf } from "./made-up.mjs";

export const DIMENSION = 384;

/**
 * Passages whose vectors lie as close together as real ones do: the real ones first, then mixtures of one with another
 * and a little noise, so that each has hundreds of rivals around it.
 */
export function likeReal(passages, seed) {
  const pool = new Float32Array(2 ** 20);
  const random = randomFrom(seed);
  for (let i = 0; i < pool.length; i++) pool[i] = random() + random() + random() + random() - 2;
  const noise = 0.3 / Math.sqrt(DIMENSION / 3);
  const vector = (i) => {
    if (i < passages.length) return unit(passages[i]);
    const own = randomFrom(i * 31 + seed);
    const pick = () => passages[Math.floor(own() * passages.length)];
    const [one, other, share, from] = [pick(), pick(), 0.5 + own() / 2, Math.floor(own() * (pool.length - DIMENSION))];
    return unit(one.map((value, d) => share * value + (1 - share) * other[d] + noise * pool[from + d]));
  };
  const text = (i) => {
    const words = randomFrom(i * 13 + 3);
    return Array.from({ length: 24 }, () => wordOf(zipf(words()))).join(" ");
  };
  const shell = synthetic(seed).shell;
  return {
    vector,
    question: () => Array.from({ length: 8 }, () => wordOf(zipf(random()))).join(" "),
    chunk: (i) => ({ ...shell(i), text: text(i), vectors: [vector(i)] }),
  };
}

/** Clustered unit vectors and Zipf-distributed words, the same for the same seed. */
export function synthetic(seed) {
  const centres = Array.from({ length: 64 }, (_, c) => gaussian(randomFrom(seed * 1000 + c)));
  const asked = randomFrom(seed * 77 + 5);
  const vector = (i) => {
    const random = randomFrom(seed * 1_000_003 + i * 7 + 1);
    const centre = centres[Math.floor(random() * centres.length)];
    return unit(gaussian(random).map((value, d) => value * 0.9 + centre[d]));
  };
  const text = (i) => {
    const random = randomFrom(seed * 500_009 + i * 13 + 3);
    const words = Array.from({ length: 170 + Math.floor(random() * 60) }, () => wordOf(zipf(random())));
    return `${words.join(" ")}.`;
  };
  return {
    vector,
    query: () => {
      const centre = centres[Math.floor(asked() * centres.length)];
      return unit(gaussian(asked).map((value, d) => value * 0.6 + centre[d]));
    },
    question: () => Array.from({ length: 8 }, () => wordOf(zipf(asked()))).join(" "),
    chunk: (i) => ({ ...shell(i), text: text(i), vectors: [vector(i)] }),
    shell,
  };
  function shell(i) {
    return {
      id: `c${i}`,
      doc_id: `d${Math.floor(i / 40)}`,
      position: i % 40,
      start: null,
      end: null,
      citekey: `author${Math.floor(i / 40)}`,
      title: `Work ${wordOf(Math.floor(i / 40))}`,
      section: null,
      section_path: ["Part I"],
      page_span: [1 + (i % 300), 1 + (i % 300)],
      page_labels: null,
      doi: null,
      url: null,
      year: 1900 + (i % 120),
      tags: [`t${i % 9}`],
      language: "en",
      metadata: {},
    };
  }
}

function gaussian(random) {
  const values = new Float32Array(DIMENSION);
  for (let i = 0; i < DIMENSION; i++) values[i] = random() + random() + random() + random() - 2;
  return values;
}
export function unit(vector) {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
