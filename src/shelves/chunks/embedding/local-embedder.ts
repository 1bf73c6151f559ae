import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { ShelfError } from "../../../kernel/errors.js";
import { moduleUrl } from "../../../kernel/module-url.js";
import { fitsUncounted } from "../../../text/query-vector.js";
import { type Embedder, tooLong } from "./embedder.js";
import { stampOf } from "./model-files.js";
import { type ModelFolder, readModelFolder, room } from "./model-folder.js";
import { createModelQueue, type QueueOptions } from "./model-queue.js";

export interface LocalEmbedder extends Embedder {
  /** Why the model cannot be used, once loading it has failed. */
  readonly unusable: string | undefined;
}

const MOST_THREADS = 4;
/** Texts tokenized in one go before others get a turn. */
const TURN = 16;

const ModelFacts = z.object({
  id: z.string(),
  dimension: z.int().positive(),
  pooling: z.string(),
  max_tokens: z.int().positive(),
  weights_sha256: z.string(),
});

/** A model folder made by scripts/build-model.mjs. Throws INDEX_UNAVAILABLE where it or its runtime is missing. */
export function openLocalEmbedder(folder: string, queueOptions: Partial<QueueOptions> = {}): LocalEmbedder {
  const reason = missing(folder);
  if (reason !== undefined) throw new ShelfError("INDEX_UNAVAILABLE", reason);

  const identity = factsOf(folder);
  const [graph, tokenizer] = [join(folder, "model.onnx"), join(folder, "tokenizer.json")];
  return open({ identity, graph, tokenizer, prompts: { query: "", passage: "" } }, queueOptions);
}

/** A model somebody has published, in a folder of the caller's. Throws INDEX_UNAVAILABLE with what is missing. `hashes` is where those of large files are remembered. */
export async function openModelFolder(folder: string, hashes?: string): Promise<LocalEmbedder> {
  const model = await readModelFolder(folder, hashes);
  const reason = withoutRuntime();
  if (reason !== undefined) throw new ShelfError("INDEX_UNAVAILABLE", reason);
  return open({ ...model, stamp: stampOf(model.graph) });
}

function open(
  { identity, graph, tokenizer, prompts, stamp = "" }: ModelFolder & { stamp?: string },
  queueOptions: Partial<QueueOptions> = {},
): LocalEmbedder {
  const { dimension, pooling, max_tokens, weights_sha256 } = identity;
  const threads = Math.min(MOST_THREADS, availableParallelism());
  const queue = createModelQueue({
    program: moduleUrl("./model-worker.js", import.meta.url),
    args: [graph, weights_sha256, String(threads), tokenizer, pooling, String(dimension), stamp],
    ...queueOptions,
  });
  const sizes = {
    body: Math.floor(max_tokens / 2),
    overlap: Math.floor(max_tokens / 8),
    prefix: Math.floor(max_tokens / 4),
    maxTokens: max_tokens,
  };
  return {
    identity,
    tokens: { by: "tokenizer", file: tokenizer },
    get unusable() {
      return queue.unusable;
    },

    async embed(texts, { signal, as = "passage" } = {}) {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      if (as === "query" && texts.every((text) => fitsUncounted(text, max_tokens)))
        return queue.runTexts(
          texts.map((text) => prompts.query + text),
          signal,
        );
      const prompt = as === "query" ? prompts.query : prompts.passage;
      const batch: number[][] = [];
      for (let i = 0; i < texts.length; i += TURN) {
        batch.push(...(await queue.encode(texts.slice(i, i + TURN).map((text) => prompt + text))));
        signal?.throwIfAborted();
      }
      const limit = max_tokens + room(prompts);
      const long = batch.findIndex((ids) => ids.length > limit);
      if (long >= 0) throw tooLong(long, batch[long]!.length, limit);
      return queue.run(batch, { as, signal });
    },

    windows: (passages) => queue.windows(passages, sizes),
    async countTokens(text) {
      const [ids] = await queue.encode([text]);
      return ids?.length ?? 0;
    },
    close: () => queue.close(),
  };
}

function factsOf(folder: string) {
  try {
    return ModelFacts.parse(JSON.parse(readFileSync(join(folder, "model.json"), "utf8")));
  } catch (cause) {
    throw new ShelfError("INDEX_UNAVAILABLE", "The embedding model's model.json cannot be read. Run npm run build.", {
      cause,
    });
  }
}

/** Checks what can be known without loading the model; the rest is checked when it is first used. */
function missing(folder: string): string | undefined {
  for (const name of ["model.json", "model.onnx", "tokenizer.json"])
    if (!existsSync(join(folder, name)))
      return `The embedding model is not there (${name} is missing). Run npm run build, or install the package again.`;
  return withoutRuntime();
}

function withoutRuntime(): string | undefined {
  const { platform, arch } = process;
  const require = createRequire(import.meta.url);
  try {
    const home = dirname(dirname(require.resolve("onnxruntime-node")));
    if (!existsSync(join(home, "bin", "napi-v3", platform, arch, "onnxruntime_binding.node")))
      return `onnxruntime-node has no binary for ${platform}-${arch}, so the embedding model cannot run here.`;
  } catch {
    return "onnxruntime-node is not installed, so the embedding model cannot run. Install the package again.";
  }
  if (platform === "linux" && onMusl())
    return "onnxruntime-node needs a Linux with glibc (Debian, Ubuntu, Fedora; not Alpine), so the embedding model cannot run here.";
  return undefined;
}

/**
 * Read from the libraries mapped into this process, since Node's own report is slow. musl is mapped under one of two
 * names, glibc under neither.
 */
function onMusl(): boolean {
  try {
    return /\/(ld-musl-[^/\n]*|libc\.so)$/m.test(readFileSync("/proc/self/maps", "utf8"));
  } catch {
    return false;
  }
}
