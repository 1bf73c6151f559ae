import { type Answer, badRequest, type Call, type Endpoint, isRecord, noContent, notFound, ok, page } from "./calls.js";
import type { Tag } from "./records.js";
import { tagShape } from "./shapes-v2.js";

interface Tagged {
  tags: Tag[];
  /** What else a changed tag changes. */
  changed(removed?: Tag): void;
}

/** The five tag calls, which sources and highlights have alike. */
function tagEndpoints(prefix: string, maxLength: number, find: (call: Call) => Tagged | null): Endpoint[] {
  const on = (name: string, run: (owner: Tagged, call: Call) => Answer): Endpoint => ({
    name,
    perMinute: 240,
    handle: (call) => {
      const owner = find(call);
      return owner ? run(owner, call) : notFound;
    },
  });
  const tagIn = (owner: Tagged, call: Call) => owner.tags.find((tag) => tag.id === Number(call.params.tag));

  return [
    on(`GET ${prefix}tags/`, (owner, call) => page(call, owner.tags, tagShape)),
    on(`POST ${prefix}tags/`, (owner, call) => {
      const name = tagName(call.body, maxLength);
      if (typeof name !== "string") return badRequest(name);
      const existing = owner.tags.find((tag) => tag.name === name);
      if (existing && call.unknowns.tagTwice === "existing")
        return { status: call.unknowns.tagCreate, body: tagShape(existing) };
      const tag = call.library.newTag(name);
      owner.tags.push(tag);
      owner.changed();
      return { status: call.unknowns.tagCreate, body: tagShape(tag) };
    }),
    on(`GET ${prefix}tags/:tag/`, (owner, call) => {
      const tag = tagIn(owner, call);
      return tag ? ok(tagShape(tag)) : notFound;
    }),
    on(`PATCH ${prefix}tags/:tag/`, (owner, call) => {
      const tag = tagIn(owner, call);
      if (!tag) return notFound;
      const name = tagName(call.body, maxLength);
      if (typeof name !== "string") return badRequest(name);
      tag.name = name;
      owner.changed();
      return ok(tagShape(tag));
    }),
    on(`DELETE ${prefix}tags/:tag/`, (owner, call) => {
      const tag = tagIn(owner, call);
      if (!tag) return notFound;
      owner.tags.splice(owner.tags.indexOf(tag), 1);
      owner.changed(tag);
      return noContent;
    }),
  ];
}

function tagName(body: unknown, maxLength: number): string | Record<string, string[]> {
  const name = isRecord(body) ? body.name : undefined;
  if (name === undefined || name === null) return { name: ["This field is required."] };
  if (typeof name !== "string") return { name: ["Not a valid string."] };
  if (name.trim() === "") return { name: ["This field may not be blank."] };
  if ([...name].length > maxLength) return { name: [`Ensure this field has no more than ${maxLength} characters.`] };
  return name;
}

export const tagEndpointsV2: Endpoint[] = [
  ...tagEndpoints("/api/v2/books/:id/", 512, ({ library, params, now }) => {
    const book = library.books.get(Number(params.id));
    if (!book || book.is_deleted) return null;
    return {
      tags: book.tags,
      changed() {
        book.updated = now;
        library.touch();
      },
    };
  }),
  ...tagEndpoints("/api/v2/highlights/:id/", 127, ({ library, params, now, unknowns }) => {
    const highlight = library.highlights.get(Number(params.id));
    if (!highlight || highlight.is_deleted) return null;
    return {
      tags: highlight.tags,
      changed(removed) {
        if (removed) highlight.removedTags.push(removed.name);
        if (unknowns.tagTouchesHighlight) library.changed(highlight, now);
        else library.touch();
      },
    };
  }),
];
