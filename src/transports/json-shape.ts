/** The size of a JSON text in memory, estimated from its bytes. */
interface JsonShape {
  depth: number;
  /** Objects and lists. */
  containers: number;
  keys: number;
  /** Items of lists and objects, near enough: one per comma. */
  items: number;
  /** The tool that a `tools/call` names. */
  tool: string | undefined;
}

/** A small text can become a hundred times its size: two bytes of "{}" are an object, and 8 million "[" a tower. */
export const MAX_SHAPE = { depth: 100, containers: 100_000, keys: 100_000, items: 1_000_000 } as const;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA, COLON] = [0x5b, 0x5d, 0x7b, 0x7d, 0x2c, 0x3a];

/** One pass over the bytes before they are parsed. It does not check that they are JSON. */
export function shapeOf(bytes: Buffer): JsonShape {
  const shape: JsonShape = { depth: 0, containers: 0, keys: 0, items: 0, tool: undefined };
  let depth = 0;
  let text: [start: number, end: number] = [0, 0];
  const keyAt: (string | undefined)[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      const end = endOfText(bytes, at + 1);
      text = [at + 1, end];
      at = end;
      if (depth === 2 && keyAt[1] === "params" && keyAt[2] === "name") shape.tool = short(bytes, text);
    } else if (byte === COLON) {
      shape.keys++;
      if (depth <= 2) keyAt[depth] = short(bytes, text);
    } else if (byte === COMMA) {
      shape.items++;
      if (depth <= 2) keyAt[depth] = undefined;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      shape.containers++;
      depth++;
      if (depth > shape.depth) shape.depth = depth;
      if (depth <= 2) keyAt[depth] = undefined;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (isTooMuch(shape)) return shape;
  }
  return shape;
}

export function isTooMuch(shape: JsonShape): boolean {
  return (
    shape.depth > MAX_SHAPE.depth ||
    shape.containers > MAX_SHAPE.containers ||
    shape.keys > MAX_SHAPE.keys ||
    shape.items > MAX_SHAPE.items
  );
}

/** The end of the string that begins at `from`: the next unescaped quotation mark. */
function endOfText(bytes: Buffer, from: number): number {
  let end = bytes.indexOf(QUOTE, from);
  while (end >= 0) {
    let escapes = 0;
    while (end - 1 - escapes >= from && bytes[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
    end = bytes.indexOf(QUOTE, end + 1);
  }
  return bytes.length;
}

const short = (bytes: Buffer, [start, end]: [number, number]) =>
  end - start <= 64 ? bytes.toString("latin1", start, end) : undefined;
