export type ShelfName = "readwise" | "notebooks" | "chunks";
export const SHELVES: readonly ShelfName[] = ["readwise", "notebooks", "chunks"];

interface ProfileRow {
  shelf: ShelfName;
  /** At least one of these must be enabled too. */
  needs: readonly string[];
  about: string;
}

/** A profile is a named group of tools that is enabled as a unit; each belongs to one shelf. */
export const PROFILES = {
  readwise: {
    shelf: "readwise",
    needs: [],
    about: "Readwise highlights: sources, highlights, export, daily review, search.",
  },
  reader: { shelf: "readwise", needs: [], about: "Reader documents: list, read, tags, search." },
  write: {
    shelf: "readwise",
    needs: ["readwise", "reader"],
    about: "Create and update; each tool also needs the profile of what it writes to.",
  },
  video: {
    shelf: "readwise",
    needs: ["reader"],
    about: "Reader videos: list, transcript, position, highlights at a second.",
  },
  destructive: { shelf: "readwise", needs: ["readwise", "reader"], about: "Delete highlights, tags and documents." },
  notebooks: { shelf: "notebooks", needs: [], about: "Notebooks with sources, and answers with citations." },
  "notebooks-destructive": { shelf: "notebooks", needs: ["notebooks"], about: "Delete notebooks and sources." },
  chunks: { shelf: "chunks", needs: [], about: "Passages by words and by meaning, quotes checked, citations." },
  "chunks-destructive": { shelf: "chunks", needs: ["chunks"], about: "Delete projects and chunks." },
} as const satisfies Record<string, ProfileRow>;

export type ProfileName = keyof typeof PROFILES;
export const PROFILE_NAMES = Object.keys(PROFILES) as ProfileName[];

/** Shortcuts accepted in place of profile names, by the setting of each shelf. */
export const SHORTCUTS: Record<ShelfName, Record<string, readonly ProfileName[]>> = {
  readwise: { basic: ["reader", "write"], all: ["readwise", "reader", "write", "video", "destructive"] },
  notebooks: { default: ["notebooks"], all: ["notebooks", "notebooks-destructive"] },
  chunks: { default: ["chunks"], all: ["chunks", "chunks-destructive"] },
};

export type Resolved = { profiles: ReadonlySet<ProfileName>; problems: string[] };

/** Reads one shelf's setting: shortcuts expanded, duplicates dropped, unknown names and unmet needs reported with what to write instead. */
export function resolveProfiles(shelf: ShelfName, names: readonly string[]): Resolved {
  const shortcuts = SHORTCUTS[shelf];
  const own = PROFILE_NAMES.filter((name) => PROFILES[name].shelf === shelf);
  const profiles = new Set<ProfileName>();
  const problems: string[] = [];
  for (const name of names) {
    const expanded = expand(name, shortcuts, own);
    if (expanded.length === 0)
      problems.push(`unknown profile '${name}'; known: ${[...own, ...Object.keys(shortcuts)].join(", ")}`);
    for (const profile of expanded) profiles.add(profile);
  }
  for (const profile of profiles) {
    const { needs } = PROFILES[profile] as ProfileRow;
    if (needs.length && !needs.some((need) => profiles.has(need as ProfileName)))
      problems.push(
        `profile '${profile}' needs ${needs.join(" or ")} too; write '${needs[0]},${profile}'${needs[1] ? ` or '${needs[1]},${profile}'` : ""}`,
      );
  }
  return { profiles, problems };
}

/** Empty for a name that means nothing, `constructor` and its like among them. */
function expand(
  name: string,
  shortcuts: Record<string, readonly ProfileName[]>,
  known: readonly ProfileName[],
): readonly ProfileName[] {
  return Object.hasOwn(shortcuts, name) ? shortcuts[name]! : known.filter((profile) => profile === name);
}

/** The profiles a request asks for, over all shelves; undefined, with the known names, if one is unknown. */
export function narrowing(
  names: readonly string[],
): { profiles: ReadonlySet<ProfileName> } | { unknown: string[]; known: string[] } {
  const shortcuts: Record<string, readonly ProfileName[]> = {
    ...SHORTCUTS.readwise,
    default: SHELVES.flatMap((shelf) => SHORTCUTS[shelf].default ?? []),
    all: PROFILE_NAMES,
  };
  const profiles = new Set<ProfileName>();
  const unknown: string[] = [];
  for (const name of names) {
    const expanded = expand(name, shortcuts, PROFILE_NAMES);
    if (expanded.length === 0) unknown.push(name);
    for (const profile of expanded) profiles.add(profile);
  }
  return unknown.length ? { unknown, known: [...PROFILE_NAMES, ...Object.keys(shortcuts)] } : { profiles };
}
