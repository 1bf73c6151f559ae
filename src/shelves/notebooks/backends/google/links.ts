// Links to YouTube and to Google Drive, which NotebookLM reads in its own ways.

const YOUTUBE = /^(?:(?:www|m|music)\.)?(?:youtube\.com|youtube-nocookie\.com|youtu\.be)$/;
const VIDEO_ID = /^[\w-]{6,20}$/;

export function isYouTube(url: string): boolean {
  return URL.canParse(url) && YOUTUBE.test(new URL(url).hostname);
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
  return VIDEO_ID.test(id) ? id : null;
}

export const videoUrl = (id: string): string => `https://www.youtube.com/watch?v=${id}`;

export interface DriveFile {
  id: string;
  mime: string;
}

const FILE_ID = /^[\w-]{10,100}$/;
const KINDS: Record<string, string> = {
  document: "application/vnd.google-apps.document",
  presentation: "application/vnd.google-apps.presentation",
  spreadsheets: "application/vnd.google-apps.spreadsheet",
};

/** The file a link into Google Drive leads to. A link does not say what a stored file is; most that are read are PDFs. */
export function driveFile(url: string): DriveFile | null {
  if (!URL.canParse(url)) return null;
  const { hostname, pathname, searchParams } = new URL(url);
  const path = pathname.split("/").filter(Boolean);
  const id = path.includes("d") ? path[path.indexOf("d") + 1] : searchParams.get("id");
  if (!id || !FILE_ID.test(id)) return null;
  if (hostname === "drive.google.com") return { id, mime: "application/pdf" };
  const mime = KINDS[path[0] ?? ""];
  return hostname === "docs.google.com" && mime ? { id, mime } : null;
}
