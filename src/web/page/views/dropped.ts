/** The files (including those in dropped folders) and URLs of a drop or paste; any other text becomes a file. */
export async function dropped(data: DataTransfer): Promise<{ files: File[]; links: string[] }> {
  // Read the entries before the first await: the browser empties the list after it.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  const plain = [...data.files];
  const links = linksIn(data.getData("text/uri-list"));
  const text = data.getData("text/plain").trim();
  const files = entries.length > 0 ? (await Promise.all(entries.map(filesIn))).flat() : plain;
  if (files.length > 0) return { files, links: [] };
  if (links.length > 0) return { files, links };
  const pasted = linksIn(text);
  if (pasted.length > 0 && pasted.length === text.split(/\s+/).length) return { files, links: pasted };
  return { files: text ? [asFile(text)] : [], links: [] };
}

const linksIn = (text: string) => text.split(/\s+/).filter((word) => /^https?:\/\//.test(word) && URL.canParse(word));

const NAME_LENGTH = 60;

/** Plain text, so that quotes are exactly what was pasted; its first words are its name. */
function asFile(text: string): File {
  const line = text.split("\n", 1)[0]!.slice(0, 2 * NAME_LENGTH);
  // Without what a file name may not hold, and without a heading's marks.
  const words = line.replace(/[\p{Cc}/\\:*?"<>|#.\s]+/gu, " ").trim();
  const cut = words.length > NAME_LENGTH ? words.lastIndexOf(" ", NAME_LENGTH) : words.length;
  return new File([text], `${words.slice(0, cut > 0 ? cut : NAME_LENGTH) || "Pasted text"}.txt`, {
    type: "text/plain",
  });
}

/** Files of two folders may have one name, and each is kept: the second becomes `name (2)`. */
export function namedApart(files: readonly File[]): File[] {
  const taken = new Set<string>();
  return files.map((file) => {
    const dot = file.name.lastIndexOf(".");
    const at = dot > 0 ? dot : file.name.length;
    let name = file.name;
    for (let copy = 2; taken.has(name); copy++) name = `${file.name.slice(0, at)} (${copy})${file.name.slice(at)}`;
    taken.add(name);
    return name === file.name ? file : new File([file], name, { type: file.type });
  });
}

const MOST_FILES = 500;

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.name.startsWith(".")) return [];
  if (entry.isFile)
    return new Promise((resolve, reject) => {
      (entry as FileSystemFileEntry).file((file) => resolve([file]), reject);
    });
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  for (;;) {
    // The browser returns a folder in batches of a hundred; an empty batch is the end.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0 || found.length >= MOST_FILES) return found;
    for (const inner of part) found.push(...(await filesIn(inner)));
  }
}
