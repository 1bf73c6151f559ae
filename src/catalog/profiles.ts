/** A profile is a named group of tools that is enabled as a unit; each belongs to one shelf. */
export const PROFILES = {
  readwise: { shelf: "readwise", needs: [], about: "Readwise highlights: sources, highlights, export, daily review, search." },
  reader: { shelf: "readwise", needs: [], about: "Reader documents: list, read, tags, search." },
  write: { shelf: "readwise", needs: ["readwise", "reader"], about: "Create and update; each tool also needs the profile of what it writes to." },
  video: { shelf: "readwise", needs: ["reader"], about: "Reader videos: list, transcript, position, timestamped highlights." },
  destructive: { shelf: "readwise", needs: ["readwise", "reader"], about: "Delete highlights, tags and documents." },
  notebooks: { shelf: "notebooks", needs: [], about: "Notebooks with sources, and answers with citations." },
  "notebooks-destructive": { shelf: "notebooks", needs: ["notebooks"], about: "Delete notebooks and sources." },
  chunks: { shelf: "chunks", needs: [], about: "Passages by words and by meaning, quotes checked, citations." },
  "chunks-destructive": { shelf: "chunks", needs: ["chunks"], about: "Delete projects and chunks." },
} as const satisfies Record<string, { shelf: ShelfName; needs: readonly string[]; about: string }>;

export type ShelfName = "readwise" | "notebooks" | "chunks";
export const SHELVES: readonly ShelfName[] = ["readwise", "notebooks", "chunks"];
export type ProfileName = keyof typeof PROFILES;
