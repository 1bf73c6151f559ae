const HOST = /^(?:(?:www|m|music)\.)?(?:youtube\.com|youtube-nocookie\.com|youtu\.be)$/;
const ID = /^[\w-]{6,20}$/;

export function isYouTube(url: string): boolean {
  return URL.canParse(url) && HOST.test(new URL(url).hostname);
}

/** The id of the video at a URL; NotebookLM shows one URL per video for all forms. */
export function videoId(url: string): string | null {
  if (!isYouTube(url)) return null;
  const { hostname, pathname, searchParams } = new URL(url);
  const [first = "", second = ""] = pathname.split("/").filter(Boolean);
  const id = hostname.endsWith("youtu.be")
    ? first
    : ["shorts", "embed", "live", "v", "e"].includes(first)
      ? second
      : (searchParams.get("v") ?? "");
  return ID.test(id) ? id : null;
}

export const videoUrl = (id: string): string => `https://www.youtube.com/watch?v=${id}`;
