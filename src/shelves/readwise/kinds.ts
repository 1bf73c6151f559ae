import type { Document } from "./schemas.js";

const VIDEO_HOSTS = new Set([
  "youtube.com",
  "m.youtube.com",
  "music.youtube.com",
  "youtu.be",
  "youtube-nocookie.com",
  "vimeo.com",
  "player.vimeo.com",
  "twitch.tv",
  "dailymotion.com",
  "odysee.com",
]);

/** Highlights and notes, which Reader lists as documents of their own. */
export const isChild = ({ category, parent_id }: Pick<Document, "category" | "parent_id">) =>
  parent_id !== null || category === "highlight" || category === "note";

export const tagNames = ({ tags }: Pick<Document, "tags">) => Object.values(tags ?? {}).map(({ name }) => name);

type VideoFacts = Pick<
  Document,
  "category" | "parent_id" | "site_name" | "source_url" | "listening_time" | "word_count"
>;

/** Videos of subscriptions have the category of posts: they are recognised by the host, or by a duration instead of a word count. */
export function isVideo(document: VideoFacts): boolean {
  const { category, site_name, source_url, listening_time, word_count } = document;
  if (category === "video") return true;
  if (isChild(document) || category === "podcast" || category === "tweet" || category === "email") return false;
  if (site_name?.toLowerCase() === "youtube" || isVideoAddress(source_url)) return true;
  return listening_time !== null && !word_count;
}

function isVideoAddress(address: string | null): boolean {
  if (address === null || !URL.canParse(address)) return false;
  const host = new URL(address).hostname;
  return VIDEO_HOSTS.has(host.startsWith("www.") ? host.slice(4) : host);
}

/** CSL types of the categories of Readwise sources. */
export const CSL_TYPES: Readonly<Record<string, string>> = {
  books: "book",
  supplementals: "book",
  articles: "webpage",
  tweets: "post",
  podcasts: "broadcast",
};
