import type { ChunkStore } from "../shelves/chunks/chunk-store.js";
import type { Embedders } from "../shelves/chunks/embedding/embedder.js";
import { createProjects, type Projects } from "../shelves/chunks/projects.js";
import { type Identity, identityPath } from "./identity.js";
import type { Ingestion } from "./ingestion.js";
import { languageOf } from "./meta.js";
import type { IngestSummary } from "./summary.js";
import { asParagraphs, onPage, pageMarks } from "./sync/paragraphs.js";
import { type Arrival, createWriting, type GivenNote, type GivenPassage } from "./sync/writing.js";
import { sha256 } from "./to-chunks.js";

/** An annotation in Zotero's reader. */
export interface ZoteroAnnotation {
  key: string;
  type: string;
  text: string;
  comment: string;
  /** As Zotero's reader names it. */
  color: string | null;
  /** 1-based, of the file; null where Zotero does not say. */
  page: number | null;
  pageLabel: string | null;
  tags: string[];
  /** Opens the file at this place. */
  url: string;
}

export interface ZoteroAttachment {
  key: string;
  /** Path of the file; undefined if it is not on this machine. */
  path: string | undefined;
  name: string;
  url: string;
  annotations: ZoteroAnnotation[];
}

/** A Zotero library, or the part of it that was asked for. */
export interface ZoteroPart {
  /** Unique name of the library or part. */
  name: string;
  works: {
    key: string;
    entry: { citekey: string | undefined; csl: { title?: string; [field: string]: unknown }; tags: string[] };
    attachments: ZoteroAttachment[];
  }[];
  problems: string[];
}

interface ZoteroSummary {
  works: number;
  files: IngestSummary;
  /** Annotations in the project, and those written by this run. */
  annotations: number;
  written: number;
  removed: number;
  /** Attachments whose files are not on this machine. */
  missing: string[];
  problems: string[];
}

interface ZoteroImportDeps {
  store: ChunkStore;
  projects?: Projects;
  embedders: Pick<Embedders, "get">;
  ingestion: Pick<Ingestion, "ensureProject" | "ingestPaths">;
}
export type ZoteroImport = ReturnType<typeof createZoteroImport>;

const READABLE = /\.(?:pdf|epub|html?|xhtml|docx|md|markdown|txt)$/i;

/** Imports files and annotations of a Zotero library, each under its work's key, with a link to its place in Zotero. */
export function createZoteroImport({
  store,
  embedders,
  projects = createProjects({ store }),
  ingestion,
}: ZoteroImportDeps) {
  return {
    async bring(
      projectId: string,
      part: ZoteroPart,
      {
        signal = new AbortController().signal,
        ...options
      }: { signal?: AbortSignal; progress?: (done: number, total?: number, message?: string) => void } = {},
    ): Promise<ZoteroSummary> {
      await ingestion.ensureProject(projectId);
      const attachments = part.works.flatMap((work) => work.attachments.map((attachment) => ({ work, attachment })));
      const paths = attachments.flatMap(({ attachment: { path } }) => (path && READABLE.test(path) ? [path] : []));
      const files = await ingestion.ingestPaths(projectId, paths, { signal, ...options });
      const project = await projects.open(projectId);
      const documents = await store.documents(project.id);
      const keyOfFile = new Map(documents.map(({ origin, citekey }) => [origin, citekey]));

      const identities = new Map<string, Identity>();
      const writing = createWriting({
        store,
        project,
        embedder: embedders.get(project.model),
        account: part.name,
        known: new Map(documents.map((document) => [document.id, document])),
        signal,
        // Zotero says which work an annotation belongs to: no matching is needed.
        openIdentifier: async () => ({ identify: async (_document, path) => identities.get(path)! }),
      });
      const present = new Set<string>();
      let [annotations, written] = [0, 0];
      for (const { work, attachment } of attachments) {
        const arrival = arrivalOf(work.entry.csl.title ?? attachment.name, attachment);
        if (!arrival) continue;
        const { citekey = keyOfFile.get(attachment.path ?? "") ?? `zotero${work.key}`, csl, tags } = work.entry;
        identities.set(identityPath(attachment.url), {
          citekey,
          csl: { ...csl, id: citekey },
          tags,
          matched: { method: "zotero" },
        });
        present.add(arrival.id);
        annotations += attachment.annotations.length;
        if (writing.isCurrent(arrival)) continue;
        await writing.write(arrival);
        written += attachment.annotations.length;
      }
      return {
        works: part.works.length,
        files,
        annotations,
        written,
        removed: await writing.sweep("highlights", present),
        missing: attachments.flatMap(({ attachment: { path, name } }) => (path ? [] : [name])),
        problems: part.problems,
      };
    },
  };
}

/** The annotations of one file, in reading order; the reader's comments on them are notes. */
function arrivalOf(title: string, { key, url, annotations }: ZoteroAttachment): Arrival | undefined {
  const id = `zotero_${key}`;
  const { text, edits, spans } = asParagraphs(annotations.filter((each) => each.text.trim() !== ""));
  if (spans.length === 0 && annotations.every(({ comment }) => !comment.trim())) return undefined;
  const about = ({ key: annotation_key, type, color }: ZoteroAnnotation) => ({ kind: type, annotation_key, color });
  const passages = spans.map<GivenPassage>(({ item, start, end }) => ({
    id: `${id}_${item.key}`,
    text: text.slice(start, end),
    start,
    end,
    url: item.url,
    tags: tagsOf(item),
    ...onPage(pageOf(item)),
    section_path: [],
    metadata: { zotero: about(item) },
  }));
  const notes = annotations
    .filter(({ comment }) => comment.trim() !== "")
    .map<GivenNote>((item) => ({
      id: `${id}_${item.key}_note`,
      text: item.comment,
      url: item.url,
      tags: tagsOf(item),
      metadata: { zotero: about(item) },
    }));
  const language = languageOf(text);
  return {
    id,
    kind: "highlights",
    title,
    origin: url,
    fingerprint: sha256(JSON.stringify([id, title, passages, notes])),
    meta: { title },
    csl: {},
    readerId: null,
    extra: { zotero: key },
    notes,
    async read() {
      return { text, pages: pageMarks(spans, pageOf), headings: [], edits, language, warnings: [], passages };
    },
  };
}

/** The colour is a tag too: many readers give each colour a meaning, and filters know tags. */
const tagsOf = ({ tags, color }: ZoteroAnnotation) => (color ? [...tags, `color:${color}`] : tags);
const pageOf = ({ page, pageLabel }: ZoteroAnnotation) => (page === null ? null : { number: page, label: pageLabel });
