import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { fold } from "../../../../text/fold.js";
import { unknownConversation } from "../../notebook-backend.js";

const KEPT = 500;
const QUESTIONS = 5;

interface Conversation {
  notebookId: string;
  questions: readonly string[];
}

/** Earlier questions by conversation, in memory only. */
export function createConversations() {
  const kept = new LRUCache<string, Conversation>({ max: KEPT });
  return {
    earlier(notebookId: string, id: string | undefined): readonly string[] {
      if (id === undefined) return [];
      const found = kept.get(id);
      if (found?.notebookId !== notebookId) throw unknownConversation(id);
      return found.questions;
    },
    add(notebookId: string, id: string | undefined, question: string): string {
      const conversation = id ?? randomUUID();
      const questions = [...(kept.get(conversation)?.questions ?? []), question].slice(-QUESTIONS);
      kept.set(conversation, { notebookId, questions });
      return conversation;
    },
  };
}

/** Words that refer back to earlier turns (English, German, French, Spanish). */
const LEANING =
  /^(?:and|but|so|then|und|aber|et|mais|y|pero)\b|\b(?:it|its|they|them|their|he|him|his|she|her|this|that|these|those|there|one|ones|former|latter|same|else|more|es|sie|ihr|ihre|er|sein|seine|dies\w*|dort|davon|il|elle|ils|elles|leur|cela|ça|lo|la|los|las|su|sus|eso|esto)\b/;
const SHORT_QUESTION = 4;

/** A follow-up question; one that refers back is prefixed with the question before it. */
export function inContext(question: string, earlier: readonly string[]): string {
  const last = earlier.at(-1);
  if (last === undefined) return question;
  const words = fold(question).trim();
  const leans = LEANING.test(words) || words.split(/\s+/).length <= SHORT_QUESTION;
  return leans ? `${last} ${question}` : question;
}
