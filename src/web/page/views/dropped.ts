/** The files (those of dropped folders too) and the web addresses of what was dropped or pasted. */
export async function dropped(data: DataTransfer): Promise<{ files: File[]; links: string[] }> {
  // Entries must be taken before the first await: afterwards the browser has emptied the list.
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
    // A folder is read in parts of a hundred until a part is empty.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0 || found.length >= MOST_FILES) return found;
    for (const inner of part) found.push(...(await filesIn(inner)));
  }
}
