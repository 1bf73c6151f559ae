import { plainName } from "../works.js";
import type { DraftView } from "./view.js";

/** A work in the draft's own list. */
export interface ListedWork {
  start: number;
  end: number;
  written: string;
  key?: string;
  /** What its first author is called, folded. */
  name?: string;
  year?: number;
}

const TITLE =
  /^(?:references|reference list|bibliography|works cited|sources|literature|literature cited|literatur|literaturverzeichnis|quellen|bibliographie|références|bibliografía|referencias|bibliografia|riferimenti|literatuur|litteratur)\.?:?$/i;

/** The works a draft lists at its end, and where the list stands; drafts whose list is made by a program have none. */
export function referencesIn(view: DraftView): { listed: ListedWork[]; spans: [number, number][] } {
  const spans: [number, number][] = [];
  const listed: ListedWork[] = view.listed.map(({ key, at }) => ({ start: at, end: at, written: key, key }));
  const heading = view.blocks.findLastIndex((block) => {
    const text = view.text.slice(block.start, Math.min(block.end, block.start + 60)).trim();
    return block.end - block.start < 60 && TITLE.test(text);
  });
  if (heading < 0) return { listed, spans };
  for (const block of view.blocks.slice(heading + 1)) {
    if (block.kind === "heading") break;
    if (block.kind === "note") continue;
    spans.push([block.start, block.end]);
    for (const [start, end] of entriesOf(view.text, block.start, block.end)) {
      const written = view.text.slice(start, end).trim();
      const year = /(?<![\d–-])(?:1\d{3}|20\d{2})(?![\d–-])/.exec(written)?.[0];
      const [family = ""] = written.replace(/^[\s[\](\d.•-]{0,12}/, "").split(/[,.(:]/, 1);
      if (!year && !/^\p{Lu}/u.test(written)) continue;
      listed.push({ start, end, written, name: plainName(family), ...(year ? { year: Number(year) } : {}) });
    }
  }
  return { listed, spans };
}

/** One entry per line where every line begins one, else one per block. */
function entriesOf(text: string, start: number, end: number): [number, number][] {
  const lines: [number, number][] = [];
  for (let at = start; at < end; ) {
    const stop = text.indexOf("\n", at);
    const last = stop < 0 || stop > end ? end : stop;
    if (text.slice(at, last).trim()) lines.push([at, last]);
    at = last + 1;
  }
  const begins = ([from, to]: [number, number]) => {
    const line = text.slice(from, to);
    return /^[\s[\](\d.•-]{0,12}\p{Lu}/u.test(line) && /\b(?:1\d{3}|20\d{2})\b/.test(line);
  };
  return lines.length > 1 && lines.every(begins) ? lines : [[start, end]];
}
