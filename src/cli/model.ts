import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Config, isLoopback } from "../config/config.js";
import { ShelfError } from "../kernel/errors.js";
import { plural } from "../kernel/plural.js";
import { type AddedModel, modelShelf } from "../shelves/chunks/embedding/hub/added-models.js";
import { createModelHub, HubError } from "../shelves/chunks/embedding/hub/model-hub.js";
import { openModelFolder } from "../shelves/chunks/embedding/local-embedder.js";
import { type Console, misused, progressBar } from "./console.js";

interface ModelRequest {
  positionals: readonly string[];
  file?: string | undefined;
  revision?: string | undefined;
  json: boolean;
}
interface ModelDeps extends Console {
  config: Pick<Config, "BOOKWHEEL_HOME" | "BOOKWHEEL_EMBED_MODEL_DIR" | "HF_ENDPOINT" | "HF_TOKEN">;
  signal: AbortSignal;
  retryMs?: number;
}

const USAGE =
  "Write 'bookwheel model add ORG/NAME', 'model list' or 'model remove ORG/NAME'. For many languages: intfloat/multilingual-e5-small.";

/** Models of the hub in the data folder. */
export async function modelCommand(request: ModelRequest, deps: ModelDeps): Promise<number> {
  const [verb, name, ...rest] = request.positionals;
  const named = verb === "add" || verb === "remove";
  if (rest.length > 0 || !(named ? name : verb === "list" && name === undefined)) return misused(deps, USAGE);
  try {
    if (verb === "add") await add(name!, request, deps);
    else if (verb === "list") list(request, deps);
    else return await remove(name!, deps);
    return 0;
  } catch (error) {
    if (!(error instanceof HubError || error instanceof ShelfError)) throw error;
    deps.complain(error.message);
    return 1;
  }
}

const shelfOf = ({ config }: ModelDeps) => modelShelf(join(config.BOOKWHEEL_HOME, "models"));
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);

async function add(name: string, { file, revision, json }: ModelRequest, deps: ModelDeps): Promise<void> {
  const { config, print, complain, signal } = deps;
  const endpoint = config.HF_ENDPOINT!;
  const { protocol, hostname } = new URL(endpoint);
  if (protocol !== "https:" && !isLoopback(hostname))
    throw new HubError("HF_ENDPOINT must be https://: what is fetched, and the token, could be read on the way.");
  const bar = progressBar(deps.terminal);
  const rate = meter();
  let shown = "";
  const model = await shelfOf(deps)
    .add(name, {
      hub: createModelHub({ endpoint, token: config.HF_TOKEN, signal }),
      machine: { arch: process.arch, has: hasFeature },
      file,
      revision,
      signal,
      ...(deps.retryMs === undefined ? {} : { retryMs: deps.retryMs }),
      begin: ({ graph, bytes, files }) =>
        complain(`${name}: ${plural(files, "file")}, ${megabytes(bytes)} MB, with ${graph}.`),
      progress(done, total, path) {
        if (deps.terminal) bar.show(Math.floor(done / 1e6), Math.ceil(total / 1e6), `MB, ${rate(done)}, ${path}`);
        else if (path !== shown) complain(path);
        shown = path;
      },
    })
    .finally(bar.clear);

  const hashes = join(config.BOOKWHEEL_HOME, "model-hashes.json");
  const embedder = await openModelFolder(model.folder, hashes);
  try {
    await embedder.embed(["All men by nature desire to know."], { as: "query", signal });
  } finally {
    await embedder.close();
  }
  const { dimension, pooling, max_tokens } = embedder.identity;
  if (json) {
    print(JSON.stringify({ ...summary(model), dimension, pooling, max_tokens, fetched: model.fetched }));
    return;
  }
  print(
    `${name} ${model.fetched ? "is here" : "was here already"} and works: ${dimension} dimensions, ${pooling} pooling, ${max_tokens} tokens.`,
  );
  print("To use it for new projects and for highlights, set:");
  print(`BOOKWHEEL_EMBED_MODEL_DIR=${model.folder}`);
}

function list({ json }: ModelRequest, deps: ModelDeps): void {
  const shelf = shelfOf(deps);
  const [models, unfinished] = [shelf.list(), shelf.unfinished()];
  const used = deps.config.BOOKWHEEL_EMBED_MODEL_DIR;
  const inUse = ({ folder }: AddedModel) => used !== undefined && resolve(used) === resolve(folder);
  if (json) {
    deps.print(
      JSON.stringify({ models: models.map((each) => ({ ...summary(each), in_use: inUse(each) })), unfinished }),
    );
    return;
  }
  for (const model of models)
    deps.print(
      `${model.id}  ${megabytes(model.bytes)} MB  ${model.graph}${inUse(model) ? "  in use" : ""}\n  BOOKWHEEL_EMBED_MODEL_DIR=${model.folder}`,
    );
  for (const { id, bytes } of unfinished)
    deps.print(`${id}  unfinished, ${megabytes(bytes)} MB so far: 'bookwheel model add ${id}' goes on`);
  if (models.length + unfinished.length === 0)
    deps.print("None but the built-in all-MiniLM-L6-v2. 'bookwheel model add ORG/NAME' fetches one.");
}

async function remove(name: string, deps: ModelDeps): Promise<number> {
  const folder = await shelfOf(deps).remove(name);
  if (folder === undefined) {
    deps.complain(`'${name}' is not here. 'bookwheel model list' lists what is.`);
    return 1;
  }
  deps.print(`${name} is removed.`);
  const used = deps.config.BOOKWHEEL_EMBED_MODEL_DIR;
  if (used !== undefined && resolve(used) === resolve(folder))
    deps.complain("BOOKWHEEL_EMBED_MODEL_DIR still names it: unset it, or the next start is refused.");
  return 0;
}

const summary = ({ id, revision, graph, folder, bytes }: AddedModel) => ({ id, revision, graph, folder, bytes });

/** Megabytes per second since the first bytes of this run. */
function meter() {
  let first: { at: number; done: number } | undefined;
  return (done: number): string => {
    first ??= { at: performance.now(), done };
    const seconds = (performance.now() - first.at) / 1000;
    return seconds < 1 ? "…" : `${((done - first.done) / 1e6 / seconds).toFixed(1)} MB/s`;
  };
}

const CPU = "/proc/cpuinfo";
let features: Set<string> | undefined;
/** Known only on Linux; elsewhere graphs without special instructions are chosen. */
function hasFeature(feature: string): boolean {
  features ??= new Set(
    existsSync(CPU) ? (/^flags\s*: (.*)$/m.exec(readFileSync(CPU, "utf8"))?.[1]?.split(" ") ?? []) : [],
  );
  return features.has(feature);
}
