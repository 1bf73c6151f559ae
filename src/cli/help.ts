import { flagOf, SETTING_NAMES, SETTINGS, type Setting } from "../config/settings.js";
import { type Command, usageOf } from "./command.js";
import { wrapped } from "./verbs/terminal-page.js";
import { VERBS } from "./verbs/verbs.js";

type Commands = Readonly<Record<string, Command>>;

const NAME_WIDTH = 12;
const width = () => Math.min(process.stdout.columns ?? 80, 100);

/** All commands, one line each. */
export function helpText(commands: Commands): string {
  const lines = (shown: Commands) =>
    Object.entries(shown).flatMap(([name, { about }]) =>
      wrapped(about, width() - NAME_WIDTH - 3).map(
        (line, index) => `  ${(index === 0 ? name : "").padEnd(NAME_WIDTH)} ${line}`,
      ),
    );
  const others = Object.fromEntries(Object.entries(commands).filter(([name]) => !(name in VERBS)));
  return [
    "Bookwheel turns your own reading towards your AI assistant.",
    "",
    "Your reading:",
    ...lines(VERBS),
    "",
    "The program:",
    ...lines(others),
    "",
    "'bookwheel help COMMAND' has its flags and examples.",
    "'bookwheel help settings' lists the settings.",
  ].join("\n");
}

/** One command with its flags and examples; undefined where there is none of that name. */
export function commandHelp(commands: Commands, name: string): string | undefined {
  const command = commands[name];
  if (!command) return undefined;
  const { about, flags = {}, examples = [] } = command;
  const shown = Object.entries(flags).map(([flag, { about: meaning, short, value }]) => {
    const written = `--${flag}${short ? `, -${short}` : ""}${value ? ` ${value}` : ""}`;
    return `  ${written.padEnd(28)} ${meaning}`;
  });
  return [
    `bookwheel ${usageOf(name, command)}`,
    "",
    about,
    ...(shown.length > 0 ? ["", ...shown] : []),
    ...(examples.length > 0 ? ["", "Examples:", ...examples.map((example) => `  ${example}`)] : []),
    "",
    "Every setting is a flag too: 'bookwheel help settings'.",
  ].join("\n");
}

export function settingsHelp(): string {
  const settings = SETTING_NAMES.map((name) => {
    const setting: Setting<unknown> = SETTINGS[name];
    return `  --${flagOf(name).padEnd(30)} ${setting.about}`;
  });
  return ["Settings (also as environment variables: --port is PORT):", ...settings].join("\n");
}
