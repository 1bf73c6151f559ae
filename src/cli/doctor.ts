import { PROFILE_NAMES, PROFILES } from "../catalog/profiles.js";
import { type Config, PROFILE_SETTING } from "../config/config.js";
import { SETTING_NAMES, SETTINGS, type Setting } from "../config/settings.js";
import { plural } from "../kernel/plural.js";

/** One check of doctor. `problem` is a sentence with what to do; undefined means ok. */
export interface DoctorCheck {
  name: string;
  /** Something Bookwheel cannot do without, or something that only some tools need. */
  needed: boolean;
  examine(): Promise<Finding>;
}
export type Finding = { found: string } | { problem: string };

interface Report {
  settings: { name: string; value: string; from: string }[];
  shelves: readonly string[];
  profiles: string[];
  /** Profiles that are off, and the line that switches each shelf's on. */
  switched_off: { shelf: string; profiles: string[]; set: string }[];
  checks: { name: string; state: "ok" | "missing" | "without"; words: string }[];
  can_work: boolean;
}

/** Prints what is set, what is switched off, what is missing and what to do. Exit code 1 where something needed is missing. */
export async function runDoctor(
  config: Config,
  checks: readonly DoctorCheck[],
  print: (line: string) => void,
  { json = false } = {},
): Promise<number> {
  const report = await examine(config, checks);
  for (const line of json ? [JSON.stringify(report, null, 2)] : inWords(report)) print(line);
  return report.can_work ? 0 : 1;
}

async function examine(config: Config, checks: readonly DoctorCheck[]): Promise<Report> {
  const found: Report["checks"] = [];
  for (const { name, needed, examine } of checks) {
    const result = await examine();
    if ("found" in result) found.push({ name, state: "ok", words: result.found });
    else found.push({ name, state: needed ? "missing" : "without", words: result.problem });
  }
  return {
    settings: SETTING_NAMES.filter((name) => config.origins[name] !== "default").map((name) => {
      const setting: Setting<unknown> = SETTINGS[name];
      return { name, value: setting.secret ? "(set)" : String(config[name]), from: config.origins[name] };
    }),
    shelves: config.shelves,
    profiles: [...config.profiles],
    switched_off: switchedOff(config),
    checks: found,
    can_work: found.every(({ state }) => state !== "missing"),
  };
}

function switchedOff({ shelves, profiles }: Config): Report["switched_off"] {
  return shelves.flatMap((shelf) => {
    const off = PROFILE_NAMES.filter((name) => PROFILES[name].shelf === shelf && !profiles.has(name));
    const usual = shelf === "readwise" ? "readwise,reader,write" : "all";
    return off.length > 0 ? [{ shelf, profiles: off, set: `${PROFILE_SETTING[shelf]}=${usual}` }] : [];
  });
}

function inWords({ settings, shelves, profiles, switched_off, checks, can_work }: Report): string[] {
  const labels = { ok: "ok     ", missing: "MISSING", without: "without" };
  const missing = checks.filter(({ state }) => state === "missing").length;
  return [
    "Settings (those that are not the default):",
    ...settings.map(({ name, value, from }) => `  ${name} = ${value}  [${from}]`),
    ...(settings.length === 0 ? ["  none"] : []),
    "",
    `Shelves: ${shelves.join(", ")}. Profiles: ${profiles.join(", ")}.`,
    ...switched_off.map(
      ({ shelf, profiles: off, set }) => `Switched off (${shelf}): ${off.join(", ")}. To switch on: ${set}`,
    ),
    "",
    ...checks.map(({ name, state, words }) => `  ${labels[state]}  ${name}: ${words}`),
    "",
    can_work ? "Bookwheel can work." : `${plural(missing, "thing")} to fix before Bookwheel can work.`,
  ];
}
