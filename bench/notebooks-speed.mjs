// A notebook of 300 sources of 5,000 words: how long a question takes without a language model, and how long it takes to
// add one more source, beside the time its embedding takes alone. The 300 get made-up vectors, for embedding them would
// take most of an hour and a search takes the same time whatever the numbers are; the rest is the real thing.
import { sampleNotebooks } from "../dist/sandbox/sample/notebooks.js";
import { inTurn, main, median, percentile, spread } from "./measure.mjs";
import { openNotebooks } from "./notebooks-qa.mjs";

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

// Running text, so that common words are common.
const VOCABULARY = sampleNotebooks.flatMap(({ sources }) => sources.flatMap(({ text }) => text.match(/[a-z]{2,}/g)));
const NAMES = "ba de fi go ka le mi no pa re si to".split(" ");
const nameOf = (n) => `T${[n % 12, Math.floor(n / 12) % 12, Math.floor(n / 144) % 12].map((i) => NAMES[i]).join("")}`;

/** Sentences of English words drawn at random, and a fact nobody else has. */
function sourceText(number, words = WORDS) {
  const next = random(number + 1);
  const paragraphs = [];
  let written = 0;
  while (written < words) {
    const sentences = Array.from({ length: 6 }, () => {
      const length = 8 + Math.floor(next() * 14);
      written += length;
      const text = Array.from({ length }, () => VOCABULARY[Math.floor(next() * VOCABULARY.length)]).join(" ");
      return `${text[0].toUpperCase()}${text.slice(1)}.`;
    });
    if (paragraphs.length === 3) sentences.push(fact(number));
    paragraphs.push(sentences.join(" "));
  }
  return paragraphs.join("\n\n");
}
const fact = (n) => `The harbour of ${nameOf(n)} was opened in the year ${1000 + n} by a famous engineer.`;
const question = (n) => `When was the harbour of ${nameOf(n)} opened?`;

/** The same model by name, with numbers out of a hat in place of its work. */
function madeUp(embedders) {
  const real = embedders.get(embedders.preferred);
  const next = random(7);
  const vector = () => {
    const values = Float32Array.from({ length: real.identity.dimension }, () => next() - 0.5);
    const length = Math.hypot(...values);
    return values.map((value) => value / length);
  };
  const quick = {
    identity: real.identity,
    tokens: real.tokens,
    windows: real.windows,
    countTokens: real.countTokens,
    embed: async (texts) => texts.map(vector),
    close: async () => {},
  };
  return {
    preferred: embedders.preferred,
    unavailable: undefined,
    get: () => quick,
    list: embedders.list,
    close: async () => {},
  };
}

export async function bench({ quick = false } = {}) {
  const sources = quick ? 20 : 300;
  const { backend, store, embedders, open, close } = await openNotebooks();
  try {
    const filler = open(madeUp(embedders));
    const { id } = await backend.create("speed", signal);
    for (let n = 0; n < sources; n++)
      await filler.addSource(id, { source_type: "text", title: `Source ${n}`, text: sourceText(n) }, signal);
    const asked = [];
    let right = 0;
    const count = quick ? 10 : 100;
    for (let i = -3; i < count; i++) {
      const n = (Math.abs(i) * 37) % sources;
      const started = performance.now();
      const { answer } = await backend.ask(id, question(n), signal);
      if (i < 0) continue;
      asked.push(performance.now() - started);
      right += answer.includes(fact(n));
    }
    const embedder = embedders.get(embedders.preferred);
    const other = await backend.create("one more", signal);
    let more = 1_000;
    const time = async (work) => {
      const started = performance.now();
      await work();
      return performance.now() - started;
    };
    const values = await inTurn(
      {
        add: () =>
          time(() =>
            backend.addSource(other.id, { source_type: "text", title: "More", text: sourceText(more++) }, signal),
          ),
        embed: () => time(() => embedWindows(embedder, sourceText(more))),
      },
      quick ? 1 : 5,
    );
    const [add, embed] = [median(values.add), median(values.embed)];
    return [
      {
        name: `ask, ${sources} sources of ${WORDS} words (${await store.count(id)} chunks)`,
        ours: median(asked),
        unit: "ms p50",
        spread: spread(asked),
        note: `p95 ${percentile(asked, 95).toFixed(0)}`,
        goal: "< 150",
        met: median(asked) < 150,
      },
      {
        name: "the one source that knows is quoted",
        ours: right / count,
        unit: "share",
        goal: "≥ 0.95",
        met: right / count >= 0.95,
      },
      {
        name: `add a text of ${WORDS} words`,
        ours: add,
        unit: "ms",
        limit: embed,
        limitName: "embedding alone",
        share: embed / add,
        spread: spread(values.add),
        goal: "< 2000",
        met: add < 2000,
      },
    ];
  } finally {
    await close();
  }
}

async function embedWindows(embedder, text) {
  const [windows] = await embedder.windows([{ text, prefix: "More" }]);
  return embedder.embed(windows, { as: "passage" });
}

await main(import.meta.url, bench);
