import { type ChildProcess, fork } from "node:child_process";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { ShelfError } from "../kernel/errors.js";
import { moduleUrl } from "../kernel/module-url.js";
import type { CutDocument, CutRecipe } from "./cutting.js";
import { type ReadDocument, type ReadOptions, unreadable } from "./document.js";
import type { Ocr } from "./ocr.js";
import { type ReaderLimits, readerLimits } from "./reader-limits.js";
import type { GivenText } from "./readers/given.js";
import type { ReadProgress, ReadReply, ReadRequest } from "./worker.js";

/** Options left out follow from the available memory. */
interface PoolOptions extends Partial<ReaderLimits> {
  timeoutMs?: number;
  /** Timeout for files below one mebibyte: a small file that takes longer is likely hostile. */
  smallTimeoutMs?: number;
  /** Largest file that is opened at all. */
  maxBytes?: number;
  /** Text recognition for files and pages without text; off where it is left out. */
  ocr?: Ocr | undefined;
}

/** Called as pages of a file are read. */
type OnPage = (page: number, pages: number) => void;

/** With a recipe the document comes back cut, without one with its blocks. */
type Read<Cut> = Cut extends CutRecipe ? CutDocument : ReadDocument;
type MaybeCut = CutRecipe | undefined;

export interface Readers {
  /** Reads a file of this machine; `sha256` is that of the bytes that were read. */
  readFile<Cut extends MaybeCut = undefined>(
    path: string,
    signal?: AbortSignal,
    cut?: Cut,
    onPage?: OnPage,
  ): Promise<{ document: Read<Cut>; sha256: string }>;
  /** Reads a text that was handed over. */
  readGiven<Cut extends MaybeCut = undefined>(given: GivenText, signal?: AbortSignal, cut?: Cut): Promise<Read<Cut>>;
  /** The text of an HTML fragment, one line per block. */
  htmlText(html: string, signal?: AbortSignal): Promise<string>;
  htmlMarkdown(html: string, signal?: AbortSignal): Promise<string>;
  /** Reads what was fetched or uploaded. */
  readBytes<Cut extends MaybeCut = undefined>(
    bytes: Uint8Array,
    options: ReadOptions,
    signal?: AbortSignal,
    cut?: Cut,
  ): Promise<Read<Cut>>;
  /** Runs one of our own functions on a stranger's text of `size` characters. */
  run<Result>(call: OwnFunction, size: number, signal?: AbortSignal): Promise<Result>;
  close(): Promise<void>;
}

/** An exported function of a compiled module. */
interface OwnFunction {
  module: URL;
  name: string;
  args: readonly unknown[];
}

interface Slot {
  child: ChildProcess | undefined;
  busy: Lane | undefined;
}

/** Files of a folder are many and nobody watches each; for a text or page somebody waits. */
type Lane = "files" | "waiting";
const SMALL_BYTES = 1024 * 1024;

/**
 * Parsers in processes of their own. One that crashes, hangs or grows too large takes only its file along; the next file
 * gets a new one. Idle processes do not keep the program alive. Folders leave one parser free, so that a slow file holds up
 * other files of folders at most.
 */
export function createReaderPool(options: PoolOptions = {}): Readers {
  const { timeoutMs = 300_000, smallTimeoutMs = 60_000, maxBytes = 512 * 1024 ** 2, ocr } = options;
  const { size, heapMb, rssMb, boundByMb } = { ...readerLimits(), ...options };
  const slots: Slot[] = Array.from({ length: size }, () => ({ child: undefined, busy: undefined }));
  const waiting: { lane: Lane; take(slot: Slot): void }[] = [];
  let nextId = 1;
  let closed = false;

  function start(): ChildProcess {
    return fork(fileURLToPath(moduleUrl("./worker.js", import.meta.url)), [String(rssMb)], {
      serialization: "advanced",
      execArgv: [`--max-old-space-size=${heapMb}`],
      // Parsers get no keys, and whatever they print must not reach the protocol on stdout. The library that draws pages asks for
      // a home at once, and in a pod the user has none.
      env: { HOME: tmpdir() },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
  }

  /** Files take all parsers but one. */
  const mayStart = (lane: Lane) =>
    lane === "waiting" || size === 1 || slots.filter(({ busy }) => busy === "files").length < size - 1;

  async function acquire(lane: Lane, signal: AbortSignal | undefined): Promise<Slot> {
    // A parser that runs already is ready at once; another one is started only where that is busy.
    const free = slots.find(({ busy, child }) => !busy && child) ?? slots.find(({ busy }) => !busy);
    if (free && mayStart(lane)) {
      free.busy = lane;
      return free;
    }
    return new Promise((resolve, reject) => {
      const entry = {
        lane,
        take(slot: Slot) {
          signal?.removeEventListener("abort", leave);
          slot.busy = lane;
          resolve(slot);
        },
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      waiting.push(entry);
    });
  }

  function release(slot: Slot) {
    slot.busy = undefined;
    const next = waiting.findIndex(({ lane }) => mayStart(lane));
    if (next >= 0) return waiting.splice(next, 1)[0]!.take(slot);
    hold(slot.child, false);
  }

  async function ask<Reply extends { id: number }>(
    source: ReadRequest["source"],
    { options = {}, size: bytes, cut, signal, onPage }: Asking,
  ): Promise<Reply> {
    if (closed) throw new ShelfError("INTERNAL_ERROR", "The readers are closed.");
    signal?.throwIfAborted();
    const slot = await acquire("file" in source ? "files" : "waiting", signal);
    const limitMs = bytes < SMALL_BYTES ? Math.min(smallTimeoutMs, timeoutMs) : timeoutMs;
    try {
      slot.child ??= start();
      hold(slot.child, true);
      const reply = await exchange(
        slot.child,
        { id: nextId++, source, options, cut },
        { timeoutMs: limitMs, rssMb, boundByMb, signal, onPage },
      );
      if ("error" in reply)
        throw new ShelfError(reply.error.code, reply.error.message, { details: reply.error.details });
      return reply as unknown as Reply; // the worker answers what was asked
    } finally {
      if (slot.child && !slot.child.connected) slot.child = undefined;
      release(slot);
    }
  }

  return {
    async readFile<Cut extends MaybeCut>(path: string, signal?: AbortSignal, cut?: Cut, onPage?: OnPage) {
      const { size } = await stat(path).catch((cause: unknown) => {
        throw unreadable("broken", "The file is not there any more.", cause);
      });
      if (size > maxBytes) throw tooLarge(size, maxBytes);
      return ask<DocumentReply<Cut>>({ file: path }, { options: { path, ocr }, size, cut, signal, onPage });
    },
    async readGiven<Cut extends MaybeCut>(given: GivenText, signal?: AbortSignal, cut?: Cut) {
      return (await ask<DocumentReply<Cut>>({ given }, { size: given.text.length, cut, signal })).document;
    },
    async htmlText(html, signal) {
      return (await ask<ReadReplyOf<"text">>({ html }, { size: html.length, signal })).text;
    },
    async htmlMarkdown(html, signal) {
      return (await ask<ReadReplyOf<"text">>({ html, markdown: true }, { size: html.length, signal })).text;
    },
    async readBytes<Cut extends MaybeCut>(bytes: Uint8Array, options: ReadOptions, signal?: AbortSignal, cut?: Cut) {
      if (bytes.length > maxBytes) throw tooLarge(bytes.length, maxBytes);
      return (await ask<DocumentReply<Cut>>({ bytes }, { options, size: bytes.length, cut, signal })).document;
    },
    async run<Result>({ module, name, args }: OwnFunction, size: number, signal?: AbortSignal) {
      const reply = await ask<ReadReplyOf<"result">>({ module: module.href, name, args }, { size, signal });
      return reply.result as Result;
    },
    async close() {
      closed = true;
      for (const slot of slots) slot.child?.kill("SIGKILL");
    },
  };
}

type ReadReplyOf<Key extends string> = Extract<ReadReply, Record<Key, unknown>>;
type DocumentReply<Cut> = { id: number; document: Read<Cut>; sha256: string };
interface Asking {
  options?: ReadOptions;
  size: number;
  cut?: MaybeCut;
  signal: AbortSignal | undefined;
  onPage?: OnPage | undefined;
}

const tooLarge = (bytes: number, limit: number) =>
  unreadable(
    "too_large",
    `The file has ${Math.ceil(bytes / 1024 ** 2)} MiB; files up to ${Math.floor(limit / 1024 ** 2)} MiB are read.`,
  );

function outOfMemory({ rssMb, boundByMb }: Pick<ReaderLimits, "rssMb" | "boundByMb">): string {
  const said = `Reading the file took more memory than the ${rssMb} MiB a reader may use`;
  return boundByMb === undefined
    ? `${said}. Split it.`
    : `${said} where the server has ${boundByMb} MiB. Split the file, or give the server more memory.`;
}

function hold(child: ChildProcess | undefined, busy: boolean) {
  for (const handle of [child, child?.channel])
    if (busy) handle?.ref();
    else handle?.unref();
}

interface ExchangeOptions extends Pick<ReaderLimits, "rssMb" | "boundByMb"> {
  timeoutMs: number;
  signal: AbortSignal | undefined;
  onPage: OnPage | undefined;
}

function exchange(
  child: ChildProcess,
  request: ReadRequest,
  { timeoutMs, signal, onPage, ...limits }: ExchangeOptions,
): Promise<ReadReply> {
  return new Promise((resolve, reject) => {
    const stop = (error: unknown) => {
      finish();
      child.kill("SIGKILL");
      child.disconnect?.();
      reject(error);
    };
    const tooLong = `Reading the file took longer than ${Math.round(timeoutMs / 1000)} s and was stopped. Split it.`;
    const timer = setTimeout(() => stop(unreadable("timeout", tooLong)), timeoutMs);
    const onAbort = () => stop(signal?.reason);
    const onMessage = (reply: ReadReply | ReadProgress) => {
      if (reply.id !== request.id) return;
      if ("page" in reply) {
        // A page that is recognised has a limit of its own: the file's begins again with each.
        if (reply.slow) timer.refresh();
        onPage?.(reply.page, reply.pages);
        return;
      }
      finish();
      resolve(reply);
    };
    const onExit = (code: number | null, by: NodeJS.Signals | null) => {
      finish();
      // SIGKILL that is not ours comes from a system out of memory.
      const memory = by === "SIGTERM" || by === "SIGABRT" || by === "SIGKILL" || code === 134;
      reject(
        memory
          ? unreadable("too_large", outOfMemory(limits))
          : unreadable("crashed", "The reader stopped while it read this file. The file is probably broken."),
      );
    };
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      child.off("message", onMessage).off("exit", onExit).off("error", stop);
    };
    child.on("message", onMessage).on("exit", onExit).on("error", stop);
    signal?.addEventListener("abort", onAbort, { once: true });
    child.send(request, (error) => {
      if (error) stop(unreadable("crashed", "The reader could not be given the file.", error));
    });
  });
}
