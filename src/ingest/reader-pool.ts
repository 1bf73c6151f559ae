import { type ChildProcess, fork } from "node:child_process";
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { ShelfError } from "../kernel/errors.js";
import { moduleUrl } from "../kernel/module-url.js";
import { type ReadDocument, type ReadOptions, unreadable } from "./document.js";
import { readPlain } from "./readers/text.js";
import type { ReadReply, ReadRequest } from "./worker.js";

export interface PoolOptions {
  /** Parsers at work at the same time. */
  size?: number;
  timeoutMs?: number;
  /** JavaScript heap, and all memory together, one parser may take. */
  heapMb?: number;
  rssMb?: number;
  /** Largest file that is opened at all. */
  maxBytes?: number;
}

export interface Readers {
  /** Reads a file of this machine; `sha256` is that of the bytes that were read. */
  readFile(path: string, signal?: AbortSignal): Promise<{ document: ReadDocument; sha256: string }>;
  /** Reads what was fetched or uploaded. */
  readBytes(bytes: Uint8Array, options: ReadOptions, signal?: AbortSignal): Promise<ReadDocument>;
  close(): Promise<void>;
}

interface Slot {
  child: ChildProcess | undefined;
  busy: boolean;
}

/**
 * Parsers in processes of their own. One that crashes, hangs or grows too large takes only its file along; the next file
 * gets a new one. Idle processes do not keep the program alive.
 */
export function createReaderPool({
  size = 1,
  timeoutMs = 300_000,
  heapMb = 768,
  rssMb = 1_536,
  maxBytes = 512 * 1024 ** 2,
}: PoolOptions = {}): Readers {
  const slots: Slot[] = Array.from({ length: size }, () => ({ child: undefined, busy: false }));
  const waiting: ((slot: Slot) => void)[] = [];
  let nextId = 1;
  let closed = false;

  function start(): ChildProcess {
    return fork(fileURLToPath(moduleUrl("./worker.js", import.meta.url)), [String(rssMb)], {
      serialization: "advanced",
      execArgv: [`--max-old-space-size=${heapMb}`],
      // Parsers get no keys, and whatever they print must not reach the protocol on stdout.
      env: {},
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
  }

  async function acquire(signal: AbortSignal | undefined): Promise<Slot> {
    const free = slots.find(({ busy }) => !busy);
    if (free) {
      free.busy = true;
      return free;
    }
    return new Promise((resolve, reject) => {
      const take = (slot: Slot) => {
        signal?.removeEventListener("abort", leave);
        resolve(slot);
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(take), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      waiting.push(take);
    });
  }

  function release(slot: Slot) {
    const next = waiting.shift();
    if (next) return next(slot);
    slot.busy = false;
    hold(slot.child, false);
  }

  async function ask(
    source: ReadRequest["source"],
    options: ReadOptions,
    signal?: AbortSignal,
  ): Promise<Extract<ReadReply, { document: ReadDocument }>> {
    if (closed) throw new ShelfError("INTERNAL_ERROR", "The readers are closed.");
    signal?.throwIfAborted();
    const slot = await acquire(signal);
    try {
      slot.child ??= start();
      hold(slot.child, true);
      const reply = await exchange(slot.child, { id: nextId++, source, options }, { timeoutMs, rssMb, signal });
      if ("error" in reply)
        throw new ShelfError(reply.error.code, reply.error.message, { details: reply.error.details });
      return reply;
    } finally {
      if (slot.child && !slot.child.connected) slot.child = undefined;
      release(slot);
    }
  }

  return {
    async readFile(path, signal) {
      const info = await stat(path).catch((cause: unknown) => {
        throw unreadable("broken", "The file is not there any more.", cause);
      });
      const bytes = info.size;
      if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
      return ask({ file: path }, { path }, signal);
    },
    async readBytes(bytes, options, signal) {
      if (bytes.length > maxBytes) throw tooLarge(bytes.length, maxBytes);
      return (await ask({ bytes }, options, signal)).document;
    },
    async close() {
      closed = true;
      for (const slot of slots) slot.child?.kill("SIGKILL");
    },
  };
}

const tooLarge = (bytes: number, limit: number) =>
  unreadable(
    "too_large",
    `The file has ${Math.ceil(bytes / 1024 ** 2)} MiB; files up to ${Math.floor(limit / 1024 ** 2)} MiB are read.`,
  );

function hold(child: ChildProcess | undefined, busy: boolean) {
  if (!child) return;
  if (busy) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function exchange(
  child: ChildProcess,
  request: ReadRequest,
  { timeoutMs, rssMb, signal }: { timeoutMs: number; rssMb: number; signal: AbortSignal | undefined },
): Promise<ReadReply> {
  return new Promise((resolve, reject) => {
    const stop = (error: unknown) => {
      finish();
      child.kill("SIGKILL");
      child.disconnect?.();
      reject(error);
    };
    const timer = setTimeout(
      () =>
        stop(
          unreadable(
            "timeout",
            `Reading the file took longer than ${Math.round(timeoutMs / 1000)} s and was stopped. Split it.`,
          ),
        ),
      timeoutMs,
    );
    const onAbort = () => stop(signal?.reason);
    const onMessage = (reply: ReadReply) => {
      if (reply.id !== request.id) return;
      finish();
      resolve(reply);
    };
    const onExit = (_code: number | null, by: NodeJS.Signals | null) => {
      finish();
      const memory = by === "SIGTERM" || by === "SIGABRT" || _code === 134;
      reject(
        memory
          ? unreadable(
              "too_large",
              `Reading the file took more memory than the ${rssMb} MiB a reader may use. Split it.`,
            )
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

/** Text somebody handed over: nothing to parse that could do harm, so it is read here. */
export async function readText({
  title,
  text,
  format = "text",
}: {
  title: string;
  text: string;
  format?: "text" | "markdown";
}): Promise<ReadDocument> {
  if (format === "text") return readPlain(text, { title });
  // A DOM for the HTML inside Markdown is heavy to load, and few servers are handed any.
  const { readMarkdown } = await import("./readers/markdown.js");
  return { ...readMarkdown(text, {}), title };
}
