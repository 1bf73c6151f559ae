import { z } from "zod";
import { jsonOrUndefined } from "../../../../kernel/json.js";
import { openAiAddress } from "../../../../kernel/openai-address.js";

export interface LlmOptions {
  /** The URL up to and including `/v1`, or of the endpoint itself. */
  url: string;
  model: string;
  apiKey?: string | undefined;
  /** Timeouts for the whole answer, and between two parts of it. */
  timeoutMs?: number | undefined;
  idleMs?: number | undefined;
}
interface Message {
  role: "system" | "user";
  content: string;
}
export interface Written {
  text: string;
  /** The model reached its length limit. */
  cut: boolean;
}
export interface Llm {
  readonly model: string;
  write(messages: readonly Message[], signal: AbortSignal): Promise<Written>;
}

/** Why there is no written answer, in words for a person; the extractive answer is used instead. */
export class LlmError extends Error {
  override readonly name = "LlmError";
}

const TIMEOUT_MS = 60_000;
const IDLE_MS = 30_000;
const MAX_CHARS = 64 * 1024;

const Content = z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]).nullish();
const Reply = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: Content }).nullish(),
        message: z.object({ content: Content }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  error: z.unknown().optional(),
});

/** A model behind the OpenAI chat completions API: Ollama, LM Studio, vLLM, llama.cpp, OpenAI. */
export function createLlm(options: LlmOptions): Llm {
  return {
    model: options.model,
    async write(messages, signal) {
      const deadline = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
      const idle = new AbortController();
      const stop = AbortSignal.any([signal, deadline, idle.signal]);
      let timer: NodeJS.Timeout | undefined;
      const alive = () => {
        clearTimeout(timer);
        timer = setTimeout(() => idle.abort(), options.idleMs ?? IDLE_MS);
      };
      try {
        alive();
        const response = await send(options, messages, stop);
        const written = await read(response, alive);
        const text = withoutThinking(written.text).trim();
        if (!text) throw new LlmError("it answered with nothing");
        return { ...written, text };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof LlmError) throw error;
        if (deadline.aborted || idle.signal.aborted) throw new LlmError("it did not answer in time", { cause: error });
        throw new LlmError("it cannot be reached, or broke off; check BOOKWHEEL_LLM_URL", { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

async function send({ url, model, apiKey }: LlmOptions, messages: readonly Message[], signal: AbortSignal) {
  const response = await fetch(openAiAddress(url, "chat/completions"), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream, application/json",
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
    },
    body: JSON.stringify({ model, messages, stream: true, temperature: 0 }),
    redirect: "error",
    signal,
  });
  if (response.ok) return response;
  await response.body?.cancel();
  const way =
    response.status === 401 || response.status === 403
      ? "; check BOOKWHEEL_LLM_API_KEY"
      : response.status === 404
        ? "; check BOOKWHEEL_LLM_URL and BOOKWHEEL_LLM_MODEL"
        : response.status === 429
          ? ", too many requests"
          : "";
  throw new LlmError(`it answered with HTTP ${response.status}${way}`);
}

async function read(response: Response, alive: () => void): Promise<Written> {
  if (!response.body) throw new LlmError("it answered with nothing");
  const streamed = /^text\/event-stream/i.test(response.headers.get("content-type") ?? "");
  const decoder = new TextDecoder();
  let pending = "";
  let text = "";
  let finish: string | undefined;
  let done = false;
  const take = (line: string) => {
    const data = /^data:\s?(.*)$/.exec(line)?.[1];
    if (data === undefined) return;
    if (data.trim() === "[DONE]") done = true;
    else text += piece(data, (reason) => (finish = reason));
  };
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    alive();
    pending += decoder.decode(part, { stream: true });
    if (text.length + pending.length > MAX_CHARS) throw new LlmError("its answer has no end");
    if (!streamed) continue;
    const lines = pending.split(/\r\n|\r|\n/);
    pending = lines.pop() ?? "";
    lines.forEach(take);
    if (done) break;
  }
  pending += decoder.decode();
  if (!streamed) text = piece(pending, (reason) => (finish = reason));
  else take(pending);
  if (streamed && !done && finish === undefined) throw new LlmError("its answer broke off");
  return { text, cut: finish === "length" };
}

/** The text of one event, or of a whole answer from a server that does not stream. */
function piece(data: string, finished: (reason: string) => void): string {
  const parsed = Reply.safeParse(jsonOrUndefined(data));
  if (!parsed.success) throw new LlmError("its answer is not in the form of chat completions; check BOOKWHEEL_LLM_URL");
  if (parsed.data.error !== undefined && parsed.data.error !== null)
    throw new LlmError("it reported an error of its own");
  const choice = parsed.data.choices[0];
  if (choice?.finish_reason) finished(choice.finish_reason);
  const content = choice?.delta?.content ?? choice?.message?.content ?? "";
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}

/** Reasoning models put their reasoning before the answer. */
function withoutThinking(text: string): string {
  return text.replace(/^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/i, "");
}
