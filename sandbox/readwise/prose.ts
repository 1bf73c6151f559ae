import { type ForeignScript, foreignSentence } from "./foreign.js";
import type { Random } from "./random.js";
import {
  ADJECTIVE_RANKS,
  ADVERB_RANKS,
  FIRST_NAMES,
  INVENTED_NAMES,
  LAST_NAMES,
  NOUN_RANKS,
  VERB_RANKS,
} from "./words.js";

const FLAT_HEAD = 30;

/** Words come up about as often as one over their rank, as in real prose; the first few are nearly as common. */
function ranked(random: Random, words: string[]): string {
  const rank = FLAT_HEAD * ((words.length + FLAT_HEAD) / FLAT_HEAD) ** random.next() - FLAT_HEAD;
  return words[Math.floor(rank)]!;
}

const noun = (random: Random) => ranked(random, random.chance(0.04) ? INVENTED_NAMES : NOUN_RANKS);
const nouns = (random: Random) => `${ranked(random, NOUN_RANKS)}s`;
const verb = (random: Random) => ranked(random, VERB_RANKS);
const adjective = (random: Random) => ranked(random, ADJECTIVE_RANKS);
const adverb = (random: Random) => ranked(random, ADVERB_RANKS);
const a = (word: string) => (/^[aeiou]/i.test(word) ? `an ${word}` : `a ${word}`);

const CLAUSES: ((r: Random) => string)[] = [
  (r) => `the ${adjective(r)} ${noun(r)} does not ${verb(r)} the ${noun(r)}`,
  (r) => `${a(noun(r))} is only ${a(adjective(r))} ${noun(r)} that we ${verb(r)} ${adverb(r)}`,
  (r) => `we ${verb(r)} what ${nouns(r)} could ${adverb(r)} ${verb(r)}`,
  (r) => `every ${noun(r)} has its ${noun(r)}, and every ${adjective(r)} ${noun(r)} its ${nouns(r)}`,
  (r) => `those who ${verb(r)} the ${noun(r)} must also ${verb(r)} its ${adjective(r)} ${nouns(r)}`,
  (r) => `it was ${adverb(r)} the ${noun(r)} of ${nouns(r)} that made ${a(adjective(r))} ${noun(r)} possible`,
  (r) => `in the ${noun(r)} of ${1500 + r.int(520)} ${a(adjective(r))} ${noun(r)} could still ${verb(r)}`,
  (r) => `there is no ${noun(r)} without ${nouns(r)}`,
  (r) => `to ${verb(r)} ${a(noun(r))} is to ${verb(r)} the ${nouns(r)} behind it`,
  (r) => `${ranked(r, INVENTED_NAMES)} would ${adverb(r)} ${verb(r)} any ${noun(r)} before ${nouns(r)} and ${nouns(r)}`,
  (r) => `nobody expects ${nouns(r)} to ${verb(r)}, least of all ${a(adjective(r))} ${noun(r)}`,
  (r) => `if ${nouns(r)} ${verb(r)} at all, they ${verb(r)} like ${adjective(r)} ${nouns(r)}`,
  (r) => `what looks like ${a(noun(r))} from outside is, from within, ${adjective(r)} ${nouns(r)} all the way down`,
  (r) => `between the ${noun(r)} and the ${adjective(r)} ${noun(r)} lies nothing but ${nouns(r)}`,
];
const JOINTS = [", and ", "; ", ", but ", " because ", ", so that ", " — ", ", although ", " where "];

export function sentence(random: Random): string {
  let text = random.pick(CLAUSES)(random);
  while (random.chance(0.45) && text.length < 400) text += random.pick(JOINTS) + random.pick(CLAUSES)(random);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What a work is written in; `variety` tells languages of one script apart. */
export interface Script {
  kind: "latin" | ForeignScript;
  variety: number;
}

export const LATIN: Script = { kind: "latin", variety: 0 };

export function pickScript(random: Random): Script {
  const at = random.next();
  const kind = at < 0.88 ? "latin" : at < 0.93 ? "accented" : at < 0.98 ? "cjk" : "other";
  return { kind, variety: random.int(60) };
}

/** `sentences` of them; a work in another language is mostly, not wholly, in that language. */
export function passage(random: Random, { kind, variety }: Script, sentences: number): string {
  const parts: string[] = [];
  for (let i = 0; i < sentences; i++)
    parts.push(kind !== "latin" && random.chance(0.85) ? foreignSentence(random, kind, variety) : sentence(random));
  const text = parts.join(" ");
  // Some e-readers hand out decomposed accents.
  return kind === "accented" && random.chance(0.2) ? text.normalize("NFD") : text;
}

export function title(random: Random, script: Script): string {
  if (script.kind !== "latin") return foreignSentence(random, script.kind, script.variety).replace(/[.。।]$/u, "");
  const cap = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const core = random.pick([
    () => `The ${cap(adjective(random))} ${cap(noun(random))}`,
    () => `${cap(noun(random))} and ${cap(noun(random))}`,
    () => `A ${cap(noun(random))} of ${cap(nouns(random))}`,
    () => `How to ${cap(verb(random))} ${cap(nouns(random))}`,
    () => `On the ${cap(noun(random))} of ${cap(noun(random))}`,
  ])();
  if (random.chance(0.25)) return `${core}: ${sentence(random).split(/[,;—]/)[0]!.replace(/\.$/, "")}`;
  return random.chance(0.1) ? `${core} (${cap(noun(random))} Series Book ${random.int(9) + 1})` : core;
}

export function person(random: Random): string {
  const name = () => `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
  return random.chance(0.12) ? `${name()} and ${name()}` : name();
}

export function article(random: Random, heading: string, script: Script, paragraphs: number): string {
  let html = `<article><h1>${heading.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</h1>`;
  for (let i = 0; i < paragraphs; i++) {
    if (i > 0 && i % 5 === 0) html += `<h2 data-rw-heading="${i}">${title(random, LATIN)}</h2>`;
    html += `<p data-rw-paragraph="${i}">${passage(random, script, 2 + random.int(5))}</p>`;
  }
  return `${html}</article>`;
}

/** A video's text: captions of some seconds, each with the second it begins at. */
export function transcript(random: Random, paragraphs: number): string {
  let html = "";
  let at = 0;
  for (let i = 0; i < paragraphs; i++) {
    html += "<p>";
    for (let line = 0; line < 4; line++) {
      html += `<span data-rw-start="${at.toFixed(2)}" data-rw-transcript-version="2">${sentence(random)}</span> `;
      at += 5 + random.next() * 4;
    }
    html += "</p>";
  }
  return `<div>${html}</div>`;
}
