import { flagOf, SETTING_NAMES, SETTINGS, type Setting } from "../config/settings.js";
import { COMMANDS, usageOf } from "./commands.js";

export function helpText(): string {
  const commands = Object.entries(COMMANDS).flatMap(([name, { about, flags = {} }]) => [
    `  bookwheel ${usageOf(name)}`,
    `      ${about}`,
    ...Object.entries(flags).map(
      ([flag, { about: meaning, short }]) => `      ${`--${flag}${short ? `, -${short}` : ""}`.padEnd(26)} ${meaning}`,
    ),
  ]);
  const settings = SETTING_NAMES.map((name) => {
    const setting: Setting<unknown> = SETTINGS[name];
    return `  --${flagOf(name).padEnd(30)} ${setting.about}`;
  });
  return [
    "Bookwheel turns your own reading towards your AI assistant.",
    "",
    ...commands,
    "",
    "Settings (also as environment variables: --port is PORT):",
    ...settings,
    "",
  ].join("\n");
}
