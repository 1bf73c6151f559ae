import { z } from "zod";
import { AnswerTooLarge, boundedText } from "../../../../kernel/bounded-text.js";
import { jsonOrUndefined } from "../../../../kernel/json.js";

/** A failure of a hub or a download, as a sentence for a person; `passing` if trying again may help. */
export class HubError extends Error {
  constructor(
    message: string,
    readonly passing = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A file as the hub lists it. Large ones are known by SHA-256, small ones by the hash git has for them. */
export interface HubFile {
  path: string;
  size: number;
  hash: { by: "sha256" | "git"; value: string };
}

export interface Listing {
  /** `ORG/NAME`, as the hub writes it. */
  name: string;
  /** The commit, so that all files are of one state. */
  revision: string;
  files: HubFile[];
  /** The model this one was converted from, if given. */
  base: string | undefined;
}

export interface ModelHub {
  listing(name: string, revision?: string): Promise<Listing>;
  /** A file's bytes from an offset on; `from` is where the answer really begins. */
  read(
    place: { name: string; revision: string; file: HubFile },
    offset: number,
    signal: AbortSignal,
  ): Promise<{ from: number; body: AsyncIterable<Uint8Array> }>;
}

interface HubOptions {
  /** The URL of the hub. Any other than the default was chosen by the user. */
  endpoint: string;
  token?: string | undefined;
  signal: AbortSignal;
}

/** Files are handed out by hosts of these domains. */
const DOMAINS = ["huggingface.co", "hf.co"];
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 5;
const ANSWER_MS = 30_000;
const LISTING_BYTES = 16 * 1024 * 1024;

const Sibling = z.object({
  rfilename: z.string(),
  size: z.int().nonnegative().optional().catch(undefined),
  blobId: z.string().optional().catch(undefined),
  lfs: z.object({ sha256: z.string(), size: z.int().nonnegative() }).optional().catch(undefined),
});
const Model = z.object({
  id: z.string(),
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  siblings: z.array(Sibling),
  cardData: z
    .object({
      base_model: z
        .union([z.string(), z.array(z.string())])
        .optional()
        .catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

/** The model hub of Hugging Face, or a mirror with the same addresses. */
export function createModelHub({ endpoint, token, signal }: HubOptions): ModelHub {
  const home = new URL(endpoint);

  /** Follows redirects within the hub's own hosts alone; only the hub itself gets the token. */
  async function get(address: string, headers: Record<string, string>, stop: AbortSignal): Promise<Response> {
    let url = new URL(address);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      if (!mayVisit(url, home))
        throw new HubError(`The hub points to ${url.origin}, which is not one of its own hosts.`);
      const response = await reach(url, {
        redirect: "manual",
        signal: stop,
        headers: {
          ...headers,
          "accept-encoding": "identity",
          "user-agent": "bookwheel",
          ...(token && url.origin === home.origin ? { authorization: `Bearer ${token}` } : {}),
        },
      });
      const location = REDIRECTS.includes(response.status) ? response.headers.get("location") : null;
      if (location === null) return response;
      await response.body?.cancel();
      if (!URL.canParse(location, url)) throw new HubError("The hub redirects to something that is no address.");
      url = new URL(location, url);
    }
    throw new HubError("The hub redirects in circles.", true);
  }

  return {
    async listing(name, revision) {
      const at = revision === undefined ? "" : `/revision/${encodeURIComponent(revision)}`;
      const stop = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
      const response = await get(
        `${endpoint}/api/models/${name}${at}?blobs=true`,
        { accept: "application/json" },
        stop,
      );
      if (!response.ok) throw await refusal(response, { name, home, token, revision });
      const { data } = Model.safeParse(jsonOrUndefined(await listingText(response)));
      if (!data) throw new HubError(`The hub's listing of ${name} cannot be read.`);
      const base = [data.cardData?.base_model].flat()[0];
      return { name, revision: data.sha, base, files: data.siblings.map((sibling) => fileOf(name, sibling)) };
    },

    async read({ name, revision, file }, offset, stop) {
      const path = file.path.split("/").map(encodeURIComponent).join("/");
      const range: Record<string, string> = offset > 0 ? { range: `bytes=${offset}-` } : {};
      const response = await get(`${endpoint}/${name}/resolve/${revision}/${path}`, range, stop);
      if (response.status === 416) {
        await response.body?.cancel();
        return { from: 0, body: none() };
      }
      if (!response.ok) throw await refusal(response, { name, home, token, file: file.path });
      const from = response.status === 206 ? beginningOf(response) : 0;
      if (from !== 0 && from !== offset) throw new HubError("The hub answers with another part than asked for.", true);
      return { from, body: response.body ?? none() };
    },
  };
}

async function listingText(response: Response): Promise<string> {
  try {
    return await boundedText(response, LISTING_BYTES);
  } catch (cause) {
    if (cause instanceof AnswerTooLarge) throw new HubError(`The hub's listing is too large: ${cause.message}.`);
    throw cause;
  }
}

/** The hub's domains over HTTPS, and the host the user named, as it was named. */
function mayVisit(url: URL, home: URL): boolean {
  const below = (domain: string) => url.hostname === domain || url.hostname.endsWith(`.${domain}`);
  if (url.protocol === "https:") return [...DOMAINS, home.hostname].some(below);
  return url.protocol === home.protocol && url.protocol === "http:" && url.hostname === home.hostname;
}

async function reach(url: URL, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal.aborted && (init.signal.reason as Error | undefined)?.name !== "TimeoutError") throw cause;
    const { code, message } = (cause instanceof Error && cause.cause ? cause.cause : cause) as NodeJS.ErrnoException;
    throw new HubError(
      `${url.host} cannot be reached (${code ?? message}). Check the network; HF_ENDPOINT names a mirror.`,
      true,
      { cause },
    );
  }
}

/** The name is accepted only if it stays inside the target folder. */
function fileOf(name: string, { rfilename, size, blobId, lfs }: z.infer<typeof Sibling>): HubFile {
  const steps = rfilename.split("/");
  if (steps.some((step) => step === "" || step === "." || step === "..") || /[\\\0:]/.test(rfilename))
    throw new HubError(`The listing of ${name} has a file name that leads elsewhere. Nothing was fetched.`);
  const hash = lfs
    ? ({ by: "sha256", value: lfs.sha256.toLowerCase() } as const)
    : ({ by: "git", value: (blobId ?? "").toLowerCase() } as const);
  return { path: rfilename, size: lfs?.size ?? size ?? -1, hash };
}

function beginningOf(response: Response): number {
  return Number(/^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "")?.[1] ?? Number.NaN);
}

interface Asked {
  name: string;
  home: URL;
  token?: string | undefined;
  revision?: string | undefined;
  file?: string;
}

/** Missing and private models both answer 401 without a token; a header distinguishes the other cases. */
async function refusal(response: Response, { name, home, token, revision, file }: Asked): Promise<HubError> {
  const { status, headers } = response;
  await response.body?.cancel();
  const code = headers.get("x-error-code");
  const page = `${home.origin}/${name}`;
  if (code === "GatedRepo" || status === 403)
    return new HubError(
      `${name} is gated. Accept its terms at ${page}, and set HF_TOKEN to a token of that account (${home.origin}/settings/tokens).`,
    );
  if (code === "RevisionNotFound") return new HubError(`${name} has no revision '${revision}'.`);
  if (code === "EntryNotFound") return new HubError(`${name} has no file '${file}' any more. Add it again.`);
  if (status === 401 && token && headers.get("x-error-message")?.startsWith("Invalid credentials"))
    return new HubError("The hub does not accept this HF_TOKEN. Make a new one, or unset it for public models.");
  if (status === 401 || status === 404)
    return new HubError(
      `There is no model '${name}' at ${home.host}, or it is private: check the name, or set HF_TOKEN.`,
    );
  if (status === 429) {
    const wait = headers.get("retry-after");
    return new HubError(`The hub asks to wait${wait ? ` ${wait} s` : ""}: too many requests. Run it again then.`);
  }
  return new HubError(`${response.url ? new URL(response.url).host : home.host} answers ${status}.`, status >= 500);
}

async function* none(): AsyncGenerator<Uint8Array> {}
