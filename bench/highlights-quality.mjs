// Whether a reader finds again what they half remember: requests in other words than the highlight they mean, known
// words, and things that are not there, asked of the demo library through search_highlights.
//
//   npm run build && node bench/highlights-quality.mjs [--misses]
import { callTool } from "../dist/catalog/call-tool.js";
import { sampleLibrary } from "../dist/sandbox/readwise/sample.js";
import { startReadwiseSandbox } from "../dist/sandbox/readwise/server.js";
import { cosine } from "../dist/shelves/chunks/cosine.js";
import { createEmbedders } from "../dist/shelves/chunks/embedding/embedders.js";
import { createDotKernel } from "../dist/shelves/chunks/stores/sqlite/dot-kernel.js";
import { httpReadwise } from "../dist/shelves/readwise/backends/http.js";
import { memoryCacheStore } from "../dist/shelves/readwise/cache/stores/memory.js";
import { createReadwiseShelf } from "../dist/shelves/readwise/library/library.js";
import { createMeaning } from "../dist/shelves/readwise/meaning/meaning.js";
import { memoryMeaningStore } from "../dist/shelves/readwise/meaning/meaning-store.js";
import { searchHighlights } from "../dist/shelves/readwise/tools/search-highlights.js";
import { analyse, foldedWords } from "../dist/text/analysis.js";
import { detectLanguage } from "../dist/text/language.js";
import { isStopWord } from "../dist/text/stop-words.js";
import { ABSENT, KNOWN } from "./known-items.mjs";
import { main } from "./measure.mjs";

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
    store: memoryMeaningStore(),
    kernelFor: (rowBytes) => createDotKernel({ rowBytes }),
  });
  const shelfWith = (more) =>
    createReadwiseShelf({
      api: httpReadwise({ baseUrl: sandbox.url, timeoutMs: 60_000 }),
      cache: { enabled: true, maxBytes: 128 * 2 ** 20, ttlMs: 3_600_000 },
      store: memoryCacheStore,
      ...more,
    });
  const sides = { "words alone": shelfWith({}), "words and meaning": shelfWith({ meaning }) };
  try {
    const highlights = await allHighlights(sides["words alone"]);
    const wanted = KNOWN.map(([request, beginning]) => meant(request, beginning, highlights));
    await askIn(sides["words and meaning"])("anything");
    await meaning.settled();
    const rows = await modelAlone(embedders, highlights, wanted);
    for (const [side, shelf] of Object.entries(sides)) rows.push(...(await rowsOf(side, shelf, highlights, wanted)));
    return rows;
  } finally {
    for (const shelf of Object.values(sides)) await shelf.close();
    await embedders.close();
    await sandbox.close();
  }
}

const askIn = (shelf) => async (query) => {
  const outcome = await callTool(searchHighlights, { query, limit: 10 }, contextOf(shelf));
  if (!outcome.ok) throw new Error(outcome.error.message);
  const { results, best_match } = outcome.data;
  return { ids: results.map(({ highlight }) => highlight.id), best_match };
};

async function rowsOf(side, shelf, highlights, wanted) {
  const ask = askIn(shelf);
  const answers = [];
  for (const [request] of KNOWN) answers.push(await ask(request));
  const places = answers.map(({ ids }, i) => ids.indexOf(wanted[i]));
  if (process.argv.includes("--misses"))
    for (const [i, place] of places.entries()) if (place < 0 || place >= 5) console.error(`${place} ${KNOWN[i][0]}`);
  const absent = [];
  for (const query of ABSENT) absent.push(await ask(query));
  const every = Math.floor(highlights.length / KNOWN_WORDS);
  const sample = highlights.filter((_, i) => i % every === 0).slice(0, KNOWN_WORDS);
  let first = 0;
  for (const { id, text } of sample) {
    const { ids } = await ask(text.split(/\s+/).slice(0, 8).join(" "));
    if (ids[0] === id) first++;
  }
  const firsts = answers.filter((_, i) => places[i] === 0);
  return [
    ...hitRows(side, places, highlights, wanted),
    {
      name: `${side}: right first hits not called good`,
      unit: "share",
      ours: share(firsts, ({ best_match }) => best_match !== "good"),
    },
    {
      name: `${side}: ${ABSENT.length} things that are not there`,
      unit: "plain noes",
      ours: share(absent, ({ best_match }) => best_match === "none"),
    },
    { name: `${side}: known words, first place`, unit: `of ${sample.length}`, ours: first },
  ];
}

const share = (list, isOne) => list.filter(isOne).length / list.length;

function hitRows(side, places, highlights, wanted) {
  const half = (odd) => places.filter((_, i) => i % 2 === odd);
  const byId = new Map(highlights.map((highlight) => [highlight.id, highlight]));
  const english = places.filter((_, i) => isEnglish(byId.get(wanted[i]).text));
  const found = (place) => place >= 0 && place < 5;
  return [
    { name: `${side}: half remembered, for tuning`, unit: "hit@5", ours: share(half(0), found) },
    { name: `${side}: half remembered, held out`, unit: "hit@5", ours: share(half(1), found) },
    { name: `${side}: half remembered, all ${places.length}`, unit: "hit@5", ours: share(places, found) },
    { name: `${side}: the ${english.length} in English`, unit: "hit@5", ours: share(english, found) },
  ];
}
const isEnglish = (text) =>
  isLatinText(text) && (detectLanguage(text) ?? "en") === "en" && !/lucili|ubique/i.test(text);
const isLatinText = (text) => !/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text);

/** What the model finds by itself: the nearer of a highlight's text and its text with note and title. */
async function modelAlone(embedders, highlights, wanted) {
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
  const asked = await vectorsOf(
    KNOWN.map(([request]) => request),
    "query",
  );
  const places = asked.map((query, i) => {
    const near = highlights.map((_, j) => Math.max(cosine(query, plain[j]), cosine(query, titled[j])));
    const own = near[highlights.findIndex(({ id }) => id === wanted[i])];
    return near.filter((each) => each > own).length;
  });
  return hitRows("the model alone", places, highlights, wanted);
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
    const page = await library.exportHighlights({ limit: 100, cursor }, ANSWER_CHARS, new AbortController().signal);
    for (const { title, highlights } of page.results)
      found.push(...highlights.map((highlight) => ({ ...highlight, title })));
    cursor = page.next_cursor;
  } while (cursor);
  return found;
}

/** The id of the highlight a request means; a request that gives its words away is no test. */
function meant(request, beginning, highlights) {
  const matches = highlights.filter(({ text }) => text.startsWith(beginning));
  if (matches.length !== 1) throw new Error(`'${beginning}' begins ${matches.length} highlights.`);
  const given = contentOf(matches[0].text);
  const shared = [...contentOf(request)].filter((term) => given.has(term));
  if (shared.length > 0) throw new Error(`'${request}' shares ${shared.join(", ")} with its highlight.`);
  return matches[0].id;
}
const contentOf = (text) =>
  new Set(
    foldedWords(text)
      .filter((word) => !isStopWord(word, "en") && !EMPTY.has(word))
      .flatMap((word) => analyse(word, "en")),
  );

await main(import.meta.url, bench);
