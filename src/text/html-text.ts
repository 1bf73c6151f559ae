const BLOCKS = new Set(
  "p div li br h1 h2 h3 h4 h5 h6 tr section article blockquote ul ol table pre hr dt dd figure".split(" "),
);
const SILENT = new Set("script style head template noscript".split(" "));

/**
 * The text of an HTML fragment, one line per block. Tags are read one after the other and no tree is built: what a
 * hostile document costs is its length, however deep it nests.
 */
export async function htmlToText(html: string): Promise<string> {
  // Loaded when a document is first asked for: most servers never need it.
  const { Tokenizer } = await import("htmlparser2");
  const lines: string[] = [];
  let line: string[] = [];
  /** The element whose text is not shown; what is opened inside it does not matter. */
  let silent: string | undefined;
  const endLine = () => {
    const text = line.join("").replace(/\s+/g, " ").trim();
    if (text) lines.push(text);
    line = [];
  };
  const tag = (start: number, end: number, opens: boolean) => {
    const name = html.slice(start, end).toLowerCase();
    if (silent === name ? !opens : silent === "head" && name === "body") silent = undefined;
    else if (silent === undefined && opens && SILENT.has(name)) silent = name;
    if (BLOCKS.has(name)) endLine();
  };
  const text = (words: string) => {
    if (silent === undefined) line.push(words);
  };
  const nothing = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => text(html.slice(start, end)),
      ontextentity: (codePoint) => text(String.fromCodePoint(codePoint)),
      onopentagname: (start, end) => tag(start, end, true),
      onclosetag: (start, end) => tag(start, end, false),
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
      onselfclosingtag: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  endLine();
  return lines.join("\n");
}
