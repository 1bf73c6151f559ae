import { badParameter } from "../../../kernel/errors.js";
import { fold } from "../../../text/fold.js";
import type { Facts } from "../cache/facts.js";

type Test = (item: number) => boolean;
/** Creates the predicate of one term; undefined if this kind of item has no such property. */
type Term = (facts: Facts, value: string, now: number) => Test | undefined;

const contains =
  (read: (facts: Facts) => ((item: number) => string) | undefined): Term =>
  (facts, value) => {
    const of = read(facts);
    const wanted = fold(value);
    return of && ((item) => of(item).includes(wanted));
  };

/** `books` and `book`, `articles` and `article` are the same kind. */
const kind = (name: string) => (name.endsWith("s") ? name.slice(0, -1) : name);
const PLACES: Readonly<Record<string, string>> = { inbox: "new" };

const taggedBy =
  (read: (facts: Facts) => ((item: number) => readonly string[]) | undefined): Term =>
  (facts, value) => {
    const of = read(facts);
    const wanted = fold(value);
    return of && (wanted === "" ? (item) => of(item).length === 0 : (item) => of(item).includes(wanted));
  };
const tagged = taggedBy((facts) => facts.tags);

const moment =
  (read: (facts: Facts) => ((item: number) => number) | undefined, side: "after" | "before"): Term =>
  (facts, value, now) => {
    const of = read(facts);
    const bound = dateOf(value, now);
    if (bound === undefined)
      throw refused(`'${value}' is no date. Write 2026, 2026-01, 2026-01-31, or 30d, 6w, 3m, 1y for so long ago`);
    // A missing date is neither before nor after.
    return of && (side === "after" ? (item) => of(item) >= bound : (item) => of(item) < bound);
  };

const state: Term = (facts, value, now) => {
  const { isFavorite, isDiscarded, isSeen, progress } = facts;
  switch (fold(value)) {
    case "favorite":
    case "favourite":
      return isFavorite;
    case "discarded":
      return isDiscarded;
    case "seen":
      return isSeen;
    case "unseen":
      return isSeen && ((item) => !isSeen(item));
    case "finished":
      return progress && ((item) => progress(item) >= 0.95);
    case "untagged":
      return tagged(facts, "", now);
    default:
      throw refused(`is:${value} is unknown. There are is:favorite, is:discarded, is:seen, is:finished, is:untagged`);
  }
};

const owned: Term = (facts, value) => {
  const what = kind(fold(value));
  if (what === "note") return facts.hasNote;
  if (what === "tag") return (item) => facts.tags(item).length > 0;
  throw refused(`has:${value} is unknown. There are has:note and has:tags`);
};

const share: Term = ({ progress }, value) => {
  const range = rangeOf(value);
  if (!range)
    throw refused(`progress:${value} cannot be read. Write progress:<0.5, progress:>0.9 or progress:0.2..0.8`);
  return progress && ((item) => range(progress(item)));
};

const TERMS: Readonly<Record<string, Term>> = {
  tag: tagged,
  source_tag: taggedBy((facts) => facts.sourceTags),
  author: contains((facts) => facts.author),
  source: (facts, value, now) => {
    const { sourceId } = facts;
    if (sourceId && /^\d{1,18}$/.test(value)) return (item) => sourceId(item) === value;
    return contains(({ source }) => source)(facts, value, now);
  },
  document: (facts, value) => (item) => facts.document(item) === value,
  category: (facts, value) => {
    const wanted = kind(fold(value));
    return (item) => kind(facts.category(item) ?? "") === wanted;
  },
  lang: ({ language }, value) => {
    const wanted = fold(value);
    if (!/^[a-z]{2}$/.test(wanted)) throw refused(`lang:${value} is no language. Write two letters: lang:en, lang:de`);
    return language && ((item) => language(item) === wanted);
  },
  location: ({ location }, value) => {
    const wanted = PLACES[fold(value)] ?? fold(value);
    return location && ((item) => location(item) === wanted);
  },
  color: ({ color }, value) => color && ((item) => color(item) === fold(value)),
  has: owned,
  is: state,
  progress: share,
  after: moment((facts) => facts.at, "after"),
  before: moment((facts) => facts.at, "before"),
  updated_after: moment((facts) => facts.updated, "after"),
  updated_before: moment((facts) => facts.updated, "before"),
  opened_after: moment((facts) => facts.opened, "after"),
  opened_before: moment((facts) => facts.opened, "before"),
  published_after: moment((facts) => facts.published, "after"),
  published_before: moment((facts) => facts.published, "before"),
};
const SAME: Readonly<Record<string, string>> = {
  tags: "tag",
  colour: "color",
  site: "source",
  title: "source",
  source_id: "source",
  document_id: "document",
  kind: "category",
  language: "lang",
  highlighted_after: "after",
  highlighted_before: "before",
  saved_after: "after",
  saved_before: "before",
};

/**
 * A filter as one line: `tag:sea -tag:done author:"Ann Lee" is:favorite after:2026-01`. Every term must hold; a comma means
 * one of several, a minus the opposite.
 */
export function filterOf(text: string, facts: Facts, what: string, now: number): Test {
  const tests = termsOf(text).map(({ key, value, not }) => {
    const term = Object.hasOwn(TERMS, key) ? TERMS[key]! : undefined;
    if (!term) throw refused(`${key}: is unknown. There are ${Object.keys(TERMS).join(", ")}, and untagged`);
    const tests = (value === "" ? [""] : value.split(",")).map((one) => term(facts, one, now));
    if (tests.some((test) => test === undefined)) throw refused(`${what} have no ${key}${value ? `:${value}` : ""}`);
    const any: Test = tests.length === 1 ? tests[0]! : (item) => tests.some((test) => test!(item));
    return not ? (item: number) => !any(item) : any;
  });
  return (item) => tests.every((test) => test(item));
}

function termsOf(text: string): { key: string; value: string; not: boolean }[] {
  return wordsOf(text).map((word) => {
    const not = word.startsWith("-");
    const bare = not ? word.slice(1) : word;
    const colon = bare.indexOf(":");
    if (fold(bare) === "untagged") return { key: "tag", value: "", not };
    if (colon < 1) throw refused(`'${bare}' is no term. Words to look for belong in query; terms look like tag:sea`);
    const key = fold(bare.slice(0, colon));
    return { key: SAME[key] ?? key, value: bare.slice(colon + 1), not };
  });
}

/** Split at spaces outside of quotation marks, which are dropped. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word = "";
  let quoted = false;
  let begun = false;
  for (const letter of text) {
    if (letter === '"' || letter === "“" || letter === "”") {
      quoted = !quoted;
      begun = true;
    } else if (!quoted && letter.trim() === "") {
      if (begun) words.push(word);
      word = "";
      begun = false;
    } else {
      word += letter;
      begun = true;
    }
  }
  if (quoted) throw refused("a quotation mark is not closed");
  if (begun) words.push(word);
  return words;
}

const DAY_MS = 86_400_000;
const SPANS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 };

/** The start of a year, month, day or time, or a duration before now. */
function dateOf(text: string, now: number): number | undefined {
  const ago = /^(\d{1,4})([dwmy])$/.exec(text);
  if (ago) return now - Number(ago[1]) * SPANS[ago[2]!]! * DAY_MS;
  const isDate = /^\d{4}(-\d{2}(-\d{2}(T[\d:.]{1,20}(Z|[+-]\d{2}:?\d{2})?)?)?)?$/.test(text);
  const time = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** `<0.5`, `>=50%`, `0.2..0.8` or one number, as fractions. */
function rangeOf(text: string): ((value: number) => boolean) | undefined {
  const fraction = (part: string) => {
    const match = /^(\d{1,3}(?:\.\d{1,6})?)(%?)$/.exec(part);
    return match ? Number(match[1]) / (match[2] || Number(match[1]) > 1 ? 100 : 1) : undefined;
  };
  const [from, to] = text.split("..");
  if (to !== undefined) {
    const [low, high] = [fraction(from!), fraction(to)];
    return low === undefined || high === undefined ? undefined : (value) => value >= low && value <= high;
  }
  const [, sign = "", rest = ""] = /^([<>]?=?)(.*)$/s.exec(text) ?? [];
  const bound = fraction(rest);
  if (bound === undefined) return undefined;
  if (sign === "<") return (value) => value < bound;
  if (sign === "<=") return (value) => value <= bound;
  if (sign === ">") return (value) => value > bound;
  if (sign === ">=") return (value) => value >= bound;
  return (value) => Math.abs(value - bound) < 0.005;
}

const refused = (problem: string) => badParameter("invalid_param", "filter", problem);
