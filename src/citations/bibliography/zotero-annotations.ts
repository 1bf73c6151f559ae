import { z } from "zod";
import type { ZoteroAnnotation } from "../../ingest/zotero-import.js";
import { isObject } from "../../kernel/json.js";

/** An annotation as Zotero stores it. */
interface StoredAnnotation {
  key: string;
  type: string;
  text: string;
  comment: string;
  color: string | null | undefined;
  pageLabel: string | null | undefined;
  position: unknown;
  tags: string[];
}

/** A file with the annotations in it. */
export interface AnnotatedFile {
  /** Zotero's key of the attachment. */
  key: string;
  /** As the export names the file; undefined if it does not. */
  file: string | undefined;
  /** Opens the file in Zotero. */
  url: string;
  annotations: ZoteroAnnotation[];
}

const COLORS: Readonly<Record<string, string>> = {
  "#ffd400": "yellow",
  "#ff6666": "red",
  "#5fb236": "green",
  "#2ea8e5": "blue",
  "#a28ae5": "purple",
  "#e56eee": "magenta",
  "#f19837": "orange",
  "#aaaaaa": "gray",
};
const Position = z.looseObject({ pageIndex: z.int().min(0) });

/** Opens a file in Zotero's reader; `library` is "groups/<id>" for a group's, anything else for the owner's own. */
export function openingLink(library: string | undefined, key: string): string {
  const group = /^groups\/\d+$/.exec(library ?? "")?.[0];
  return `zotero://open-pdf/${group ?? "library"}/items/${key}`;
}

export function asAnnotation(stored: StoredAnnotation, link: string): ZoteroAnnotation {
  const position = Position.safeParse(stored.position);
  const page = position.success ? position.data.pageIndex + 1 : null;
  return {
    key: stored.key,
    type: stored.type,
    text: stored.text,
    comment: stored.comment,
    color: COLORS[stored.color?.toLowerCase() ?? ""] ?? stored.color ?? null,
    page,
    pageLabel: stored.pageLabel || null,
    tags: stored.tags,
    url: `${link}?${page === null ? "" : `page=${page}&`}annotation=${stored.key}`,
  };
}

/**
 * Annotations in the notes of a Better BibTeX JSON export, by the work they belong to. Annotations themselves are in no
 * export: what Zotero's "Add Note from Annotations" copied into a note is.
 */
export async function annotationsOfExport(items: readonly unknown[]): Promise<Map<unknown, AnnotatedFile[]>> {
  const workOf = new Map<string, unknown>(); // by the key of the work or of an attachment
  const fileOf = new Map<string, string>();
  const notes: { html: string; work: unknown }[] = [];
  for (const item of items) {
    if (!isObject(item)) continue;
    for (const key of [keyOf(item.uri), item.itemKey, item.key]) if (typeof key === "string") workOf.set(key, item);
    for (const attachment of listOf(item.attachments)) {
      if (!isObject(attachment)) continue;
      const { localPath, path = localPath } = attachment;
      const key = keyOf(attachment.uri) ?? keyInPath(path);
      if (!key) continue;
      workOf.set(key, item);
      if (typeof path === "string") fileOf.set(key, path);
    }
    const own = item.itemType === "note" ? [item] : listOf(item.notes);
    for (const note of own) {
      const html = isObject(note) ? note.note : note;
      if (typeof html === "string" && html.includes("data-annotation")) notes.push({ html, work: item });
    }
  }

  const found = new Map<unknown, AnnotatedFile[]>();
  if (notes.length === 0) return found;
  const { parseHTML } = await import("linkedom");
  const seen = new Set<string>();
  for (const { html, work } of notes)
    for (const { about, stored } of annotationsOfNote(
      parseHTML(`<!doctype html><html><body>${html}</body></html>`).document,
    )) {
      const [, library, key] = ITEM_ADDRESS.exec(about.attachmentURI ?? "") ?? [];
      if (!key || seen.has(`${key} ${stored.key}`)) continue;
      seen.add(`${key} ${stored.key}`);
      const cited = about.citationItem?.uris?.map((uri) => workOf.get(keyOf(uri) ?? "")).find(Boolean);
      const owner = workOf.get(key) ?? cited ?? work;
      const files = found.get(owner) ?? [];
      found.set(owner, files);
      const url = openingLink(library, key);
      const file = files.find((each) => each.key === key) ?? { key, file: fileOf.get(key), url, annotations: [] };
      if (file.annotations.length === 0) files.push(file);
      file.annotations.push(asAnnotation(stored, url));
    }
  return found;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const ITEM_ADDRESS = /^https?:\/\/zotero\.org\/((?:users|groups)\/(?:local\/)?\w+)\/items\/(\w+)$/;
const keyOf = (uri: unknown) => (typeof uri === "string" ? ITEM_ADDRESS.exec(uri)?.[2] : undefined);

/** The key of a file in Zotero's storage folder. */
export function keyInPath(path: unknown): string | undefined {
  return typeof path === "string" ? /storage[\\/]([A-Z0-9]{8})[\\/][^\\/]+$/.exec(path)?.[1] : undefined;
}

const About = z.looseObject({
  attachmentURI: z.string().optional(),
  annotationKey: z.string().min(1),
  color: z.string().nullish(),
  pageLabel: z.string().nullish(),
  position: z.unknown(),
  citationItem: z.looseObject({ uris: z.array(z.string()).optional() }).optional(),
});
type About = z.infer<typeof About>;

function annotationsOfNote(note: Document): { about: About; stored: StoredAnnotation }[] {
  return [...note.querySelectorAll("[data-annotation]")].flatMap((element) => {
    const about = aboutOf(element.getAttribute("data-annotation") ?? "");
    const text = unquoted((element.textContent ?? "").trim());
    if (!about || !text) return [];
    const { annotationKey: key, color, pageLabel, position } = about;
    const type = element.getAttribute("class") || "highlight";
    return [
      { about, stored: { key, type, text, comment: commentAfter(element), color, pageLabel, position, tags: [] } },
    ];
  });
}

function aboutOf(attribute: string): About | undefined {
  try {
    return About.safeParse(JSON.parse(decodeURIComponent(attribute))).data;
  } catch {
    return undefined; // Notes are edited by hand and by other programs.
  }
}

/** Zotero puts a highlight in quotation marks of the owner's language. */
function unquoted(text: string): string {
  return /^["“„«‹”»「]/.test(text) && /["”“»›«」]$/.test(text) ? text.slice(1, -1).trim() : text;
}

/** What follows a highlight and its citation in the same paragraph is the owner's comment on it. */
function commentAfter(element: Element): string {
  let comment = "";
  for (let node = element.nextSibling; node; node = node.nextSibling) {
    const inside = node.nodeType === 1 ? (node as Element) : undefined;
    if (inside?.matches("[data-annotation]") || inside?.querySelector("[data-annotation]")) break;
    if (inside?.matches(".citation")) continue;
    comment += inside?.localName === "br" ? "\n" : (node.textContent ?? "");
  }
  return comment.trim();
}
