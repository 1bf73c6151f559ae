import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ShelfError } from "../../../kernel/errors.js";
import { steadyNow } from "../../../kernel/time.js";
import type { Passage, Purpose } from "./embedder.js";
import type { EmbedRequest, Reply, Request, TextRequest, WindowSizes } from "./model-worker.js";

export interface QueueOptions {
  /** The compiled program that answers requests, and its arguments. */
  program: URL;
  args: readonly string[];
  /** How many texts may wait; queries and background work have room of their own. */
  maxPassages?: number;
  maxQueries?: number;
  /** How background work makes room while somebody asks. */
  rests?: Rests;
}

/** The model uses every core. So background work waits until the call that asked is likely to be answered, and then leaves gaps for the next one. */
interface Rests {
  /** After a query. */
  afterQueryMs: number;
  /** Also where queries keep coming, one text is embedded in this time. */
  atMostMs: number;
  /** How long after a query gaps are left, and how long these are, as a multiple of the time the last text took. */
  activeMs: number;
  gap: number;
}
const RESTS: Rests = { afterQueryMs: 50, atMostMs: 500, activeMs: 2_000, gap: 3 };

interface Job {
  requests: readonly EmbedRequest[];
  answered: number;
  texts: number;
  vectors: Float32Array[];
  settle(result: { vectors: Float32Array[] } | { error: unknown }): void;
}

interface TextJob {
  request: TextRequest;
  settle(result: Exclude<TextReply, { failed: string }> | { error: ShelfError }): void;
}
type TextReply = Extract<Reply, { id: number }>;

/** Crashes in a row, without a vector between them, after which waiting requests fail. */
const DEATHS = 2;
const SECONDS_PER_TEXT = 0.03;

/** Hands texts one by one to a model in a process of its own: queries first, background work last. */
export function createModelQueue({ program, args, maxPassages = 4096, maxQueries = 256, rests = RESTS }: QueueOptions) {
  const lanes: Record<Purpose, { jobs: Job[]; room: number }> = {
    query: { jobs: [], room: maxQueries },
    passage: { jobs: [], room: maxPassages },
    background: { jobs: [], room: maxPassages },
  };
  let askedAt = 0;
  /** The last text of the background. */
  const last = { sent: 0, answered: 0 };
  let rest: NodeJS.Timeout | undefined;
  const texts = new Map<number, TextJob>();
  let lastText = 0;
  let child: ChildProcess | undefined;
  let current: Job | undefined;
  let deaths = 0;
  let unusable: string | undefined;
  let closed = false;

  function next() {
    if (current || closed) return;
    const job = lanes.query.jobs[0] ?? lanes.passage.jobs[0] ?? rested(lanes.background.jobs[0]);
    if (!job) return hold(texts.size > 0);
    current = job;
    // A broken channel also means an exit, which the exit handler deals with.
    started().send(job.requests[job.answered]!, () => {});
    hold(true);
  }

  /** The job if it may begin; otherwise it is looked at again when it may. */
  function rested(job: Job | undefined): Job | undefined {
    if (!job || rest) return undefined;
    const now = steadyNow();
    const gap = now < askedAt + rests.activeMs ? rests.gap * (last.answered - last.sent) : 0;
    const begins = Math.min(
      Math.max(askedAt + rests.afterQueryMs, last.answered + gap),
      last.answered + rests.atMostMs,
    );
    if (begins <= now) {
      last.sent = now;
      return job;
    }
    rest = setTimeout(() => {
      rest = undefined;
      next();
    }, begins - now);
    return undefined;
  }

  function started(): ChildProcess {
    if (child) return child;
    // Nothing but the channel: stdout belongs to the protocol this server may be speaking.
    const born = fork(fileURLToPath(program), args, {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // It allocates few JavaScript objects, so a small heap is enough.
      execArgv: ["--max-semi-space-size=1"],
      // Our keys are not passed on. One glibc arena per runtime thread would take a tenth more memory and be no faster.
      env: { MALLOC_ARENA_MAX: "1" },
    });
    let gone = false;
    const died = () => {
      if (gone) return;
      gone = true;
      if (child === born) lost();
    };
    born.on("message", (reply: Reply) => {
      if (child === born) answered(reply); // not the last words of one that is already replaced
    });
    born.on("error", died);
    born.on("exit", died);
    child = born;
    hold(false);
    return born;
  }

  function ask(request: TextRequest): Promise<Exclude<TextReply, { failed: string }>> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(unavailable("The embedding model is closed."));
      const id = ++lastText;
      const settle: TextJob["settle"] = (result) => {
        texts.delete(id);
        if ("error" in result) reject(result.error);
        else resolve(result);
        if (!current) next();
      };
      texts.set(id, { request, settle });
      started().send({ id, ...request } satisfies Request, () => {});
      hold(true);
    });
  }

  function answeredText(reply: TextReply) {
    deaths = 0;
    const error = "failed" in reply ? unavailable(`The tokenizer failed: ${reply.failed}.`) : undefined;
    texts.get(reply.id)?.settle(error ? { error } : (reply as Exclude<TextReply, { failed: string }>));
  }

  function answered(reply: Reply) {
    if ("id" in reply) return answeredText(reply);
    const job = current;
    current = undefined;
    deaths = 0;
    if (job === lanes.background.jobs[0]) last.answered = steadyNow();
    if (job && "vectors" in reply) {
      job.vectors.push(...reply.vectors);
      if (++job.answered === job.requests.length) job.settle({ vectors: job.vectors });
    } else if (job && "failed" in reply) {
      if (reply.unusable) unusable = reply.failed;
      const error = unavailable(`The embedding model failed: ${reply.failed}.`);
      if (reply.unusable) giveUp(error);
      else job.settle({ error });
    }
    next();
  }

  function lost() {
    child = undefined;
    if (current || texts.size > 0) deaths++;
    current = undefined;
    if (deaths >= DEATHS) {
      deaths = 0;
      giveUp(
        unavailable("The embedding process ended twice without an answer. Call again later; doctor checks the model."),
      );
    }
    for (const [id, { request }] of texts) started().send({ id, ...request } satisfies Request, () => {});
    next();
  }

  function giveUp(error: ShelfError) {
    for (const { jobs } of Object.values(lanes)) for (const job of [...jobs]) job.settle({ error });
    for (const job of [...texts.values()]) job.settle({ error });
  }

  /** Only work under way keeps this program running. */
  function hold(busy: boolean) {
    if (busy) {
      child?.ref();
      child?.channel?.ref();
    } else {
      child?.unref();
      child?.channel?.unref();
    }
  }

  function refuseWhenFull(as: Purpose, more: number) {
    const { jobs, room } = lanes[as];
    const waiting = jobs.reduce((sum, { texts, vectors }) => sum + texts - vectors.length, 0);
    if (waiting + more <= room) return;
    if (more > room)
      throw new ShelfError(
        "INVALID_INPUT",
        `${more} texts at once are too many to embed. Send at most ${room} in a call.`,
      );
    throw new ShelfError(
      "INDEX_UNAVAILABLE",
      `${waiting} texts are waiting to be embedded already. Call again later.`,
      {
        details: { waiting, room },
        retry_after: Math.max(1, Math.ceil(waiting * SECONDS_PER_TEXT)),
      },
    );
  }

  async function embedded(
    as: Purpose,
    requests: readonly EmbedRequest[],
    texts: number,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (closed) throw unavailable("The embedding model is closed.");
    if (unusable !== undefined) throw unavailable(`The embedding model failed: ${unusable}.`);
    if (texts === 0) return [];
    refuseWhenFull(as, texts);
    if (as === "query") askedAt = steadyNow();

    return new Promise((resolve, reject) => {
      const { jobs } = lanes[as];
      const job: Job = {
        requests,
        answered: 0,
        texts,
        vectors: [],
        settle(result) {
          signal?.removeEventListener("abort", abort);
          const place = jobs.indexOf(job);
          if (place === -1) return; // cancelled while its text was with the model
          jobs.splice(place, 1);
          if ("vectors" in result) resolve(result.vectors);
          else reject(result.error);
        },
      };
      const abort = () => job.settle({ error: signal?.reason });
      signal?.addEventListener("abort", abort);
      jobs.push(job);
      next();
    });
  }

  return {
    /** Why the model cannot be used, once that is known. */
    get unusable() {
      return unusable;
    },

    /** Vectors of texts, given by their token ids. */
    run: (batch: readonly number[][], { as, signal }: { as: Purpose; signal?: AbortSignal | undefined }) =>
      embedded(
        as,
        batch.map((ids) => ({ ids })),
        batch.length,
        signal,
      ),
    /** The same for queries that are certainly short enough: one message there and one back, in place of one per text and step. */
    runTexts: (texts: readonly string[], signal?: AbortSignal) =>
      embedded("query", texts.length > 0 ? [{ texts }] : [], texts.length, signal),

    /** Token ids of texts. Text is worked on beside the vectors and does not wait for them. */
    encode: async (texts: readonly string[]) => ((await ask({ encode: texts })) as { encoded: number[][] }).encoded,
    windows: async (passages: readonly Passage[], recipe: WindowSizes) =>
      ((await ask({ windows: passages, recipe })) as { windows: string[][] }).windows,

    async close() {
      closed = true;
      clearTimeout(rest);
      giveUp(unavailable("The embedding model is closed."));
      const ending = child;
      child = undefined;
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = new Promise((resolve) => ending.once("exit", resolve));
      ending.ref();
      ending.kill("SIGKILL"); // it holds nothing that could be lost
      await ended;
    },
  };
}

function unavailable(message: string): ShelfError {
  return new ShelfError("INDEX_UNAVAILABLE", `${message} Search by words still works.`);
}
