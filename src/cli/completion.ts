import { flagOf, SETTING_NAMES } from "../config/settings.js";
import type { Command } from "./command.js";

type Commands = Readonly<Record<string, Command>>;

/** A completion script, written from the table of commands; undefined for a shell we do not know. */
export function completionFor(shell: string, commands: Commands): string | undefined {
  if (shell === "bash") return bash(commands);
  if (shell === "zsh") return `autoload -Uz bashcompinit && bashcompinit\n${bash(commands)}`;
  if (shell === "fish") return fish(commands);
  return undefined;
}

const settings = SETTING_NAMES.map((name) => `--${flagOf(name)}`);
/** Of what may follow, the words there is a choice of: "add|list|remove [NAME]". */
const choices = (value: string | undefined) => {
  const first = value?.split(" ")[0];
  return first?.includes("|") ? first.split("|") : [];
};

/** The words of `flags` that may follow each command, and the values that may follow each flag. */
function bash(commands: Commands): string {
  const cases = Object.entries(commands).map(([name, { words, flags = {} }]) => {
    const own = [...choices(words), ...Object.keys(flags).map((flag) => `--${flag}`)];
    return `    ${name}) words="${own.join(" ")} $settings" ;;`;
  });
  const values = Object.values(commands)
    .flatMap(({ flags = {} }) => Object.entries(flags))
    .filter(([, { value }]) => choices(value).length > 0)
    .map(([flag, { value }]) => `    --${flag}) words="${choices(value).join(" ")}" ;;`);
  return `_bookwheel() {
  local words settings="${settings.join(" ")}"
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${Object.keys(commands).join(" ")}"; fi
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${[...new Set(values)].join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  if [ -z "\${COMPREPLY[*]}" ]; then COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi
}
complete -F _bookwheel bookwheel`;
}

function fish(commands: Commands): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = Object.entries(commands).flatMap(([name, { about, words, flags = {} }]) => {
    const here = `complete -c bookwheel -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c bookwheel -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
      ...(choices(words).length ? [`${here} -a '${choices(words).join(" ")}'`] : []),
      ...Object.entries(flags).map(([flag, { about: meaning, short, value }]) =>
        [
          `${here} -l ${flag}`,
          ...(short ? [`-s ${short}`] : []),
          ...(value ? [`-x -a '${choices(value).join(" ")}'`] : []),
          `-d ${quoted(meaning)}`,
        ].join(" "),
      ),
    ];
  });
  return lines.join("\n");
}
