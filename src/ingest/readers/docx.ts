import { parseHTML } from "linkedom";
import mammoth from "mammoth";
import { type DocumentMeta, fileStem, type ReadDocument, type ReadOptions, unreadable } from "../document.js";
import { languageOf, metaOf } from "../meta.js";
import { isPersonName, splitAuthors } from "../names.js";
import { createTextBuilder } from "../text-builder.js";
import { openZip, type Zip } from "../zip.js";
import { withPlainEquations } from "./docx-equations.js";
import { type Role, writeDom } from "./dom-text.js";
import { htmlRole } from "./html-roles.js";
import { byName, parseXml, textOf } from "./xml.js";

const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Bibliography'] => p.bibliography:fresh",
  ...["Code", "Source Code", "HTML Preformatted", "Preformatted Text"].map(
    (name) => `p[style-name='${name}'] => pre:separator('\n')`,
  ),
];

/** A Word document as HTML, after a check of its archive. */
export async function docxHtml(bytes: Uint8Array, styles: readonly string[] = []): Promise<string> {
  return (await convert(opened(bytes), styles)).value;
}

function opened(bytes: Uint8Array): Zip {
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf)
    throw unreadable(
      "encrypted",
      "The file is an old Word document or protected by a password. Save it as DOCX without one.",
    );
  const zip = openZip(bytes);
  // The converter reads parts of any size, so every entry is checked before.
  zip.checkAll((name, entry) => {
    if (
      /\.(xml|rels)$/i.test(name) &&
      /<!(DOCTYPE|ENTITY)/i.test(new TextDecoder("latin1").decode(entry.subarray(0, 65_536)))
    )
      throw unreadable(
        "refused",
        "The file declares XML entities of its own, which can be used to attack a reader. It was not read.",
      );
  });
  if (!zip.has("word/document.xml")) throw unreadable("unsupported", "The archive is not a Word document.");
  return zip;
}

export async function read(bytes: Uint8Array, options: ReadOptions): Promise<ReadDocument> {
  const zip = opened(bytes);
  const { value: html } = await convert(zip, []);
  const builder = createTextBuilder();
  const { body } = parseHTML(`<!doctype html><html><body>${html}</body></html>`).document;
  const notes = new Map([...body.querySelectorAll(NOTE)].map((note, i) => [note, String(i + 1)]));
  writeDom(body, builder, {
    roleOf: (element) =>
      /\bbibliography\b/.test(element.getAttribute("class") ?? "")
        ? "references"
        : (noteRole(element, notes) ?? htmlRole(element)),
  });
  const built = builder.finish();
  if (!built.text.trim()) throw unreadable("no_text", "The document holds no text.");
  const { meta, language } = properties(zip);
  const title =
    meta.title ?? built.headings.find(({ level }) => level === 1)?.title ?? fileStem(options.path) ?? "Untitled";
  return { ...built, title, kind: "docx", meta, language: languageOf(built.text, language), warnings: [] };
}

async function convert(zip: Zip, styles: readonly string[]) {
  try {
    // The converter also takes an opened archive, which its types do not say.
    return await mammoth.convertToHtml({ file: partsOf(zip) } as unknown as { buffer: Buffer }, {
      styleMap: [...STYLES, ...styles],
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
    });
  } catch (cause) {
    throw unreadable(
      "broken",
      "The Word document cannot be read: its parts do not fit together. Open and save it again.",
      cause,
    );
  }
}

function partsOf(zip: Zip) {
  return {
    exists: zip.has,
    async read(name: string, encoding?: "base64" | "utf-8") {
      const bytes = zip.bytes(name);
      if (encoding === "base64") return Buffer.from(bytes).toString("base64");
      return encoding ? withPlainEquations(new TextDecoder(encoding).decode(bytes)) : bytes;
    },
  };
}

// The converter numbers notes through and puts them at the end, in a list, each with an arrow back.
const NOTE = "li[id^='footnote-'], li[id^='endnote-']";

function noteRole(element: Element, notes: ReadonlyMap<Element, string>): Role | undefined {
  switch (element.localName) {
    case "sup":
      return element.querySelector("a[id^='footnote-ref'], a[id^='endnote-ref']") ? "note-mark" : undefined;
    case "a":
      return /^#(?:foot|end)note-ref-/.test(element.getAttribute("href") ?? "") ? "note-mark" : undefined;
    case "ol":
      return element.firstElementChild && notes.has(element.firstElementChild) ? "block" : undefined;
    case "li": {
      const mark = notes.get(element);
      return mark ? { footnote: mark } : undefined;
    }
    default:
      return undefined;
  }
}

function properties(zip: Zip): { meta: DocumentMeta; language: string | undefined } {
  if (!zip.has("docProps/core.xml")) return { meta: {}, language: undefined };
  const core = parseXml(new TextDecoder().decode(zip.bytes("docProps/core.xml")));
  const field = (name: string) => textOf(byName(core, name)[0]) || undefined;
  const authors = splitAuthors(field("creator")).filter(isNoAccount);
  return { meta: metaOf({ title: field("title"), authors }), language: field("language") };
}

/** Word fills in the name of the account: a single word is a login or a first name, "Microsoft Office User" is nobody. */
function isNoAccount(name: string): boolean {
  return isPersonName(name) || (/\S\s+\S/.test(name) && !/\b(?:user|benutzer|utilisateur|usuario)\b/i.test(name));
}
