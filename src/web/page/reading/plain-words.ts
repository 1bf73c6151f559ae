import type { Failure } from "../server/connection.js";

/** Messages for a person, for codes whose own message is written for a model. Shelves write the same code in small or capital letters. */
const WORDS: Readonly<Record<string, string>> = {
  unreachable: "The server does not answer. Is it still running?",
  rate_limited: "Readwise asks for a short pause.",
  RATE_LIMITED: "There were many calls in a short time. A short pause is needed.",
  still_indexing:
    "Search by meaning is still being prepared for a part of your reading; until then it is searched by words.",
  timeout: "This took too long and was stopped.",
  not_found: "This is no longer there.",
  INVALID_PROJECT: "There is no such project.",
  INVALID_NOTEBOOK_ID: "There is no such notebook.",
  NO_SOURCES: "This notebook has no text to answer from yet. Add a source first.",
  internal_error: "Something went wrong on the server.",
};

/**
 * The failure in words for a person: no tool names, parameters or codes. For a code without such a message, the
 * server's message is used without its sentences about tools.
 */
export function plainWords({ code, message }: Failure): string {
  return WORDS[code] ?? WORDS[code.toLowerCase()] ?? (plainSentences(message) || "This could not be done.");
}

/** Drops the sentences about tools. */
export const plainSentences = (text: string): string =>
  text
    .split(/(?<=[.!?]) /)
    .filter((sentence) => !speaksOfTools(sentence))
    .join(" ")
    .trim();

/** A snake_case word is the name of a tool, a parameter or a field. */
const speaksOfTools = (sentence: string) =>
  /[a-z]_[a-z]/.test(sentence) || /^(Parameters|Available \w+): /.test(sentence) || sentence.includes("`");
