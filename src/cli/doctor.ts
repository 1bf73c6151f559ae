import type { Config } from "../config/config.js";
import { SETTING_NAMES, SETTINGS, type Setting } from "../config/settings.js";

/** One thing doctor looks at. `problem` is a sentence with what to do; undefined is fine. */
export interface DoctorCheck {
  name: string;
  /** Something Bookwheel cannot do without, or something that only some tools need. */
  needed: boolean;
  examine(): Promise<{ found: string } | { problem: string }>;
}

/** Prints what is set, what is missing and what to do. Exit code 1 where something needed is missing. */
export async function runDoctor(
  config: Config,
  checks: readonly DoctorCheck[],
  print: (line: string) => void,
): Promise<number> {
  print("Settings (those that are not the default):");
  const set = SETTING_NAMES.filter((name) => config.origins[name] !== "default");
  for (const name of set) {
    const setting: Setting<unknown> = SETTINGS[name];
    print(`  ${name} = ${setting.secret ? "(set)" : String(config[name])}  [${config.origins[name]}]`);
  }
  if (set.length === 0) print("  none");
  print(`\nShelves: ${config.shelves.join(", ")}. Profiles: ${[...config.profiles].join(", ")}.\n`);

  let failures = 0;
  for (const { name, needed, examine } of checks) {
    const result = await examine();
    if ("found" in result) print(`  ok       ${name}: ${result.found}`);
    else if (needed) {
      failures++;
      print(`  MISSING  ${name}: ${result.problem}`);
    } else print(`  without  ${name}: ${result.problem}`);
  }
  print(
    failures
      ? `\n${failures} thing${failures === 1 ? "" : "s"} to mend before Bookwheel can work.`
      : "\nBookwheel can work.",
  );
  return failures ? 1 : 0;
}
