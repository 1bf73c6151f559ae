import { isatty } from "node:tty";
import { version } from "./app/version.js";
import { parseArguments } from "./cli/arguments.js";
import type { Arguments } from "./cli/command.js";
import { COMMANDS, unknownCommand } from "./cli/commands.js";
import { askOnTerminal, INTERRUPTED, misused } from "./cli/console.js";
import { commandHelp, helpText } from "./cli/help.js";
import { asStartupError, ConfigError, readConfig, secretsOf } from "./config/config.js";
import { ShelfError } from "./kernel/errors.js";
import { createLog } from "./kernel/log.js";
import { noMetrics } from "./kernel/no-metrics.js";

const print = (line: string) => process.stdout.write(`${line}\n`);
const complain = (line: string) => process.stderr.write(`${line}\n`);

const terminal = isatty(2) ? process.stderr : undefined;
const ask = isatty(0) && terminal ? askOnTerminal : undefined;

async function main(argv: readonly string[]): Promise<number> {
  let args: Arguments;
  try {
    args = parseArguments(argv);
  } catch (error) {
    return misused({ complain }, `${(error as Error).message}\n'bookwheel --help' lists the commands and settings.`);
  }
  // A reader such as `head` may close the pipe early. The stdio transport handles its own stdout.
  if (args.command !== "stdio")
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit(0);
    });
  if (args.flags.version || args.flags.help) {
    print(args.flags.version ? version : ((args.command && commandHelp(COMMANDS, args.command)) ?? helpText(COMMANDS)));
    return 0;
  }
  if (!args.command) return misused({ complain }, helpText(COMMANDS));
  const command = COMMANDS[args.command];
  if (!command) return misused({ complain }, unknownCommand(args.command));

  if (args.positionals.length && !command.words)
    return misused(
      { complain },
      `'${args.command}' takes settings as --flags only; unexpected argument '${args.positionals[0]}'.`,
    );

  const stopping = new AbortController();
  let interrupted = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      // Stopping a server is a success; interrupted work has its own exit code.
      if (signal === "SIGINT" && !command.serves && args.command !== "stdio") interrupted = true;
      stopping.abort();
    });
  try {
    const config = readConfig(undefined, args.flags);
    const log = createLog(config.LOG_LEVEL, { secrets: secretsOf(config) });
    process.on("uncaughtException", (error) => {
      log.error("crash", { error });
      process.exit(70);
    });
    process.on("unhandledRejection", (error) => log.error("unhandled rejection", { error }));
    const metrics = command.serves ? (await import("./kernel/metrics.js")).createMetrics() : noMetrics;
    const code = await command
      .run({ args, config, log, metrics, signal: stopping.signal, print, complain, terminal, ask })
      .catch((error) => {
        throw asStartupError(error, config) ?? error;
      });
    return interrupted ? INTERRUPTED : code;
  } catch (error) {
    // Errors after a stop signal are expected.
    if (stopping.signal.aborted) return interrupted ? INTERRUPTED : 0;
    if (!(error instanceof ConfigError || error instanceof ShelfError)) throw error;
    complain(error.message);
    return 1;
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
    // Exit even if a dependency leaks a handle; what was printed is written out first.
    setTimeout(() => process.exit(), 500).unref();
  },
  // An unexpected error ends the program like one thrown anywhere else.
  (error) =>
    setImmediate(() => {
      throw error;
    }),
);
