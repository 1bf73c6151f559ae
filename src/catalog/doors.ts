import type { Tool } from "./define-tool.js";
import type { ProfileName, ShelfName } from "./profiles.js";

/** The combined door, or one shelf under exactly its contract's names. */
export type DoorName = "all" | ShelfName;

export interface Listing {
  name: string;
  tool: Tool;
}

export interface Enabled {
  profiles: ReadonlySet<ProfileName>;
  readOnly: boolean;
}

/**
 * Code and descriptions name tools as the catalog does. A door may show a tool under another name: this puts the door's
 * names into a text.
 */
export function inNamesOf(listings: readonly Listing[]): (text: string) => string {
  const renamed = listings.filter(({ name, tool }) => name !== tool.name);
  if (renamed.length === 0) return (text) => text;
  const shown = new Map(renamed.map(({ name, tool }) => [tool.name, name]));
  const names = new RegExp(`\\b(?:${[...shown.keys()].join("|")})\\b`, "g");
  return (text) => text.replace(names, (name) => shown.get(name) ?? name);
}

/** The tools at a door. A tool is listed only if every profile it needs is enabled. */
export function listTools(tools: readonly Tool[], door: DoorName, { profiles, readOnly }: Enabled): Listing[] {
  return tools
    .filter((tool) => door === "all" || tool.shelf === door)
    .filter((tool) => tool.profiles.every((profile) => profiles.has(profile)))
    .filter((tool) => !readOnly || tool.annotations.readOnlyHint)
    .map((tool) => ({ name: door === "all" ? tool.name : tool.doorName, tool }));
}
