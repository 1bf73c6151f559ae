import type { Block, ReadDocument } from "./document.js";

const NUMBER =
  "(?:[A-Z]\\.?)?\\d{1,3}(?:[.\\-–]\\d{1,3}){0,3}[a-z]?|[IVXLC]{1,6}|[A-Z](?=[.:])|[一二三四五六七八九十]{1,3}";
/** "Table 3: …", "Fig. 2.1 The …" or a number alone; "Figure 3 shows" begins a sentence and is no caption. */
const captionWith = (names: string) =>
  new RegExp(
    `^(?:${names})[ \\u00a0]?(?:${NUMBER})(?:[ \\t]*[.:|–—-](?=\\s|$)|[ \\t]+(?=[\\p{Lu}\\p{Lo}"“(])|\\s*$)`,
    "u",
  );
const TABLE = captionWith(
  "Tables?|TABLE|Tab\\.|Tabelle|Tableau|Tabla|Cuadro|Tabella|Tabela|Tabel|Taula|Таблица|Табл\\.|表格?",
);
const FIGURE = captionWith(
  "Figures?|FIGURE|Fig\\.|FIG\\.|Fig|Abbildung|Abb\\.|Figura|Figuur|Obrázek|Рисунок|Рис\\.|图|圖|図",
);
const INITIALS = new Set("TCFAOТР表图圖図");
const MOST_CAPTION_CHARS = 2_000;

/** What a paragraph is a caption of, judged by its beginning. */
export function captionOf(text: string): "table" | "figure" | undefined {
  if (!INITIALS.has(text.charAt(0))) return undefined; // asked for every line of a book
  const beginning = text.slice(0, 80);
  if (TABLE.test(beginning)) return "table";
  return FIGURE.test(beginning) ? "figure" : undefined;
}

/** Formulas that are written in TeX between paragraphs. */
const TEX_EQUATION = /^(?:\$\$|\\\[|\\begin\{(?:equation|align|gather|multline|eqnarray)\*?\})/;

/** Blocks that become passages together: running text, one table with its caption, or one figure's caption. */
export interface Group {
  kind: "text" | "table" | "figure";
  blocks: Block[];
}

/** Blocks with captions and displayed formulas marked as such, whatever reader they come from. */
export function markCaptions({ text, blocks }: Pick<ReadDocument, "text" | "blocks">): Block[] {
  return blocks.map((block, i): Block => {
    if (block.kind === "caption") return nextToTable(blocks, i) ? block : { ...block, kind: "paragraph" };
    if (block.kind !== "paragraph" || block.end - block.start > MOST_CAPTION_CHARS) return block;
    const beginning = text.slice(block.start, Math.min(block.end, block.start + 80));
    const of = captionOf(beginning);
    if (of === "figure") return { ...block, kind: "figure" };
    if (of === "table") return nextToTable(blocks, i) ? { ...block, kind: "caption" } : block;
    return TEX_EQUATION.test(beginning) ? { ...block, kind: "equation" } : block;
  });
}

const nextToTable = (blocks: readonly Block[], i: number) =>
  blocks[i + 1]?.kind === "table" || blocks[i - 1]?.kind === "table";

/** Tables and figures are set apart; a heading that stands alone before one of them belongs to it. */
export function groupsOf(blocks: readonly Block[]): Group[] {
  const groups: Group[] = [];
  let captioned = false; // the table before has its caption already
  for (const [i, block] of blocks.entries()) {
    const last = groups.at(-1);
    const bare = last?.kind === "text" && last.blocks.every(({ kind }) => kind === "heading") ? last : undefined;
    const opensTable =
      block.kind === "table" || (block.kind === "caption" && blocks[i + 1]?.kind === "table" && !closes(i));
    if (opensTable) {
      if (block.kind === "table" && last?.kind === "table" && last.blocks.every(({ kind }) => kind !== "table"))
        last.blocks.push(block);
      else {
        captioned = block.kind === "caption";
        open("table", block, bare);
      }
    } else if (block.kind === "caption" && last?.kind === "table") {
      last.blocks.push(block);
      captioned = true;
    } else if (block.kind === "figure") open("figure", block, bare);
    else if (last?.kind === "text") last.blocks.push(block);
    else groups.push({ kind: "text", blocks: [block] });
  }
  return groups;

  function open(kind: "table" | "figure", block: Block, bare: Group | undefined) {
    if (bare) {
      bare.kind = kind;
      bare.blocks.push(block);
    } else groups.push({ kind, blocks: [block] });
  }

  /** Between two tables a caption belongs to the first one only if that has none. */
  function closes(i: number): boolean {
    return groups.at(-1)?.kind === "table" && blocks[i - 1]?.kind === "table" && !captioned;
  }
}
