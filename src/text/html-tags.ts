interface TagHandlers {
  text(words: string): void;
  open(name: string, attributes: ReadonlyMap<string, string>, closesItself: boolean): void;
  close(name: string): void;
}

/**
 * Reads HTML tag by tag, names in lower case. No tree is built: what a hostile document costs is its length, however deep
 * it nests.
 */
export async function readTags(html: string, { text, open, close }: TagHandlers): Promise<void> {
  // Loaded when a document is first asked for: most servers never need it.
  const { Tokenizer } = await import("htmlparser2");
  let name = "";
  let attribute = "";
  let attributes = new Map<string, string>();
  const addValue = (part: string) => attributes.set(attribute, (attributes.get(attribute) ?? "") + part);
  const lower = (start: number, end: number) => html.slice(start, end).toLowerCase();
  const nothing = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => text(html.slice(start, end)),
      ontextentity: (codePoint) => text(String.fromCodePoint(codePoint)),
      onopentagname(start, end) {
        name = lower(start, end);
        attributes = new Map();
      },
      onattribname(start, end) {
        attribute = lower(start, end);
      },
      onattribdata: (start, end) => addValue(html.slice(start, end)),
      onattribentity: (codePoint) => addValue(String.fromCodePoint(codePoint)),
      onattribend: nothing,
      onopentagend: () => open(name, attributes, false),
      onselfclosingtag: () => open(name, attributes, true),
      onclosetag: (start, end) => close(lower(start, end)),
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}
