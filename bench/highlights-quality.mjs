// Whether a reader finds again what they half remember: requests in other words than the highlight they mean, known
// words, and things that are not there, asked of the demo library through search_highlights and search_library (which
// has the demo's essays and notebooks beside its highlights). Two sets of requests: one for choosing weights and
// limits, one that was never used for that.
//
//   npm run build && node bench/highlights-quality.mjs [--misses]
import { setTimeout as sleep } from "node:timers/promises";
import { callTool } from "../dist/catalog/call-tool.js";
import { cosine } from "../dist/kernel/vector.js";
import { sampleLibrary } from "../dist/sandbox/readwise/sample.js";
import { startReadwiseSandbox } from "../dist/sandbox/readwise/server.js";
import { createEmbedders } from "../dist/shelves/chunks/embedding/embedders.js";
import { createDotKernel } from "../dist/shelves/chunks/stores/sqlite/dot-kernel.js";
import { sqliteMeaningStore } from "../dist/shelves/chunks/stores/sqlite-meaning.js";
import { httpReadwise } from "../dist/shelves/readwise/backends/http.js";
import { memoryCacheStore } from "../dist/shelves/readwise/cache/stores/memory.js";
import { createReadwiseShelf } from "../dist/shelves/readwise/library/library.js";
import { createMeaning } from "../dist/shelves/readwise/meaning/meaning.js";
import { searchHighlights } from "../dist/shelves/readwise/tools/search-highlights.js";
import { analyse, foldedWords } from "../dist/text/analysis.js";
import { detectLanguage } from "../dist/text/language.js";
import { isStopWord } from "../dist/text/stop-words.js";
import { caller } from "../scripts/example-calls.mjs";
import { startDemo } from "../scripts/start-demo.mjs";
import { ABSENT, KNOWN } from "./known-items.mjs";
import { ABSENT_HELD_OUT, KNOWN_HELD_OUT } from "./known-items-held-out.mjs";
import { main } from "./measure.mjs";

const SETS = [
  { name: "first set", known: KNOWN, absent: ABSENT },
  { name: "held out", known: KNOWN_HELD_OUT, absent: ABSENT_HELD_OUT },
];

const KEY = "bench";
const KNOWN_WORDS = 100;
const ANSWER_CHARS = 40_000;
/** Words of a request that name nothing. */
const EMPTY = new Set("about my me nor all own unless seem might be being us once itself".split(" "));

/** @returns {Promise<import("./measure.mjs").Row[]>} */
export async function bench() {
  const sandbox = await startReadwiseSandbox({ libraries: { [KEY]: sampleLibrary() } });
  const embedders = await createEmbedders();
  const meaning = createMeaning({
    embedders,
    store: sqliteMeaningStore({ file: ":memory:", maxBytes: 2 ** 30 }),
    kernelFor: (rowBytes) => createDotKernel({ rowBytes }),
  });
  const shelfWith = (more) =>
    createReadwiseShelf({
      api: httpReadwise({ baseUrl: sandbox.url, timeoutMs: 60_000 }),
      cache: { enabled: true, maxBytes: 128 * 2 ** 20, ttlMs: 3_600_000 },
      store: memoryCacheStore,
      ...more,
    });
  const shelves = { "words alone": shelfWith({}), "words and meaning": shelfWith({ meaning }) };
  const demo = await startDemo();
  try {
    const highlights = await allHighlights(shelves["words alone"]);
    const sets = SETS.map((set) => ({
      ...set,
      wanted: set.known.map(([request, beginning]) => meant(request, beginning, highlights)),
    }));
    await askIn(shelves["words and meaning"])("anything");
    await meaning.settled();
    const rows = [];
    const near = await modelAlone(embedders, highlights);
    for (const set of sets) rows.push(...hitRows(`the model alone, ${set.name}`, await near(set), set));
    const sides = Object.fromEntries(Object.entries(shelves).map(([name, shelf]) => [name, askIn(shelf)]));
    sides["search_library, words and meaning"] = await askLibrary(demo.url, highlights.length);
    for (const [side, ask] of Object.entries(sides)) {
      for (const set of sets) rows.push(...(await rowsOf(`${side}, ${set.name}`, ask, set)));
      rows.push(await knownWordsRow(side, ask, highlights));
    }
    return rows;
  } finally {
    await demo.stop();
    for (const shelf of Object.values(shelves)) await shelf.close();
    await embedders.close();
    await sandbox.close();
  }
}

const askIn = (shelf) => async (query) => {
  const outcome = await callTool(searchHighlights, { query, limit: 10 }, contextOf(shelf));
  if (!outcome.ok) throw new Error(outcome.error.message);
  const { results, best_match } = outcome.data;
  return { texts: results.map(({ highlight }) => highlight.text), best_match };
};

/** The whole demo through its own door, once all of it is searched by meaning. */
async function askLibrary(url, highlights) {
  const call = caller(url);
  for (let patience = 600; ; patience--) {
    const { by_meaning } = await call("search_highlights", { query: "anything", limit: 1 });
    if (by_meaning >= highlights) break;
    if (patience === 0) throw new Error(`By meaning only ${by_meaning} of ${highlights} highlights are searched.`);
    await sleep(500);
  }
  return async (query) => {
    const { results, best_match } = await call("search_library", { query, limit: 10 });
    return { texts: results.map(({ text }) => text), best_match };
  };
}

async function rowsOf(side, ask, { known, absent, wanted }) {
  const answers = [];
  for (const [request] of known) answers.push(await ask(request));
  const places = answers.map(({ texts }, i) => texts.indexOf(wanted[i].text));
  if (process.argv.includes("--misses"))
    for (const [i, place] of places.entries())
      if (place < 0 || place >= 5) console.error(`${side}: ${place} ${known[i][0]}`);
  const noes = [];
  for (const query of absent) noes.push(await ask(query));
  const firsts = answers.filter((_, i) => places[i] === 0);
  return [
    ...hitRows(side, places, { wanted }),
    {
      name: `${side}: right first hits not called good`,
      unit: "share",
      ours: share(firsts, ({ best_match }) => best_match !== "good"),
    },
    {
      name: `${side}: ${absent.length} things that are not there`,
      unit: "plain noes",
      ours: share(noes, ({ best_match }) => best_match === "none"),
    },
  ];
}

async function knownWordsRow(side, ask, highlights) {
  const every = Math.floor(highlights.length / KNOWN_WORDS);
  const sample = highlights.filter((_, i) => i % every === 0).slice(0, KNOWN_WORDS);
  let first = 0;
  for (const { text } of sample) {
    const { texts } = await ask(text.split(/\s+/).slice(0, 8).join(" "));
    if (texts[0] === text) first++;
  }
  return { name: `${side}: known words, first place`, unit: `of ${sample.length}`, ours: first };
}

const share = (list, isOne) => list.filter(isOne).length / list.length;

function hitRows(side, places, { wanted }) {
  const english = places.filter((_, i) => isEnglish(wanted[i].text));
  const found = (place) => place >= 0 && place < 5;
  return [
    { name: `${side}: half remembered, all ${places.length}`, unit: "hit@5", ours: share(places, found) },
    { name: `${side}: half remembered, all ${places.length}`, unit: "hit@1", ours: share(places, (p) => p === 0) },
    { name: `${side}: the ${english.length} in English`, unit: "hit@5", ours: share(english, found) },
  ];
}
const isEnglish = (text) =>
  isLatinText(text) && (detectLanguage(text) ?? "en") === "en" && !/lucili|ubique/i.test(text);
const isLatinText = (text) => !/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text);

/** What the model finds by itself: the nearer of a highlight's text and its text with note and title. */
async function modelAlone(embedders, highlights) {
  const model = embedders.get(embedders.preferred);
  const vectorsOf = async (texts, as) => {
    const vectors = [];
    for (let at = 0; at < texts.length; at += 64)
      vectors.push(...(await model.embed(texts.slice(at, at + 64), { as })));
    return vectors;
  };
  const firsts = async (passages) => (await model.windows(passages)).map(([first]) => first);
  const plain = await vectorsOf(await firsts(highlights.map(({ text }) => ({ text, prefix: "" }))), "passage");
  const about = ({ text, note, title }) => ({ text: [text, note].filter(Boolean).join("\n"), prefix: title });
  const titled = await vectorsOf(await firsts(highlights.map(about)), "passage");
  return async ({ known, wanted }) => {
    const asked = await vectorsOf(
      known.map(([request]) => request),
      "query",
    );
    return asked.map((query, i) => {
      const near = highlights.map((_, j) => Math.max(cosine(query, plain[j]), cosine(query, titled[j])));
      const own = near[highlights.indexOf(wanted[i])];
      return near.filter((each) => each > own).length;
    });
  };
}

const contextOf = (readwise) => ({
  services: { readwise },
  caller: { readwiseKey: KEY },
  signal: new AbortController().signal,
  progress() {},
});

async function allHighlights(shelf) {
  const library = shelf.forKey(KEY);
  const found = [];
  let cursor;
  do {
    const page = await library.exporting.exportHighlights(
      { limit: 100, cursor },
      ANSWER_CHARS,
      new AbortController().signal,
    );
    for (const { title, highlights } of page.results)
      found.push(...highlights.map((highlight) => ({ ...highlight, title })));
    cursor = page.next_cursor;
  } while (cursor);
  return found;
}

/** The highlight a request means; a request that gives its words away is no test. */
function meant(request, beginning, highlights) {
  const matches = highlights.filter(({ text }) => text.startsWith(beginning));
  if (matches.length !== 1) throw new Error(`'${beginning}' begins ${matches.length} highlights.`);
  const given = contentOf(matches[0].text);
  const shared = [...contentOf(request)].filter((term) => given.has(term));
  if (shared.length > 0) throw new Error(`'${request}' shares ${shared.join(", ")} with its highlight.`);
  return matches[0];
}
const contentOf = (text, language = detectLanguage(text) ?? "en") =>
  new Set(
    foldedWords(text)
      .filter((word) => !["en", language].some((each) => isStopWord(word, each)) && !EMPTY.has(word))
      .flatMap((word) => analyse(word, "en")),
  );

await main(import.meta.url, bench);
