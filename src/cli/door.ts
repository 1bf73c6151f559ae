import type { DoorName } from "../catalog/doors.js";
import { SHELVES } from "../catalog/profiles.js";
import { type Config, ConfigError } from "../config/config.js";
import type { Arguments } from "./command.js";

export const enabledIn = (config: Config) => ({ profiles: config.profiles, readOnly: config.READ_ONLY });

/** The shelf that `--shelf` names, or all of them. */
export function doorOf({ flags }: Pick<Arguments, "flags">, { shelves }: Config): DoorName {
  if (flags.shelf === undefined) return "all";
  const shelf = SHELVES.find((name) => name === flags.shelf);
  if (!shelf) throw new ConfigError([`--shelf must be one of ${SHELVES.join(", ")} (it is '${flags.shelf}')`]);
  if (!shelves.includes(shelf))
    throw new ConfigError([`--shelf ${shelf}: that shelf is not among BOOKWHEEL_SHELVES (${shelves.join(", ")})`]);
  return shelf;
}
