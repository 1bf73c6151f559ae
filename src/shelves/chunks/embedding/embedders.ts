import { fileURLToPath } from "node:url";
import { ShelfError } from "../../../kernel/errors.js";
import { moduleUrl } from "../../../kernel/module-url.js";
import { steadyNow } from "../../../kernel/time.js";
import { type Embedder, type Embedders, type ModelIdentity, usualName } from "./embedder.js";
import { type LocalEmbedder, openLocalEmbedder, openModelFolder } from "./local-embedder.js";
import { openRemoteEmbedder, type RemoteModel } from "./openai-embedder.js";

interface EmbeddersOptions {
  /** A folder made by scripts/build-model.mjs; by default the one in the package. */
  modelDir?: string | undefined;
  /** A folder with a published model. Preferred where given, as a server is: somebody chose it on purpose. */
  ownDir?: string | undefined;
  remote?: RemoteModel | undefined;
  /** A file that remembers the hashes of large weights. */
  hashes?: string | undefined;
}

/** How long to wait before trying a server again that did not answer at start-up. */
const ASK_AGAIN_MS = 30_000;
const FIRST_CALL_MS = 5_000;

export async function createEmbedders(options: EmbeddersOptions = {}): Promise<Embedders> {
  const { modelDir = packaged(), ownDir, remote, hashes } = options;
  const local = attempt(() => openLocalEmbedder(modelDir));
  const first = ownDir ? own(await openModelFolder(ownDir, hashes)) : remote ? await connect(remote) : undefined;

  const usable = (): Embedder[] => {
    const near = "embedder" in local && local.embedder.unusable === undefined ? [local.embedder] : [];
    const other = first?.embedder();
    return other ? [other, ...near] : near;
  };
  const whyNot = () => ("reason" in local ? local.reason : local.embedder.unusable);

  return {
    // Never the local model in place of a chosen one: a project would be bound to it for good.
    get preferred() {
      return first ? first.embedder()?.identity : usable()[0]?.identity;
    },
    get unavailable() {
      return first ? first.reason() : whyNot();
    },
    get: (wanted) => usable().find(({ identity }) => matches(identity, wanted)),
    list: () => usable().map(({ identity }) => identity),
    async close() {
      await Promise.all([first?.close(), "embedder" in local ? local.embedder.close() : undefined]);
    },
  };
}

/** Whether the fields that a bound identity has equal this one's. */
function matches(identity: ModelIdentity, wanted: Pick<ModelIdentity, "id"> & Partial<ModelIdentity>): boolean {
  return (
    usualName(identity.id) === usualName(wanted.id) &&
    (wanted.dimension ?? identity.dimension) === identity.dimension &&
    (wanted.pooling ?? identity.pooling) === identity.pooling &&
    (wanted.max_tokens ?? identity.max_tokens) === identity.max_tokens &&
    (wanted.weights_sha256 === undefined || wanted.weights_sha256 === identity.weights_sha256)
  );
}

function own(model: LocalEmbedder) {
  return {
    embedder: () => (model.unusable === undefined ? model : undefined),
    reason: () => model.unusable,
    close: () => model.close(),
  };
}

function attempt(open: () => LocalEmbedder): { embedder: LocalEmbedder } | { reason: string } {
  try {
    return { embedder: open() };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/** A server that is down when we start may be up later: words are searched until then, and it is asked again. */
async function connect(remote: RemoteModel) {
  let embedder: Embedder | undefined;
  let reason: string | undefined;
  let asked = 0;
  let asking: Promise<void> | undefined;
  const closing = new AbortController();

  async function ask() {
    asked = steadyNow();
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(FIRST_CALL_MS)]);
    try {
      embedder = await openRemoteEmbedder(remote, signal);
      reason = undefined;
    } catch (error) {
      reason = signal.aborted ? "The embedding server did not answer in time." : reasonOf(error);
    }
    asking = undefined;
  }
  await ask();

  return {
    embedder() {
      if (!embedder && !closing.signal.aborted && steadyNow() - asked > ASK_AGAIN_MS) asking ??= ask();
      return embedder;
    },
    reason: () => reason,
    async close() {
      closing.abort();
      await asking;
      await embedder?.close();
    },
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof ShelfError) return error.message;
  throw error;
}

function packaged(): string {
  return fileURLToPath(new URL("../../../models/all-MiniLM-L6-v2", moduleUrl("./embedders.js", import.meta.url)));
}
