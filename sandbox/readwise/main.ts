import { parseArgs } from "node:util";
import { generateLibrary } from "./generate.js";
import { sampleLibrary } from "./sample.js";
import { startReadwiseSandbox } from "./server.js";

const USAGE = `The Readwise simulator: the v2 and v3 APIs over a made-up library.

  --port N         port to listen on (8765)
  --host ADDRESS   address to listen on (127.0.0.1)
  --tokens a,b     the tokens there are, each with its own library (demo)
  --any-token      accept every token, each with its own library
  --highlights N   a generated library of this size instead of the sample library
  --sources N      its sources (highlights / 16)
  --documents N    its Reader documents (sources / 5)
  --feed N         posts of subscriptions on top of them (0)
  --seed TEXT      another seed, another library (1)
  --page-size N    sources on a page of the export (100)
  --no-limits      no rate limits
`;

const OPTIONS = {
  port: { type: "string", default: "8765" },
  host: { type: "string", default: "127.0.0.1" },
  tokens: { type: "string", default: "demo" },
  "any-token": { type: "boolean", default: false },
  highlights: { type: "string" },
  sources: { type: "string" },
  documents: { type: "string" },
  feed: { type: "string" },
  seed: { type: "string", default: "1" },
  "page-size": { type: "string", default: "100" },
  "no-limits": { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

function readFlags() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    // parseArgs throws with a sentence about the flag that is wrong.
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}

const values = readFlags();

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  console.error(`--${name} must be a whole number, not '${text}'.`);
  process.exit(2);
}

if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const tokens = values.tokens.split(",").map((token) => token.trim());
const generated = values.highlights ?? values.sources ?? values.documents ?? values.feed;

function makeLibrary(token: string) {
  if (generated === undefined) return sampleLibrary();
  const sources = values.sources === undefined ? undefined : wholeNumber("sources", values.sources);
  const highlights =
    values.highlights === undefined ? (sources ?? 125) * 16 : wholeNumber("highlights", values.highlights);
  const shelf = sources ?? Math.max(1, Math.round(highlights / 16));
  const documents = values.documents === undefined ? Math.round(shelf / 5) : wholeNumber("documents", values.documents);
  const feed = values.feed === undefined ? 0 : wholeNumber("feed", values.feed);
  const seed = tokens.indexOf(token) > 0 || values["any-token"] ? `${values.seed} ${token}` : values.seed;
  return generateLibrary({ seed, highlights, sources: shelf, documents, feed });
}

const sandbox = await startReadwiseSandbox({
  port: wholeNumber("port", values.port),
  host: values.host,
  exportPageSize: Math.max(1, wholeNumber("page-size", values["page-size"])),
  ...(values["no-limits"] ? { limits: false as const } : {}),
  library: (token) => (values["any-token"] || tokens.includes(token) ? makeLibrary(token) : null),
});

console.log(`Readwise sandbox on ${sandbox.url}`);
console.log(`READWISE_API_URL=${sandbox.url} READWISE_API_KEY=${tokens[0]}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void sandbox.close());
