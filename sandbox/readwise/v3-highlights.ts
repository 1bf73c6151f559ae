import { type Answer, badRequest, type Call } from "./calls.js";
import type { ReaderDocument } from "./records.js";
import { htmlOf, savedShape } from "./shapes-v3.js";

type Body = Record<string, unknown>;

/** `POST /save/` with `parent_id`: a highlight inside a document. Its text must stand in the parent exactly so. */
export function saveHighlight(call: Call, body: Body): Answer {
  const { library, unknowns, now } = call;
  // Before highlights could be made, `parent_id` was one more key to ignore, and `url` was missing.
  if (unknowns.v3Highlights === "refuse") return badRequest({ url: ["This field is required."] });
  const parent = library.documents.get(String(body.parent_id));
  if (!parent || parent.parent_id !== null) return badRequest({ parent_id: ["No such document."] });
  if (parent.category === "video" && unknowns.v3Highlights === "refuse_in_videos")
    return badRequest({ parent_id: ["Highlights cannot be made in this document."] });
  const { content, notes, tags } = body;
  if (typeof content !== "string" || content.trim() === "") return badRequest({ content: ["This field is required."] });
  const offset = plainText(htmlOf(parent)).indexOf(content);
  if (offset === -1) return badRequest({ content: ["The text was not found in the parent document."] });
  const known = [...library.documents.values()].find(
    (each) => each.category === "highlight" && each.parent_id === parent.id && each.content === content,
  );
  if (known) return { status: 200, body: savedShape(known) };
  const child = library.addReaderHighlight(
    parent,
    {
      text: content,
      location: offset,
      ...(typeof notes === "string" && notes !== "" ? { note: notes } : {}),
      ...(Array.isArray(tags) ? { tags: tags.map(String) } : {}),
    },
    now,
    {
      videoCategory: unknowns.videoCategory,
      ...(unknowns.readerToV2DelayMs > 0 ? { visibleInV2At: now + unknowns.readerToV2DelayMs } : {}),
    },
  );
  return { status: 201, body: savedShape(child) };
}

/** `PATCH /update/` of a highlight takes its note and its tags; everything else is dropped without a word. */
export function updateReaderHighlight({ library, unknowns, now }: Call, child: ReaderDocument, body: Body): void {
  if (typeof body.notes === "string") library.setReaderNote(child, body.notes, now);
  const tags = Array.isArray(body.tags) ? body.tags.map(String) : null;
  if (tags) child.tags = library.makeReaderTags(tags, now, unknowns.tagKey);
  child.updated_at = now;
  library.touch();
  library.later(now + unknowns.readerToV2DelayMs, () => {
    const twin = library.twinOf(child);
    if (!twin) return;
    if (typeof body.notes === "string") twin.note = body.notes;
    if (tags) twin.tags = tags.map((name) => twin.tags.find((tag) => tag.name === name) ?? library.newTag(name));
    library.changed(twin, Math.max(now, twin.updated_at + 1));
  });
  library.catchUp(now);
}

/** The text as a person sees it: tags out, the usual entities back, white space as it comes. */
function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&nbsp;", "\u00a0")
    .replaceAll("&amp;", "&");
}
