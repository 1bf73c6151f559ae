/** How a long text is cut for a model. All sizes are tokens of that model, without its special tokens. */
export interface WindowRecipe {
  /** What one window holds of the text itself. */
  body: number;
  /** What a window repeats of the one before it, so that a sentence across the cut is whole in one of them. */
  overlap: number;
  /** What title and headings may take in front of each window; the rest of them is left out. */
  prefix: number;
  /** What prefix and body together never exceed. */
  limit: number;
  count(text: string): number;
}

export interface Span {
  start: number;
  end: number;
}

interface Piece extends Span {
  tokens: number;
}

const JOINT = "\n";

/** The pieces of `text` a model can read whole, each a verbatim slice with `prefix` in front of it. At least one. */
export function cutWindows(text: string, prefix: string, recipe: WindowRecipe): string[] {
  const lead = shorten(prefix.trim(), recipe);
  return windowSpans(text, recipe)
    .flatMap((span) => fitting(text, span, lead, recipe))
    .map(({ start, end }) => compose(lead, text.slice(start, end)));
}

/** Where the windows lie in `text`: in order, overlapping, with nothing but white space outside them. */
export function windowSpans(text: string, recipe: WindowRecipe): Span[] {
  const pieces = piecesOf(text, recipe);
  if (pieces.length === 0) return [{ start: 0, end: text.length }];

  const spans: Span[] = [];
  let rest = pieces.reduce((sum, { tokens }) => sum + tokens, 0);
  let first = 0;
  for (;;) {
    const after = rest <= recipe.body ? pieces.length : endOfWindow(pieces, first, rest, recipe);
    spans.push({ start: pieces[first]!.start, end: pieces[after - 1]!.end });
    if (after === pieces.length) return spans;
    const next = Math.max(first + 1, startOfOverlap(pieces, after, recipe.overlap));
    while (first < next) rest -= pieces[first++]!.tokens;
  }
}

/** As many pieces as the rest needs when it is shared out evenly: a short last window would be mostly repetition. */
function endOfWindow(pieces: readonly Piece[], first: number, rest: number, { body, overlap }: WindowRecipe): number {
  const windows = Math.ceil((rest - overlap) / (body - overlap));
  const size = Math.min(body, Math.ceil((rest + (windows - 1) * overlap) / windows));

  let tokens = pieces[first]!.tokens;
  let after = first + 1;
  while (after < pieces.length && tokens + pieces[after]!.tokens <= size) tokens += pieces[after++]!.tokens;
  return after;
}

function startOfOverlap(pieces: readonly Piece[], after: number, overlap: number): number {
  let tokens = 0;
  let start = after;
  while (start > 0 && tokens + pieces[start - 1]!.tokens <= overlap) tokens += pieces[--start]!.tokens;
  return start;
}

/** Words between white space; where those are too long (Chinese, addresses), words by dictionary; then halves. */
function piecesOf(text: string, recipe: WindowRecipe): Piece[] {
  const pieces: Piece[] = [];
  const most = Math.max(1, Math.min(recipe.body - recipe.overlap, recipe.overlap || recipe.body));
  for (const { 0: word, index } of text.matchAll(/\S+/gu)) {
    const tokens = recipe.count(word);
    if (tokens <= most) pieces.push({ start: index, end: index + word.length, tokens });
    else for (const part of partsOf(word)) pieces.push(...halved(text, index + part.start, index + part.end));
  }
  return pieces;

  function halved(whole: string, start: number, end: number): Piece[] {
    const tokens = recipe.count(whole.slice(start, end));
    const middle = halfway(whole, start, end);
    if (tokens <= most || middle === undefined) return [{ start, end, tokens }];
    return [...halved(whole, start, middle), ...halved(whole, middle, end)];
  }
}

let dictionary: Intl.Segmenter | undefined;

function partsOf(word: string): Span[] {
  dictionary ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return Array.from(dictionary.segment(word), ({ segment, index }) => ({ start: index, end: index + segment.length }));
}

/** The middle between two characters, or undefined where there is only one left. */
function halfway(text: string, start: number, end: number): number | undefined {
  const middle = start + ((end - start) >> 1);
  const pair = /[\ud800-\udbff]/.test(text.charAt(middle - 1)) && /[\udc00-\udfff]/.test(text.charAt(middle));
  const cut = pair ? middle - 1 : middle;
  if (cut > start) return cut;
  return pair && middle + 1 < end ? middle + 1 : undefined;
}

/** Tokens of words do not always add up to the tokens of the text (stray control characters join words): cut again then. */
function fitting(text: string, span: Span, lead: string, recipe: WindowRecipe): Span[] {
  if (recipe.count(compose(lead, text.slice(span.start, span.end))) <= recipe.limit) return [span];
  const middle = halfway(text, span.start, span.end);
  if (middle === undefined) return [span];
  return [
    ...fitting(text, { start: span.start, end: middle }, lead, recipe),
    ...fitting(text, { start: middle, end: span.end }, lead, recipe),
  ];
}

function shorten(prefix: string, recipe: WindowRecipe): string {
  if (recipe.count(prefix) <= recipe.prefix) return prefix;
  let tokens = 0;
  let end = 0;
  for (const piece of piecesOf(prefix, recipe)) {
    tokens += piece.tokens;
    if (tokens > recipe.prefix) break;
    end = piece.end;
  }
  return prefix.slice(0, end);
}

function compose(lead: string, body: string): string {
  return lead === "" ? body : `${lead}${JOINT}${body}`;
}
