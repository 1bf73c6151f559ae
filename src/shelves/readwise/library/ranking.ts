import { plural } from "../../../kernel/plural.js";
import {
  type BestMatch,
  bestMatchOf,
  comparableSimilarity,
  type Evidence,
  NEAREST_SHOWN,
  tellingSimilarity,
} from "../../../text/best-match.js";
import { detectLanguage } from "../../../text/language.js";
import { readsBoth } from "../../../text/model-languages.js";
import type { Found } from "../../../text/word-index.js";
import type { Opened, View } from "../cache/datasets.js";
import type { Near } from "../meaning/meaning.js";
import type { Shared } from "./shared.js";
import { skippedWarning, withWarnings } from "./showing.js";

interface RankedItem extends Evidence {
  item: number;
  /** In (0, 1]. */
  score: number;
}
interface Ranking {
  hits: RankedItem[];
  /** The number of hits worth listing, also beyond the limit. */
  total: number;
  best_match: BestMatch;
}

interface RankOptions {
  query: string;
  limit: number;
  /** Items of sources whose author or title is the query: they come first. */
  named?: ReadonlySet<number> | undefined;
  /** The query has a quoted phrase: items without it are no hits, however similar. */
  mustHaveWords?: boolean;
  /** The best rating allowed; lower if a quoted phrase occurs nowhere. */
  atMost?: BestMatch;
}
const NOBODY: ReadonlySet<number> = new Set();
/** Scores from here on are for names and titles; all others are below. */
const NAMED = 0.9;

/** Word index scores from here on mean: all words of the query, and the whole query as a phrase. */
const ALL_WORDS = 0.4;
const PHRASE = 0.6;
/** The most that matching some of the words adds to the similarity. */
const PART = 0.2;
/** Hits below this score with few of the words are not listed, unless the best hit is not much better. */
const FAR = 0.25;
const OF_THE_BEST = 0.6;
/** The weight of similarity if the model does not know the query's language. */
const UNREAD = 0.15;
/** The least cosine that counts if the model knows the language poorly. */
const UNSURE = 0.4;
/** The most hits that share no word with the query. */
const MEANING_ALONE = 20;
/** How many of the first hits decide the rating. */
const LOOKED_AT = 3;

/**
 * Hits with all words come first, then similar ones; some of the words add a little. Both scores are
 * absolute, so a score says how good a hit is, not only how it compares with others.
 */
export function rankItems(
  words: Found,
  near: Near | undefined,
  { query, limit, named = NOBODY, mustHaveWords = false, atMost = "good" }: RankOptions,
): Ranking {
  const language = detectLanguage(query);
  const reads = near?.legible ? readsBoth(near.model, language, language ?? "en") : 0;
  const found = new Map<number, RankedItem>();
  const similarityOf = (item: number) => {
    const cosine = near?.similarity.get(item);
    return near && cosine !== undefined ? comparableSimilarity(near.model, cosine) * Math.max(UNREAD, reads) : null;
  };
  const place = (item: number, fit: number) => {
    if (named.has(item)) return asNamed(fit);
    return named.size > 0 ? NAMED * fit : fit;
  };
  for (const { document: item, score } of words.hits) {
    const similarity = similarityOf(item);
    const fit = fused(score, similarity);
    found.set(item, { item, similarity, words: shareOf(score), score: place(item, fit) });
  }
  // The name contains all words, so these are among the hits by words, listed or not.
  const unlisted = [...named].filter((item) => !found.has(item));
  for (const item of unlisted) found.set(item, { item, similarity: null, words: 1, score: asNamed(0) });
  const alone: RankedItem[] = [];
  if (!mustHaveWords)
    for (const item of near?.similarity.keys() ?? []) {
      const similarity = similarityOf(item) ?? 0;
      if (!found.has(item) && similarity > 0)
        alone.push({ item, similarity, words: 0, score: place(item, similarity) });
    }
  const all = [...found.values(), ...alone.sort(byScore).slice(0, MEANING_ALONE)].sort(byScore);
  const least = Math.min(FAR, OF_THE_BEST * (all[0]?.score ?? 0));
  const listed = all.filter(({ score, similarity, words }) => similarity === null || words >= 0.5 || score >= least);
  const fits = judged(all.slice(0, LOOKED_AT), near, reads);
  const best_match = fits === "good" ? atMost : fits;
  const shown = best_match === "none" ? Math.min(limit, NEAREST_SHOWN) : limit;
  const unseen = Math.max(0, words.total - words.hits.length - unlisted.length);
  return {
    hits: (best_match === "none" ? all : listed)
      .slice(0, shown)
      .map((hit) => ({ ...hit, score: Math.max(0.0001, Math.round(hit.score * 1e4) / 1e4) })),
    total: best_match === "none" ? Math.min(all.length, shown) : listed.length + unseen,
    best_match,
  };
}

function judged(first: readonly RankedItem[], near: Near | undefined, reads: number): BestMatch {
  const fits = bestMatchOf(
    first.map(({ item, words }) => ({
      words,
      similarity: tellingSimilarity(near?.model ?? "", near?.similarity.get(item), reads),
    })),
  );
  const isUnsure = reads > 0 && reads < 1 && first.some(({ item }) => (near?.similarity.get(item) ?? 0) >= UNSURE);
  return fits === "none" && isUnsure ? "weak" : fits;
}

const asNamed = (score: number) => NAMED + (1 - NAMED) * Math.min(1, score);
const byScore = (a: RankedItem, b: RankedItem) => b.score - a.score;

/** How much of the query matches, by the score of the word index. */
function shareOf(score: number): number {
  return score >= ALL_WORDS ? 1 : score / ALL_WORDS;
}

function fused(score: number, similarity: number | null): number {
  const near = Math.max(0, similarity ?? 0);
  if (score >= PHRASE) return score + (1 - score) * 0.5 * near;
  if (score >= ALL_WORDS) return score + 0.2 * near;
  return Math.min(1, Math.max(score, near + PART * shareOf(score) ** 2));
}

/** How much was searched, and the same in words: “1 highlight of source 5”. */
export interface Counted {
  count: number;
  words: string;
  none: string;
}

export function counted(count: number, one: "highlight" | "document", within = ""): Counted {
  return { count, words: `${plural(count, one)}${within}`, none: `no ${one}s${within}` };
}

interface Searched {
  ranking: Ranking;
  near: Near | undefined;
  absent: readonly string[];
  searched: Counted;
  shown: number;
  /** Undefined where it is switched off. */
  meaning: Shared["meaning"];
}

/** How much was searched and how, whether it is complete, the rating, and a hint. */
export function coverageOf<V extends View>({ complete, retry_after, asOf, skipped }: Opened<V>, search: Searched) {
  const { ranking, near, absent, shown, meaning } = search;
  const { count: searched, words, none } = search.searched;
  const byMeaning = Math.min(searched, near?.covered ?? 0);
  const hints: string[] = [];
  if (!complete)
    hints.push(`Only ${words} came so far; Readwise's limit stopped the rest. Ask again in ${retry_after} s.`);
  else if (searched === 0) hints.push(`There are ${none} to search.`);
  if (absent.length > 0)
    hints.push(`${absent.map((phrase) => `"${phrase}"`).join(", ")} stands nowhere; its words were searched.`);
  if (searched > 0 && ranking.best_match === "none") hints.push(plainNo(words, shown, byMeaning));
  const notYet = notByMeaning(meaning, { by_meaning: byMeaning, searched });
  if (notYet) hints.push(notYet.message);
  const truncated = shown < ranking.total;
  if (truncated) hints.push(`${shown} of ${ranking.total} are listed: raise limit (at most 200) or narrow by filter.`);
  return {
    best_match: ranking.best_match satisfies BestMatch,
    searched,
    by_meaning: byMeaning,
    complete,
    ...(retry_after === undefined ? {} : { retry_after }),
    truncated,
    as_of: new Date(asOf).toISOString(),
    ...withWarnings(skippedWarning(skipped)),
    ...(hints.length ? { hint: hints.join(" ") } : {}),
  };
}

export interface Covered {
  by_meaning: number;
  searched: number;
}

export function notByMeaning(meaning: Shared["meaning"], { by_meaning, searched }: Covered) {
  if (!meaning || by_meaning >= searched) return undefined;
  const { trouble } = meaning;
  return trouble === undefined
    ? {
        code: "still_indexing",
        message: `By meaning ${by_meaning} of ${searched} are searched so far, the others by words: ask again soon.`,
      }
    : { code: "words_only", message: `By meaning ${by_meaning} of ${searched} are searched. ${trouble}` };
}

function plainNo(searched: string, shown: number, byMeaning: number): string {
  const how = byMeaning > 0 ? "by words and meaning" : "by words";
  const rest = shown > 0 ? " What is listed is only the nearest." : "";
  return `Nothing fits in ${searched}, searched ${how}.${rest} Try other words, or a prefix*.`;
}
