import { foldedWords } from "./analysis.js";
import { detectLanguage } from "./language.js";
import { isStopWord } from "./stop-words.js";

/**
 * Words people put around what they are looking for ("that thing about …", "someone saying that …"). They name nothing,
 * so they decide no ranking while the query has other words. Folded, as `fold` leaves them.
 */
const FILLERS = new Set(
  [
    "about actually all also always and any anybody anyone anything because being bit every everybody everyone everything get gets getting got just like likes maybe me much my myself never often once one ones own perhaps quite quote quotes rather really said same saw say saying says seem seems somebody somehow someone something sometimes stuff talk talking talks thing things too us very want wants way ways",
    "irgendetwas irgendwas irgendwie etwas jemand sache sachen uber zitat",
    "choses quelque quelqu quelquechose truc",
    "alguien algo cita cosa cosas sobre",
  ]
    .join(" ")
    .split(" "),
);

export function isFiller(foldedWord: string): boolean {
  return FILLERS.has(foldedWord);
}

const LEAD_IN =
  /^(?:(?:find|show|give) me |do i have |is there )?(?:(?:that|the|an?|some|any|this|my) )?(?:quotes?|lines?|passage|highlight|sentence|saying|bit|part|thing|one|note|idea|poem|text|something|someone|somebody|anything) (?:(?:which|who|that|where|in which|when) )?(?:about|on|of|regarding|say(?:ing|s)(?: that)?|said(?: that)?|like|where|that|who|describing|arguing(?: that)?) /i;

/** A query without the words that only introduce it; the query itself where nothing would be left. */
export function subjectOf(query: string): string {
  const rest = query.trim().replace(LEAD_IN, "");
  return rest.length >= 3 ? rest : query;
}

/** A query without its stop words; the query itself where it has no others. */
export function contentOf(query: string): string {
  const language = detectLanguage(query) ?? "en";
  const kept = query.split(/\s+/).filter((word) => !foldedWords(word).every((each) => isStopWord(each, language)));
  return kept.length > 0 ? kept.join(" ") : query;
}
