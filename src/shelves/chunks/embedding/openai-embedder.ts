import { z } from "zod";
import { boundedText } from "../../../kernel/bounded-text.js";
import { ShelfError } from "../../../kernel/errors.js";
import { openAiAddress } from "../../../kernel/openai-address.js";
import { type Embedder, tooLong } from "./embedder.js";
import { estimateTokens } from "./token-counting.js";
import { cutWindows, type WindowRecipe } from "./windows.js";

/** A server that speaks OpenAI's `/v1/embeddings`. */
export interface RemoteModel {
  /** The address up to and including `/v1`, or the whole address of the endpoint. */
  url: string;
  model: string;
  apiKey?: string | undefined;
  /** Found out by a first call where it is not given. */
  dimension?: number | undefined;
  /** What the model reads at once. Its tokenizer is not available, so the number of tokens is estimated, rather too high than too low. */
  maxTokens?: number | undefined;
  timeoutMs?: number | undefined;
}

const BATCH = 32;
const MAX_TOKENS = 512;
const TIMEOUT_MS = 30_000;
const RETRY_SECONDS = 5;

const Answer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()) })),
});

export async function openRemoteEmbedder(remote: RemoteModel, signal?: AbortSignal): Promise<Embedder> {
  const { model, maxTokens = MAX_TOKENS } = remote;
  const dimension = remote.dimension ?? (await request(remote, ["dimension"], signal))[0]?.length ?? 0;
  if (dimension === 0) throw new ShelfError("INDEX_UNAVAILABLE", "The embedding server answered with an empty vector.");
  const recipe: WindowRecipe = {
    body: Math.floor(maxTokens * 0.7),
    overlap: Math.floor(maxTokens * 0.1),
    prefix: Math.floor(maxTokens * 0.2),
    limit: maxTokens,
    count: estimateTokens,
  };
  const closing = new AbortController();

  return {
    identity: { id: model, dimension, pooling: "remote", max_tokens: maxTokens, weights_sha256: null },

    async embed(texts, { signal } = {}) {
      for (const [index, text] of texts.entries()) {
        const tokens = estimateTokens(text);
        if (tokens > maxTokens) throw tooLong(index, tokens, maxTokens, "about ");
      }
      const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const vectors: Float32Array[] = [];
      for (let i = 0; i < texts.length; i += BATCH) {
        stop.throwIfAborted();
        for (const vector of await request(remote, texts.slice(i, i + BATCH), stop)) {
          if (vector.length !== dimension) throw changedDimension(dimension, vector.length);
          vectors.push(unit(vector));
        }
      }
      return vectors;
    },

    tokens: { by: "letters" },
    windows: async (passages) => passages.map(({ text, prefix }) => cutWindows(text, prefix, recipe)),
    countTokens: async (text) => estimateTokens(text),

    async close() {
      closing.abort(new ShelfError("INDEX_UNAVAILABLE", "The embedding server's connection is closed."));
    },
  };
}

/** One vector per text, in the order of `texts` whatever the order of the answer. */
async function request(remote: RemoteModel, texts: readonly string[], signal?: AbortSignal): Promise<number[][]> {
  const deadline = AbortSignal.timeout(remote.timeoutMs ?? TIMEOUT_MS);
  const response = await fetch(openAiAddress(remote.url, "embeddings"), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(remote.apiKey ? { authorization: `Bearer ${remote.apiKey}` } : {}),
    },
    body: JSON.stringify({ model: remote.model, input: texts, encoding_format: "float" }),
    redirect: "error",
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  }).catch((cause) => {
    signal?.throwIfAborted();
    throw unreachable(deadline.aborted ? "did not answer in time" : "cannot be reached", { cause });
  });
  if (!response.ok) throw refused(response);

  const body: unknown = await boundedText(response)
    .then(JSON.parse)
    .catch((cause) => {
      signal?.throwIfAborted();
      throw unreachable("sent an answer that is not JSON, or broke off", { cause });
    });
  return inOrder(body, texts.length);
}

function inOrder(body: unknown, expected: number): number[][] {
  const { data, success } = Answer.safeParse(body);
  if (!success || data.data.length !== expected) throw malformed();
  const vectors = new Array<number[] | undefined>(expected).fill(undefined);
  for (const [place, { index = place, embedding }] of data.data.entries()) {
    if (index >= expected || vectors[index] || !embedding.every(Number.isFinite)) throw malformed();
    vectors[index] = embedding;
  }
  return vectors.map((vector) => vector ?? []);
}

function refused(response: Response): ShelfError {
  const { status } = response;
  void response.body?.cancel();
  if (status === 429 || status >= 500) {
    const seconds = Number(response.headers.get("retry-after"));
    return unreachable(`answered ${status}`, { retry_after: seconds > 0 ? Math.ceil(seconds) : RETRY_SECONDS });
  }
  const way =
    status === 401 || status === 403
      ? "Check BOOKWHEEL_EMBED_API_KEY."
      : "Check BOOKWHEEL_EMBED_URL and BOOKWHEEL_EMBED_MODEL.";
  return new ShelfError("INDEX_UNAVAILABLE", `The embedding server refused the request with ${status}. ${way}`, {
    details: { status },
  });
}

function unreachable(what: string, extras: { retry_after?: number; cause?: unknown }): ShelfError {
  return new ShelfError("INDEX_UNAVAILABLE", `The embedding server ${what}. Call again later; doctor checks it.`, {
    retry_after: RETRY_SECONDS,
    ...extras,
  });
}

function malformed(): ShelfError {
  return new ShelfError(
    "INDEX_UNAVAILABLE",
    "The embedding server's answer is not one vector per text. Check BOOKWHEEL_EMBED_URL.",
  );
}

function changedDimension(expected: number, provided: number): ShelfError {
  return new ShelfError(
    "EMBEDDING_MISMATCH",
    `The embedding server now answers ${provided} dimensions instead of ${expected}. Restart after checking BOOKWHEEL_EMBED_MODEL.`,
    {
      details: { expected, provided },
    },
  );
}

function unit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  if (length === 0) throw malformed();
  return Float32Array.from(vector, (value) => value / length);
}
