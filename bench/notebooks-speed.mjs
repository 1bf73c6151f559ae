// A notebook of 300 sources of 5,000 words: how long a question takes without a language model, and how long it takes to
// add one more source. `--full` builds the whole notebook once and keeps it under .cache/; otherwise a tenth of it.
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { main, median, percentile, spread } from "./measure.mjs";
import { openNotebooks } from "./notebooks-qa.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const signal = new AbortController().signal;
const WORDS = 5_000;

/** The same numbers every time. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const SYLLABLES = "ba be bi bo da de di do fa fe ga go ka ke ki la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se si so ta te ti to va ve vi".split(" ");
const wordOf = (n) => [n % 44, Math.floor(n / 44) % 44, Math.floor(n / 1936) % 44].map((i) => SYLLABLES[i]).join("");

/** Prose-like text: sentences of a vocabulary with the usual few common and many rare words, and a fact nobody else has. */
function sourceText(number, words = WORDS) {
  const next = random(number + 1);
  const paragraphs = [];
  let written = 0;
  while (written < words) {
    const sentences = Array.from({ length: 6 }, () => {
      const length = 8 + Math.floor(next() * 14);
      written += length;
      const text = Array.from({ length }, () => wordOf(Math.floor(20_000 * next() ** 3))).join(" ");
      return `${text[0].toUpperCase()}${text.slice(1)}.`;
    });
    if (paragraphs.length === 3) sentences.push(fact(number));
    paragraphs.push(sentences.join(" "));
  }
  return paragraphs.join("\n\n");
}
const fact = (n) => `The harbour of ${wordOf(7_000 + n * 13)} was opened in the year ${1000 + n} by the engineer ${wordOf(9_000 + n * 17)}.`;
const question = (n) => `When was the harbour of ${wordOf(7_000 + n * 13)} opened?`;

async function notebook(backend, store, sources) {
  const name = `speed ${sources}`;
  const found = (await backend.list(signal)).find((each) => each.name === name);
  const id = found?.id ?? (await backend.create(name, signal)).id;
  for (let n = (await store.documents(id)).length; n < sources; n++) {
    await backend.addSource(id, { source_type: "text", title: `Source ${n}`, text: sourceText(n) }, signal);
    if (n % 25 === 24) console.error(`${n + 1} of ${sources} sources`);
  }
  return id;
}

export async function bench({ quick = false, full = false } = {}) {
  const sources = full ? 300 : quick ? 5 : 30;
  const folder = join(root, ".cache", "notebooks-speed");
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  const { backend, store, close } = await openNotebooks({ file: join(folder, "chunks.db") });
  try {
    const id = await notebook(backend, store, sources);
    const chunks = await store.count(id);
    for (let n = 0; n < 3; n++) await backend.ask(id, question(n), signal);
    const asked = [];
    let right = 0;
    const count = quick ? 10 : 60;
    for (let i = 0; i < count; i++) {
      const n = Math.floor((i * sources) / count);
      const started = performance.now();
      const { answer } = await backend.ask(id, question(n), signal);
      asked.push(performance.now() - started);
      right += answer.includes(fact(n));
    }
    const added = [];
    const other = await backend.create("scratch", signal);
    for (let i = 0; i < (quick ? 1 : 3); i++) {
      const started = performance.now();
      await backend.addSource(other.id, { source_type: "text", title: `More ${i}`, text: sourceText(1_000 + i) }, signal);
      added.push(performance.now() - started);
    }
    await backend.remove(other.id, signal);
    const goal = full ? { goal: "< 150", met: median(asked) < 150 } : {};
    return [
      { name: `ask, ${sources} sources of ${WORDS} words (${chunks} chunks)`, ours: median(asked), unit: "ms p50", spread: spread(asked), note: `p95 ${percentile(asked, 95).toFixed(0)}`, ...goal },
      { name: "the one source that knows is quoted", ours: right / count, unit: "share" },
      { name: `add a text of ${WORDS} words`, ours: median(added), unit: "ms", spread: spread(added), goal: "< 2000", met: median(added) < 2000 },
    ];
  } finally {
    await close();
  }
}

await main(import.meta.url, bench);
