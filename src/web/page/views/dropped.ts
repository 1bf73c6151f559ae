/** The files (including those in dropped folders) and URLs of a drop or paste. */
export async function dropped(data: DataTransfer): Promise<{ files: File[]; links: string[] }> {
  // Read the entries before the first await: the browser empties the list after it.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  const plain = [...data.files];
  const text = data.getData("text/uri-list") || data.getData("text/plain");
  const files = entries.length > 0 ? (await Promise.all(entries.map(filesIn))).flat() : plain;
  const links = text.split(/\s+/).filter((word) => /^https?:\/\//.test(word) && URL.canParse(word));
  return { files, links: files.length > 0 ? [] : links };
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
