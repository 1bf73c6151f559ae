// Word search in memory beside MiniSearch, FlexSearch and Orama: the same texts, the same questions, asked in turn, each
// in a process of its own. Speed, memory and how good the ranking is stand side by side, for one without the others says
// little. `node bench/word-search.mjs [--quick | --full]` after a build.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { judgedSets, missingRow, readSet, scores } from "./judged.mjs";
import { questionOf, textOf } from "./made-up.mjs";
import { main, median, spread } from "./measure.mjs";

const SELF = fileURLToPath(import.meta.url);
const OURS = "Bookwheel";
const LIMIT = 10;

/** Lucene's list. The peers that bring none get it: their documentation advises one, and ours and FlexSearch have theirs. */
const STOP_WORDS =
  "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with".split(
    " ",
  );

/** By name: takes texts, gives a function from a question to the numbers of the best ten, best first. */
const INDEXES = {
  async [OURS](texts) {
    const { createWordIndex } = await import("../dist/text/word-index.js");
    const usual = texts.reduce((sum, text) => sum + text.split(" ").length, 0) / texts.length;
    const index = createWordIndex([{ weight: 1, usual }]);
    for (const text of texts) index.add([text], "en");
    const order = (a, b) => a - b;
    return (question) => index.search(question, { limit: LIMIT, order }).hits.map(({ document }) => document);
  },
  async MiniSearch(texts) {
    const { default: MiniSearch } = await import("minisearch");
    const left = new Set(STOP_WORDS);
    const processTerm = (term) => (left.has(term.toLowerCase()) ? null : term.toLowerCase());
    const index = new MiniSearch({ fields: ["text"], processTerm });
    index.addAll(texts.map((text, id) => ({ id, text })));
    return (question) =>
      index
        .search(question)
        .slice(0, LIMIT)
        .map(({ id }) => id);
  },
  async FlexSearch(texts) {
    const { Encoder, Index } = await import("flexsearch");
    const { default: EnglishPreset } = await import("flexsearch/lang/en");
    const index = new Index({ tokenize: "strict", encoder: new Encoder(EnglishPreset) });
    for (const [id, text] of texts.entries()) index.add(id, text);
    return (question) => index.search(question, { limit: LIMIT, suggest: true });
  },
  async Orama(texts) {
    const { create, insertMultiple, search } = await import("@orama/orama");
    const index = create({
      schema: { number: "number", text: "string" },
      components: { tokenizer: { language: "english", stemming: true, stopWords: STOP_WORDS } },
    });
    await insertMultiple(
      index,
      texts.map((text, number) => ({ number, text })),
      1000,
    );
    return async (term) =>
      (await search(index, { term, limit: LIMIT, properties: ["text"] })).hits.map(({ document }) => document.number);
  },
};
const ABOUT = {
  FlexSearch: "it ranks by place in the text, not by how rare a word is",
  Orama: "to it a word is also the beginning of longer ones",
};

export async function bench({ quick = false, full = false } = {}) {
  const size = quick ? 2_000 : full ? 100_000 : 20_000;
  const rounds = quick ? 3 : 5;
  const judged = judgedSets().filter((set) => ["scifact", "xquad-en"].includes(set) && (!quick || set === "xquad-en"));
  const rows = await compared(`${size} made-up texts of 40 words`, { size }, rounds);
  for (const set of judged) rows.push(...(await compared(set, { set }, 3)));
  if (judged.length === 0) rows.push(missingRow("the folder of texts with known answers"));
  return rows;
}

async function compared(of, request, rounds) {
  const sides = [];
  try {
    for (const name of Object.keys(INDEXES)) {
      const side = started({ ...request, name });
      sides.push({ name, ...side, ...(await side.heard()), times: [] });
    }
    const asked = sides.filter(({ failure }) => !failure);
    // The first round compiles the code and is not counted.
    for (let round = -1; round < rounds; round++)
      for (const side of asked) {
        side.child.send("ask");
        const { ms, ndcg } = await side.heard();
        if (round >= 0) side.times.push(ms);
        side.ndcg = ndcg;
      }
    const [ours, ...others] = sides;
    if (ours.failure) throw new Error(ours.failure);
    return others.flatMap((side) => rowsOf(of, ours, side));
  } finally {
    for (const { child } of sides) child.kill();
  }
}

/** A ratio above 1 says that ours is quicker, smaller or better. */
function rowsOf(of, ours, side) {
  const name = (what) => `${of}: ${what}`;
  if (side.failure) return [{ name: name(side.name), unit: "", note: `left out: ${side.failure}` }];
  const less = (what, unit, pick, extra = {}) => ({
    name: name(what),
    ours: pick(ours),
    unit,
    peer: pick(side),
    peerName: side.name,
    ratio: pick(side) / pick(ours),
    ...extra,
  });
  return [
    less("one question", "ms", ({ times }) => median(times), {
      spread: Math.max(spread(ours.times), spread(side.times)),
      ...(ABOUT[side.name] ? { note: ABOUT[side.name] } : {}),
    }),
    // Few texts are added before the code is compiled, and say little.
    ...(ours.count < 1000 ? [] : [less("adding a text", "µs", ({ addUs }) => addUs)]),
    less("memory of the index", "MiB", ({ mib }) => mib),
    ...(ours.ndcg === null
      ? []
      : [{ ...less("ranking", "nDCG@10", ({ ndcg }) => ndcg), ratio: ours.ndcg / side.ndcg }]),
  ];
}

function started(request) {
  const child = fork(SELF, ["index", JSON.stringify(request)], { execArgv: ["--expose-gc"] });
  const waiting = [];
  const said = [];
  const settle = (message) => (waiting.length > 0 ? waiting.shift()(message) : said.push(message));
  child.on("message", settle);
  child.on("exit", (code) => settle({ failure: `its process ended with ${code}` }));
  const heard = () => (said.length > 0 ? Promise.resolve(said.shift()) : new Promise((done) => waiting.push(done)));
  return { child, heard };
}

async function serve({ name, set, size }) {
  const queries = set ? readSet(set).queries : Array.from({ length: 200 }, (_, i) => ({ text: questionOf(i) }));
  globalThis.gc();
  const before = used();
  let corpus = set ? readSet(set).corpus : Array.from({ length: size }, (_, i) => ({ id: `${i}`, text: textOf(i) }));
  const ids = corpus.map(({ id }) => id);
  let texts = corpus.map(({ title = "", text }) => `${title} ${text}`.trim());
  corpus = undefined;
  const began = performance.now();
  // A peer that is not installed or refuses its texts is left out, and the row says why.
  const search = await INDEXES[name](texts).catch((error) => error);
  if (search instanceof Error) return process.send({ failure: search.message.split("\n")[0] });
  const addUs = ((performance.now() - began) / ids.length) * 1000;
  texts = undefined;
  globalThis.gc();
  process.send({ count: ids.length, addUs, mib: (used() - before) / 2 ** 20 });
  process.on("message", async () => {
    const answers = [];
    const started = performance.now();
    for (const { text } of queries) answers.push(await search(text));
    const ms = (performance.now() - started) / queries.length;
    const each = answers.map(
      (found, i) =>
        set &&
        scores(
          found.map((n) => ids[n]),
          queries[i].gains,
        ).ndcg,
    );
    process.send({ ms, ndcg: set ? each.reduce((sum, value) => sum + value, 0) / each.length : null });
  });
}

/** What the program holds, in the heap and beside it. */
const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;

if (process.argv[2] === "index") await serve(JSON.parse(process.argv[3]));
else await main(import.meta.url, bench);
