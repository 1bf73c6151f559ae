import { type Codec, frameCodec, type Reply, type StreamReply, type TooLarge } from "./codec.js";
import { type NotebookFacts, rowFacts } from "./mapping.js";

/** How a reply is to be read: of a list of notebooks only the facts are kept, of a stream only its final frame. */
export type Reading = { as: "call" | "notebooks"; rpc: string } | { as: "stream" };

type ReadAs<R extends Reading> = R extends { as: "stream" } ? StreamReply : Reply;

export interface PageRequest<R extends Reading = Reading> {
  url: string;
  body: string;
  reading: R;
}

export interface PageReply<R extends Reading = Reading> {
  status: number;
  /** Redirected away, which calls never are but for a sign-in page. */
  redirected: boolean;
  html: boolean;
  retryAfter: string | null;
  /** Null where there is nothing to read: any status but 200. */
  read: ReadAs<R> | null;
}

/** A file sent in the two requests of an upload: the answer to the first says where the second goes. */
export interface PageUpload {
  url: string;
  headers: Record<string, string>;
  body: string;
  base64: string;
}

/** The result of a call in the page, as one JSON string: structured results are slower to transfer. */
export type PageOutcome<R extends Reading = Reading> = PageReply<R> | { failed: string };

const NAME = "__notebookCalls";

/** To be evaluated in every document of the page before anything is called in it. */
export const PAGE_PROGRAM = `globalThis.${NAME} = (() => {
  const codec = (${frameCodec})();
  const { notebookFacts } = (${rowFacts})(codec);
  return (${pageCalls})(codec, notebookFacts);
})();`;

export const postExpression = (id: string, request: PageRequest): string =>
  `${NAME}.post(${JSON.stringify(id)}, ${JSON.stringify(request)})`;

export const uploadExpression = (id: string, upload: PageUpload): string =>
  `${NAME}.upload(${JSON.stringify(id)}, ${JSON.stringify(upload)})`;

export const cancelExpression = (id: string): string => `${NAME}.cancel(${JSON.stringify(id)})`;

/** Text for the page: nothing in it may refer to anything outside of it. */
function pageCalls(codec: Codec, notebookFacts: (row: unknown) => NotebookFacts | null) {
  const flights = new Map<string, AbortController>();
  /** Far more than a list of 500 notebooks with 300 sources each. */
  const MAX_MIB = 32;

  /** The whole body; a reply that never ends must fill neither the page nor the program behind it. */
  async function textOf(reply: Response): Promise<string | TooLarge> {
    const reader = reply.body?.getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (let bytes = 0; reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      if (bytes > MAX_MIB * 1024 * 1024) {
        await reader.cancel();
        return { kind: "too large", mib: MAX_MIB };
      }
      text += decoder.decode(value, { stream: true });
    }
    return text + decoder.decode();
  }

  function read(text: string | TooLarge, reading: Reading): Reply | StreamReply {
    if (typeof text !== "string") return text;
    if (reading.as === "stream") return codec.readStream(text);
    const reply = codec.readReply(text, reading.rpc);
    if (reading.as === "call" || reply.kind !== "result") return reply;
    if (!Array.isArray(reply.value)) return { kind: "unreadable" };
    return { kind: "result", value: codec.array(reply.value[0]).map(notebookFacts) };
  }

  /** Fails with words instead of throwing, and can be cancelled by its id. */
  async function flight<T>(id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | { failed: string }> {
    const controller = new AbortController();
    flights.set(id, controller);
    try {
      return await work(controller.signal);
    } catch (error) {
      return { failed: String(error) };
    } finally {
      flights.delete(id);
    }
  }

  async function exchange({ url, body, reading }: PageRequest, signal: AbortSignal): Promise<PageReply> {
    const reply = await fetch(url, {
      method: "POST",
      credentials: "include",
      redirect: "manual",
      headers: { "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8", "X-Same-Domain": "1" },
      body,
      signal,
    });
    const text = reply.status === 200 ? await textOf(reply) : void reply.body?.cancel();
    return {
      status: reply.status,
      redirected: reply.type === "opaqueredirect",
      html: (reply.headers.get("content-type") ?? "").startsWith("text/html"),
      retryAfter: reply.headers.get("retry-after"),
      read: text === undefined ? null : read(text, reading),
    };
  }

  async function send({ url, headers, body, base64 }: PageUpload, signal: AbortSignal): Promise<{ status: number }> {
    const common = { method: "POST", credentials: "include", signal } as const;
    const started = await fetch(url, { ...common, headers, body });
    const target = started.headers.get("x-goog-upload-url");
    if (started.status !== 200 || !target) return { status: started.status === 200 ? 502 : started.status };
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const sent = await fetch(target, {
      ...common,
      headers: { "x-goog-upload-command": "upload, finalize", "x-goog-upload-offset": "0" },
      body: bytes,
    });
    return { status: sent.status };
  }

  return {
    post: async (id: string, request: PageRequest) =>
      JSON.stringify(await flight(id, (signal) => exchange(request, signal))),
    upload: async (id: string, upload: PageUpload) =>
      JSON.stringify(await flight(id, (signal) => send(upload, signal))),
    cancel: (id: string) => flights.get(id)?.abort(),
  };
}
