import { fileStem, type ReadDocument, type ReadOptions, unreadable } from "../document.js";
import { languageOf } from "../meta.js";
import { HOW_TO_RECOGNISE } from "../ocr.js";
import { createTextBuilder } from "../text-builder.js";
import { createHyphenation } from "./hyphenation.js";
import { layOut } from "./pdf-layout.js";
import { createFlow } from "./pdf-paragraphs.js";
import { recogniseImage } from "./recognise.js";

/** A picture of one page. */
export async function read(bytes: Uint8Array, { ocr, file, path, onPage }: ReadOptions): Promise<ReadDocument> {
  if (!ocr) throw unreadable("no_text", `A picture has no text of its own. ${HOW_TO_RECOGNISE}`);
  onPage?.(1, 1, true);
  const runs = await recogniseImage(ocr, bytes, file?.sha256 ?? "given").catch((cause: unknown) => {
    throw unreadable("broken", "Text recognition could not read the picture. It may be broken or too large.", cause);
  });
  const lines = layOut(runs, 1);
  if (lines.length === 0) throw unreadable("no_text", "Text recognition found no words in the picture.");
  const builder = createTextBuilder();
  const hyphenation = createHyphenation();
  for (const line of lines) hyphenation.learn(line.text);
  const flow = createFlow({
    builder,
    hyphenation,
    bodySize: lines[0]!.size,
    monoBody: false,
    beginningAt: () => undefined,
    marksIn: () => [],
  });
  builder.page(1, null);
  flow.learn(lines);
  for (const [i, line] of lines.entries()) flow.write(line, lines[i + 1]);
  flow.end();
  const built = builder.finish();
  return {
    ...built,
    pages: built.pages.map((page) => ({ ...page, recognised: true })),
    title: fileStem(path) ?? "Untitled picture",
    kind: "image",
    meta: {},
    language: languageOf(built.text),
    warnings: [`Recognised from a picture (${ocr.language}), letters may be misread.`],
  };
}
