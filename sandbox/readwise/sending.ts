import type { ServerResponse } from "node:http";
import type { Answer } from "./calls.js";
import type { Fault } from "./faults.js";

interface Manner {
  /** Without a content length. */
  chunked?: boolean;
  close?: boolean;
}

export function sendAnswer(response: ServerResponse, answer: Answer, manner: Manner = {}): void {
  const text = begin(response, answer, manner);
  if (text === null) response.end();
  else if (manner.chunked) {
    response.write(text);
    response.end();
  } else response.end(text);
}

/** Writes the head and gives back the body, null where there is none. */
function begin(response: ServerResponse, answer: Answer, { chunked = false, close = false }: Manner): string | null {
  const text = answer.html ?? (answer.body === undefined ? null : JSON.stringify(answer.body));
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (close) response.setHeader("connection", "close");
  if (text !== null) {
    response.setHeader("content-type", answer.html === undefined ? "application/json" : "text/html; charset=UTF-8");
    if (!chunked) response.setHeader("content-length", Buffer.byteLength(text));
  }
  return text;
}

/** Sends what a fault leaves of the answer; `answer` is null where the request never reached the service. */
export function sendBroken(response: ServerResponse, fault: Fault, answer: Answer | null): void {
  if (fault.kind === "no_answer") return;
  if (fault.kind === "reset" || answer === null) {
    response.socket?.resetAndDestroy();
    return;
  }
  const delayMs = fault.delay_ms ?? 1000;
  if (fault.kind === "slow_headers") {
    whileOpen(response, delayMs, () => sendAnswer(response, answer));
    return;
  }
  const text = begin(response, answer, { chunked: true });
  if (text === null) {
    response.end();
    return;
  }
  const half = Math.floor(text.length / 2);
  if (fault.kind === "truncated") response.end(text.slice(0, half));
  else {
    response.write(text.slice(0, half), () => {
      if (fault.kind === "reset_body") response.socket?.resetAndDestroy();
      else whileOpen(response, delayMs, () => response.end(text.slice(half)));
    });
  }
}

function whileOpen(response: ServerResponse, delayMs: number, run: () => void): void {
  const timer = setTimeout(run, delayMs);
  response.once("close", () => clearTimeout(timer));
}
