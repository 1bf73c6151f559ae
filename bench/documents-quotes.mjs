// Whether quotes that stand in a document are found in what was read of it, and altered ones are not. The modules of the
// program are passed in, so that the tests (from source) and `make bench` (from the build) measure the same way.

const MODEL = { id: "none", dimension: 2, pooling: "mean", max_tokens: 256, weights_sha256: null };
const PER_DOCUMENT = 25;

/** Verdicts over an even sample of `quotes`; every quote is also checked with one word replaced. */
export async function checkQuotes({ openStore, createQuotes, cutDocument, recipeFor, toChunks }, read, quotes) {
  const store = openStore();
  await store.createProject({
    id: "p",
    kind: "project",
    name: "p",
    description: null,
    model: MODEL,
    hybrid_enabled: true,
  });
  const cut = cutDocument(read, recipeFor(undefined, true));
  const chunks = await toChunks(cut, { docId: "d", modelId: "none", citekey: "k" });
  const now = new Date().toISOString();
  const { title, text, pages, headings, edits } = read;
  await store.replaceDocument(
    "p",
    {
      ...{ id: "d", title, citekey: "k", kind: "pdf", origin: null, sha256: "d", language: "en", csl: null, extra: {} },
      ...{ chunk_count: chunks.length, char_count: text.length, added_at: now, updated_at: now },
      ...{ text, pages, headings, edits },
    },
    chunks,
  );
  const checked = createQuotes({ store });
  const every = Math.max(1, Math.ceil(quotes.length / PER_DOCUMENT));
  const found = { all: 0, kept: 0, fooled: 0, failed: [] };
  for (const { text: quote, page } of quotes.filter((_, i) => i % every === 0)) {
    const { verdict } = await checked.verify("p", quote);
    found.all++;
    if (isVerbatim(verdict)) found.kept++;
    else found.failed.push(`p. ${page} ${verdict}: ${quote}`);
    const words = quote.split(" ");
    words[Math.floor(words.length / 2)] = "notwithstanding";
    if (isVerbatim((await checked.verify("p", words.join(" "))).verdict)) found.fooled++;
  }
  await store.close();
  return found;
}

const isVerbatim = (verdict) => verdict === "exact" || verdict === "normalised";
