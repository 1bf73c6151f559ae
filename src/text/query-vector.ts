import { meanOf } from "../kernel/vector.js";

/** What this needs of an embedding model. */
interface QuestionReader {
  readonly identity: { max_tokens: number };
  embed(texts: readonly string[], options: { as: "query"; signal?: AbortSignal }): Promise<Float32Array[]>;
  windows(passages: readonly { text: string; prefix: string }[]): Promise<string[][]>;
  countTokens(text: string): Promise<number>;
}

/** The normalised mean of the vectors of a question's wordings; a wording that is too long for the model counts by its pieces. */
export async function queryVector(
  model: QuestionReader,
  wordings: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array> {
  const texts = await Promise.all([...new Set(wordings)].map((text) => readable(model, text)));
  const vectors = [...(await model.embed(texts.flat(), { as: "query", ...(signal ? { signal } : {}) }))];
  return meanOf(texts.map(({ length }) => meanOf(vectors.splice(0, length))));
}

/** Tokens around every text, at most. */
const SPECIAL = 4;

/** No token is shorter than a byte, so most questions need not be counted. */
export const fitsUncounted = (text: string, maxTokens: number) => Buffer.byteLength(text) + SPECIAL <= maxTokens;

async function readable(model: QuestionReader, text: string): Promise<string[]> {
  const { max_tokens } = model.identity;
  if (fitsUncounted(text, max_tokens) || (await model.countTokens(text)) <= max_tokens) return [text];
  return (await model.windows([{ text, prefix: "" }])).flat();
}

const LETTERS_PER_TOKEN = 1.9;
const WORD = /\p{L}{4,64}/gu;

/**
 * Whether a model knows the words of a question: one that it cuts into little more than letters ("brrfgl") is near to
 * whatever else looks like that, so its similarities say nothing.
 */
export async function isLegible(model: Pick<QuestionReader, "countTokens">, question: string): Promise<boolean> {
  const words = question.match(WORD)?.slice(0, 32).join(" ") ?? "";
  if (words === "") return true;
  const [tokens, around] = await Promise.all([model.countTokens(words), model.countTokens("")]);
  return words.replaceAll(" ", "").length >= LETTERS_PER_TOKEN * (tokens - around);
}
