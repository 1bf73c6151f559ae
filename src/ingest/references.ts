import type { Block, ReadDocument } from "./document.js";

const TITLE =
  /^(?:(?:\d+|[ivx]+|[a-z])[.)]?\s+)?(?:references(?: cited)?|bibliography|(?:selected |further )?bibliography|works cited|literature(?: cited)?|cited works|literatur(?:verzeichnis|angaben|hinweise)?|quellen(?:verzeichnis)?|références(?: bibliographiques)?|bibliographie|bibliografía|referencias(?: bibliográficas)?|bibliografia|riferimenti(?: bibliografici)?|referências(?: bibliográficas)?|literatuur(?:lijst)?|список литературы|参考文献)\s*:?$/iu;
// Signs of a reference entry: a number in brackets, an author with initials, a year, a DOI.
const ENTRY =
  /^\s*(?:\[\w{1,12}\]|\d{1,3}[.)]\s)|\(\d{4}[a-z]?\)|\b(?:1[5-9]|20)\d{2}[a-z]?\b|\bdoi\b|\b10\.\d{4,9}\/|^\p{Lu}[\p{L}'’-]+,\s+(?:\p{Lu}\.|\p{Lu}\p{L}+)/iu;

/**
 * Marks the blocks of reference lists: those under such a heading, as long as they look like
 * entries. A chapter with the title "References" keeps its prose.
 */
export function markReferences({
  text,
  blocks,
  headings,
}: Pick<ReadDocument, "text" | "blocks" | "headings">): Block[] {
  const marked = [...blocks];
  const levelAt = new Map(headings.map(({ start, level }) => [start, level]));
  for (let i = 0; i < marked.length; i++) {
    const block = marked[i]!;
    if (block.end - block.start > 60 || !TITLE.test(text.slice(block.start, block.end).replace(/\s+/g, " ").trim()))
      continue;
    const level = levelAt.get(block.start) ?? 6;
    let end = i + 1;
    while (end < marked.length && !((levelAt.get(marked[end]!.start) ?? 7) <= level)) end++;
    const body = marked.slice(i + 1, end).filter(({ kind }) => kind !== "heading");
    const entries = body.filter(({ start, end: stop }) => ENTRY.test(text.slice(start, stop)));
    if (!body.length || entries.length < body.length * 0.6) continue;
    for (let k = i; k < end; k++) marked[k] = { ...marked[k]!, kind: "reference" };
    i = end - 1;
  }
  return marked;
}
