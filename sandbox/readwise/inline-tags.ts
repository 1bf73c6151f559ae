import type { Library } from "./library.js";
import type { Highlight } from "./records.js";

const INLINE_TAG = /(?:^|\s)\.([\p{L}][\p{L}\p{N}_-]*)/gu;

/** `.word` in a note tags the highlight, except with a tag that was removed from it before. */
export function addInlineTags(library: Library, highlight: Highlight): void {
  for (const [, name] of (highlight.note ?? "").matchAll(INLINE_TAG)) {
    if (name === undefined || highlight.removedTags.includes(name)) continue;
    if (!highlight.tags.some((tag) => tag.name === name)) highlight.tags.push(library.newTag(name));
  }
}
