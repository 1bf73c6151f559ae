import { ingestDocuments } from "../shelves/chunks/tools/ingest-documents.js";
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
import type { Tool } from "./define-tool.js";

/** Every tool there is, in the order a caller sees them. What is on offer depends on the door and the profiles. */
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

  ingestDocuments,
];
