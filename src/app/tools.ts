import type { Tool } from "../catalog/define-tool.js";
import { checkDraft } from "../shelves/chunks/tools/check-draft.js";
import { cite } from "../shelves/chunks/tools/cite.js";
import { createProject } from "../shelves/chunks/tools/create-project.js";
import { deleteChunks } from "../shelves/chunks/tools/delete-chunks.js";
import { deleteProject } from "../shelves/chunks/tools/delete-project.js";
import { findChunks } from "../shelves/chunks/tools/find-chunks.js";
import { ingestDocuments } from "../shelves/chunks/tools/ingest-documents.js";
import { inspectCollection } from "../shelves/chunks/tools/inspect-collection.js";
import { listProjects } from "../shelves/chunks/tools/list-projects.js";
import { queryHybrid } from "../shelves/chunks/tools/query-hybrid.js";
import { readPassage } from "../shelves/chunks/tools/read-passage.js";
import { searchLibrary } from "../shelves/chunks/tools/search-library.js";
import { storeChunks } from "../shelves/chunks/tools/store-chunks.js";
import { syncLibrary } from "../shelves/chunks/tools/sync-library.js";
import { updateDocumentRecord } from "../shelves/chunks/tools/update-document-record.js";
import { verifyQuote } from "../shelves/chunks/tools/verify-quote.js";
import { addSource } from "../shelves/notebooks/tools/add-source.js";
import { ask } from "../shelves/notebooks/tools/ask.js";
import { createNotebook } from "../shelves/notebooks/tools/create-notebook.js";
import { deleteNotebook } from "../shelves/notebooks/tools/delete-notebook.js";
import { getNotebook } from "../shelves/notebooks/tools/get-notebook.js";
import { getSourceText } from "../shelves/notebooks/tools/get-source-text.js";
import { healthCheck } from "../shelves/notebooks/tools/health-check.js";
import { listNotebookSources } from "../shelves/notebooks/tools/list-notebook-sources.js";
import { listNotebooks } from "../shelves/notebooks/tools/list-notebooks.js";
import { removeSource } from "../shelves/notebooks/tools/remove-source.js";
import { renameNotebook } from "../shelves/notebooks/tools/rename-notebook.js";
import { addHighlightTag } from "../shelves/readwise/tools/add-highlight-tag.js";
import { addSourceTag } from "../shelves/readwise/tools/add-source-tag.js";
import { bulkCreateHighlights } from "../shelves/readwise/tools/bulk-create-highlights.js";
import { createHighlight } from "../shelves/readwise/tools/create-highlight.js";
import { createVideoHighlight } from "../shelves/readwise/tools/create-video-highlight.js";
import { deleteDocument } from "../shelves/readwise/tools/delete-document.js";
import { deleteHighlight } from "../shelves/readwise/tools/delete-highlight.js";
import { deleteHighlightTag } from "../shelves/readwise/tools/delete-highlight-tag.js";
import { deleteSourceTag } from "../shelves/readwise/tools/delete-source-tag.js";
import { exportHighlights } from "../shelves/readwise/tools/export-highlights.js";
import { getDailyReview } from "../shelves/readwise/tools/get-daily-review.js";
import { getDocument } from "../shelves/readwise/tools/get-document.js";
import { getHighlight } from "../shelves/readwise/tools/get-highlight.js";
import { getSource } from "../shelves/readwise/tools/get-source.js";
import { getVideo } from "../shelves/readwise/tools/get-video.js";
import { getVideoPosition } from "../shelves/readwise/tools/get-video-position.js";
import { listDocuments } from "../shelves/readwise/tools/list-documents.js";
import { listHighlightTags } from "../shelves/readwise/tools/list-highlight-tags.js";
import { listHighlights } from "../shelves/readwise/tools/list-highlights.js";
import { listReaderTags } from "../shelves/readwise/tools/list-reader-tags.js";
import { listSourceTags } from "../shelves/readwise/tools/list-source-tags.js";
import { listSources } from "../shelves/readwise/tools/list-sources.js";
import { listVideos } from "../shelves/readwise/tools/list-videos.js";
import { saveDocument } from "../shelves/readwise/tools/save-document.js";
import { searchDocuments } from "../shelves/readwise/tools/search-documents.js";
import { searchHighlights } from "../shelves/readwise/tools/search-highlights.js";
import { updateDocument } from "../shelves/readwise/tools/update-document.js";
import { updateHighlight } from "../shelves/readwise/tools/update-highlight.js";
import { updateVideoPosition } from "../shelves/readwise/tools/update-video-position.js";

/** Every tool, in the order a caller sees them. The door and the profiles decide which are available. */
export const TOOLS: readonly Tool[] = [
  listSources,
  getSource,
  listHighlights,
  getHighlight,
  exportHighlights,
  getDailyReview,
  listSourceTags,
  listHighlightTags,
  searchHighlights,
  listDocuments,
  getDocument,
  listReaderTags,
  searchDocuments,
  saveDocument,
  updateDocument,
  createHighlight,
  updateHighlight,
  addSourceTag,
  addHighlightTag,
  bulkCreateHighlights,
  listVideos,
  getVideo,
  getVideoPosition,
  updateVideoPosition,
  createVideoHighlight,
  deleteHighlight,
  deleteHighlightTag,
  deleteSourceTag,
  deleteDocument,

  healthCheck,
  listNotebooks,
  getNotebook,
  listNotebookSources,
  addSource,
  ask,
  createNotebook,
  renameNotebook,
  getSourceText,
  removeSource,
  deleteNotebook,

  queryHybrid,
  findChunks,
  listProjects,
  inspectCollection,
  storeChunks,
  createProject,
  ingestDocuments,
  syncLibrary,
  searchLibrary,
  verifyQuote,
  checkDraft,
  readPassage,
  cite,
  updateDocumentRecord,
  deleteChunks,
  deleteProject,
];
