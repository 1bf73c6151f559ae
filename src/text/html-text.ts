const BLOCKS = new Set(
  "p div li br h1 h2 h3 h4 h5 h6 tr section article blockquote ul ol table pre hr dt dd figure".split(" "),
);
const SILENT = new Set("script style head template noscript".split(" "));

const CAPTION = "data-rw-start";

/** `0:07`, `12:30`, `1:02:03` */
export function clockTime(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/**
 * The text of an HTML fragment, one line per block; captions of videos (`data-rw-start`, in seconds) are lines that begin with
 * their time, as in `[1:05]`. Tags are read one after the other and no tree is built: what a
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
  let attribute = "";
  let value = "";
  const endAttribute = () => {
    const seconds = attribute === CAPTION ? Number.parseFloat(value) : Number.NaN;
    if (seconds >= 0 && silent === undefined) {
      endLine();
      line.push(`[${clockTime(seconds)}] `);
    }
    value = "";
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => text(html.slice(start, end)),
      ontextentity: (codePoint) => text(String.fromCodePoint(codePoint)),
      onopentagname: (start, end) => tag(start, end, true),
      onclosetag: (start, end) => tag(start, end, false),
      onattribdata: (start, end) => {
        if (attribute === CAPTION) value += html.slice(start, end);
      },
      onattribentity: nothing,
      onattribend: endAttribute,
      onattribname: (start, end) => {
        attribute = html.slice(start, end).toLowerCase();
      },
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
