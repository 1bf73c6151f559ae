import { nearest } from "../../kernel/edit-distance.js";
import { yearOf } from "../csl.js";
import {
  familyNames,
  nearestKeys,
  plainName,
  sameName,
  sameWork,
  shortTitle,
  titlesOf,
  type Work,
  worksNamed,
} from "../works.js";
import type { DraftCitation } from "./citation-parts.js";

/** The work that a citation names. */
export interface Resolved {
  status: "known" | "unknown" | "ambiguous" | "other_year";
  works: Work[];
  /** Keys of similar works, as suggestions. */
  near: string[];
}

/** Finds the works of citations; each written form is looked up once. */
export function createResolver(works: readonly Work[]) {
  const known = new Map<string, Resolved>();
  let previous: Resolved | undefined;

  return (citation: DraftCitation): Resolved => {
    if (citation.again) return previous ?? { status: "unknown", works: [], near: [] };
    const { key, names, year, title, quotedTitle, number } = citation;
    const form = JSON.stringify([key, names, year, title, quotedTitle?.name, number]);
    previous = known.get(form) ?? lookedUp(citation);
    known.set(form, previous);
    return previous;
  };

  function lookedUp(citation: DraftCitation): Resolved {
    if (citation.number !== undefined) return byEntry(citation);
    return citation.key === undefined ? byNames(citation) : byKey(citation.key);
  }

  function byKey(key: string): Resolved {
    const exact = works.filter((work) => work.key === key || work.aliases?.includes(key));
    const found =
      exact.length > 0 ? exact : worksNamed(works, key).filter((work) => work.key.toLowerCase() === key.toLowerCase());
    if (found.length > 0) return { status: "known", works: found, near: [] };
    return { status: "unknown", works: [], near: nearestKeys(works, key) };
  }

  /** An entry of the draft's list names its work by the title; authors and year are written in many ways. */
  function byEntry({ title: entry = "", names = [], year }: DraftCitation): Resolved {
    const padded = ` ${entry} `;
    const has = (words: string) => padded.includes(` ${words} `);
    const titled = works.filter((work) => titlesOf(work).some((title) => has(shortTitle(title))));
    const byAuthor = (work: Work) => familyNames(work.item).some((family) => has(family));
    const found = titled.filter((work) => byAuthor(work) || familyNames(work.item).length === 0);
    if (found.length > 0) return dated(found, year);
    const near = works.filter((work) =>
      familyNames(work.item).some((family) => names.some((name) => sameName(family, name))),
    );
    return unknown(near);
  }

  function byNames({ names = [], year, title, quotedTitle }: DraftCitation): Resolved {
    const families = new Map(works.map((work) => [work, familyNames(work.item)]));
    const byAuthor = works.filter((work) =>
      names.every((name) => families.get(work)!.some((family) => sameName(family, name))),
    );
    const titled = title === undefined ? [] : byAuthor.filter((work) => isTitled(work, title, quotedTitle?.name));
    // A full title that no work of the author has is another work.
    if (byAuthor.length > 0 && quotedTitle && titled.length === 0) return unknown(byAuthor);
    const candidates = titled.length > 0 ? titled : byAuthor;
    if (candidates.length === 0) {
      const near = works.filter((work) =>
        families.get(work)!.some((family) => names.some((name) => nearest(name, [family]).length > 0)),
      );
      return unknown(near);
    }
    return dated(candidates, year);
  }

  function dated(candidates: Work[], year: number | undefined): Resolved {
    const same = year === undefined ? candidates : candidates.filter((work) => yearOf(work.item) === year);
    if (same.length > 0) return settled(same);
    const undated = candidates.filter((work) => yearOf(work.item) === undefined);
    if (undated.length > 0) return settled(undated);
    return { status: "other_year", works: candidates, near: keysOf(candidates).slice(0, 3) };
  }

  function settled(found: Work[]): Resolved {
    const distinct = found.filter(
      (work, i) => !found.slice(0, i).some((other) => other.key === work.key || sameWork(other.item, work.item)),
    );
    return { status: distinct.length > 1 ? "ambiguous" : "known", works: found, near: keysOf(distinct) };
  }
}

/** Whether a note contains a work's title, or the beginning of it in quotation marks. */
function isTitled(work: Work, note: string, quoted: string | undefined): boolean {
  return titlesOf(work).some(
    (title) => note.includes(shortTitle(title)) || (!!quoted && plainName(title).startsWith(quoted)),
  );
}

const unknown = (near: readonly Work[]): Resolved => ({ status: "unknown", works: [], near: keysOf(near).slice(0, 3) });

const keysOf = (works: readonly Work[]) => [...new Set(works.map(({ key }) => key))];

/** Every word of the known authors' names, for citations that consist of a name alone. */
export function familiesOf(works: readonly Work[]): Set<string> {
  return new Set(
    works.flatMap(({ item }) => familyNames(item).flatMap((name) => [name, plainName(name).split(" ").at(-1)!])),
  );
}
