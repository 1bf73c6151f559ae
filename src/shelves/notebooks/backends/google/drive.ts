export interface DriveFile {
  id: string;
  mime: string;
}

const ID = /^[\w-]{10,100}$/;
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
  if (!id || !ID.test(id)) return null;
  if (hostname === "drive.google.com") return { id, mime: "application/pdf" };
  const mime = KINDS[path[0] ?? ""];
  return hostname === "docs.google.com" && mime ? { id, mime } : null;
}
