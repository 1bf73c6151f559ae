import { createHash } from "node:crypto";
import { windowOf } from "../../../catalog/answer-budget.js";
import { badParameter, ShelfError } from "../../../kernel/errors.js";
import { clockTime } from "../../../text/html-text.js";
import { LIST } from "../cache/cache.js";
import { isVideo } from "../kinds.js";
import type { Document, Warning } from "../schemas.js";
import { createOne } from "./creating.js";
import type { DocumentsPart } from "./documents.js";
import type { HighlightsPart } from "./highlights.js";
import type { InReaderPart } from "./in-reader.js";
import { videoListing } from "./listing.js";
import type { Shared } from "./shared.js";
import { fieldChoice, showDocument, skippedWarning, withWarnings } from "./showing.js";
import { hasTimes, lastTime, linesBetween, linesOf, plainText, timeAt, written } from "./transcript.js";
import { locate } from "./wording.js";

/** Progress is a fraction; smaller differences are rounding errors. */
const SAME = 0.005;

export function videosPart(
  shared: Shared,
  { fetchDocument, walk }: DocumentsPart,
  highlights: HighlightsPart,
  reader: InReaderPart,
) {
  const { api, written: noted } = shared;

  async function fetchVideo(id: string, signal: AbortSignal, withContent = false): Promise<Document> {
    const document = await fetchDocument(id, signal, withContent);
    if (isVideo(document)) return document;
    throw new ShelfError(
      "invalid_param",
      `Document ${id} is not a video but '${document.category}'. Use get_document for it; list_videos has the videos.`,
      { details: { fields: [{ field: "id", problem: "not a video" }], category: document.category } },
    );
  }

  return {
    async listVideos(
      query: { location?: string | undefined; limit: number; filter?: string | undefined; fields?: string | undefined },
      mark: string | undefined,
      signal: AbortSignal,
    ) {
      const { location, limit, filter } = query;
      const choose = fieldChoice("document", query.fields);
      if (filter !== undefined) {
        const offset = Number(mark ?? 0);
        const { rows, next_cursor, answer } = await videoListing(shared, query, { offset, limit }, signal);
        const results = rows.map((document) => choose(showDocument(document)));
        return { ...answer, results, has_more: next_cursor !== null, next_cursor, truncated: false };
      }
      // Videos of subscriptions have the category of posts: they come after the others.
      const streams = ["video", "rss"].map((category) => ({ location, category }));
      const { found, next, skipped, whole } = await walk(streams, isVideo, { limit, mark }, signal);
      const count = whole
        ? found.length
        : (await api.documents({ location, category: "video", limit: 1 }, signal)).count;
      return {
        count: Math.max(count, found.length),
        results: found.map((document) => choose(showDocument(document))),
        has_more: next !== null,
        next_cursor: next,
        truncated: false,
        ...(whole
          ? {}
          : { hint: "count has no videos of subscriptions (category rss); they are listed after the others." }),
        ...withWarnings(skippedWarning(skipped)),
      };
    },

    async video(
      { id, content_offset, content_max_chars, from_seconds, to_seconds }: ReadVideo,
      budget: number,
      signal: AbortSignal,
    ) {
      const { content, ...video } = showDocument(await fetchVideo(id, signal, true));
      const lines = content ? linesOf(await shared.htmlText(content, signal)) : [];
      const byTime = from_seconds !== undefined || to_seconds !== undefined;
      if (byTime && lines.length > 0 && !hasTimes(lines))
        throw badParameter(
          "invalid_param",
          "from_seconds",
          "the transcript has no times",
          "This transcript has no times: leave out from_seconds and to_seconds.",
        );
      const chosen = byTime ? linesBetween(lines, from_seconds ?? 0, to_seconds ?? Number.POSITIVE_INFINITY) : lines;
      const whole = written(chosen);
      if (lines.length === 0)
        return {
          ...video,
          transcript: null,
          content_length: 0,
          truncated: false,
          hint: "Reader has no transcript of this video.",
        };
      const room = budget - JSON.stringify(video).length - 200;
      const { text, length, truncated, next } = windowOf(whole, content_offset, content_max_chars, room);
      return {
        ...video,
        transcript: text,
        content_length: length,
        truncated,
        next_content_offset: next,
        ...(chosen.length === 0
          ? { hint: `No line is spoken in this window; the last line begins at ${clockTime(lastTime(lines))}.` }
          : {}),
      };
    },

    async videoPosition(id: string, signal: AbortSignal) {
      const { reading_progress, last_opened_at } = await fetchVideo(id, signal);
      return { reading_progress: reading_progress ?? 0, last_opened_at };
    },

    async updateVideoPosition(
      { id, position, duration }: { id: string; position: number; duration?: number | undefined },
      signal: AbortSignal,
    ) {
      const wanted = fraction(position, duration);
      await fetchVideo(id, signal);
      await api.updateDocument(id, { reading_progress: wanted }, signal);
      await noted([LIST]);
      const actual = (await fetchDocument(id, signal)).reading_progress ?? 0;
      if (Math.abs(actual - wanted) <= SAME) return { reading_progress: actual };
      throw new ShelfError(
        "not_persisted",
        `Reader's API does not store playback positions: ${wanted.toFixed(3)} was sent and accepted, and the position still is ${actual}. Nothing changed.`,
        { details: { requested: wanted, reading_progress: actual } },
      );
    },

    async createVideoHighlight(
      {
        id,
        text,
        timestamp,
        end_timestamp,
        note,
      }: { id: string; text: string; timestamp: number; end_timestamp?: number | undefined; note?: string | undefined },
      signal: AbortSignal,
    ) {
      const video = await fetchVideo(id, signal, true);
      const tried = await reader.make(video, { text, note }, signal);
      const lines = linesOf(tried.whole);
      const place = locate(text, plainText(lines));
      const spoken = place && timeAt(lines, place.start);
      const remarks = [...tried.warnings, ...wrongTime(timestamp, spoken)];
      const about = { document_id: id, timestamp, end_timestamp: end_timestamp ?? null };
      if (tried.made)
        return {
          ...tried.made,
          ...about,
          kept_in: "reader" as const,
          timestamps_kept_in: "the place of the text in the transcript",
          ...withWarnings(remarks),
        };
      const { title, author, source_url } = video;
      const highlight_url = momentUrl(source_url, text, timestamp, end_timestamp);
      const created = await createOne(
        shared,
        highlights,
        {
          text,
          title: title || source_url || "Untitled video",
          author: author || undefined,
          source_url: source_url ?? undefined,
          note,
          location: Math.floor(timestamp),
          location_type: "time_offset",
          highlight_url,
        },
        signal,
      );
      const kept = created.url === highlight_url && highlight_url !== undefined;
      return {
        ...created,
        ...about,
        kept_in: "readwise" as const,
        timestamps_kept_in: kept ? "location (whole seconds) and url" : "location (whole seconds)",
        warnings: [...(created.warnings ?? []), ...remarks],
      };
    },
  };
}

interface ReadVideo {
  id: string;
  content_offset: number;
  content_max_chars: number;
  from_seconds?: number | undefined;
  to_seconds?: number | undefined;
}

/** Captions are a few seconds long; a timestamp further away means another position. */
const NEAR_SECONDS = 20;

function wrongTime(timestamp: number, spoken: number | undefined): Warning[] {
  if (spoken === undefined || Math.abs(spoken - timestamp) <= NEAR_SECONDS) return [];
  return [
    {
      code: "timestamp_mismatch",
      message: `The transcript has this text at ${clockTime(spoken)} (${spoken} s), not at ${clockTime(timestamp)}.`,
      details: { timestamp, transcript_seconds: spoken },
    },
  ];
}

function fraction(position: number, duration: number | undefined): number {
  if (duration !== undefined && duration > 0) return Math.min(1, position / duration);
  if (position <= 1) return position;
  throw badParameter(
    "invalid_param",
    "duration",
    "needed to turn seconds into a fraction",
    "Reader keeps progress as a fraction: give duration in seconds as well, or position as a fraction from 0 to 1.",
  );
}

/**
 * The video's URL at a time. Readwise uses it as the highlight's identity, so a hash of the text keeps two
 * highlights of the same second apart.
 */
function momentUrl(sourceUrl: string | null, text: string, start: number, end: number | undefined): string | undefined {
  if (sourceUrl === null || !/^https?:/.test(sourceUrl) || !URL.canParse(sourceUrl)) return undefined;
  const url = new URL(sourceUrl);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  url.hash = `t=${start}${end === undefined ? "" : `,${end}`}&hl=${hash}`;
  return url.href.length <= 4095 ? url.href : undefined;
}
