import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Command, type Flag, flagValue, type Run } from "../command.js";
import { misused } from "../console.js";
import { openShelves } from "../serve.js";
import { cite, quote, read, search } from "./reading-verbs.js";
import { add, ask, highlights, queue, rename } from "./shelf-verbs.js";
import { show, terminalPage } from "./terminal-page.js";
import type { Verb } from "./verb.js";

const OUTPUT: Readonly<Record<string, Flag>> = {
  json: { about: "Print JSON, as in a pipe." },
  text: { about: "Print text in a pipe too." },
  color: { value: "auto|always|never", about: "Colours in text; auto: at a terminal, unless NO_COLOR is set." },
};

/** Commands for reading: search, ask, quote and so on. */
export const VERBS: Readonly<Record<string, Command>> = {
  search: command(search),
  ask: command(ask),
  quote: command(quote),
  cite: command(cite),
  read: command(read),
  highlights: command(highlights),
  queue: command(queue),
  add: command(add),
  rename: command(rename),
};

/** Readable at a terminal, JSON in a pipe; exit code 1 where the answer is an error. */
function command<Answer>(verb: Verb<Answer>): Command {
  return {
    words: verb.words,
    about: verb.about,
    examples: verb.examples,
    flags: { ...verb.flags, ...OUTPUT },
    async run(run) {
      const { args, print, complain } = run;
      const color = flagValue(args.flags, "color") ?? "auto";
      if (!["auto", "always", "never"].includes(color))
        return misused(run, `--color takes auto, always or never, not '${color}'.`);
      const config = { ...run.config, BOOKWHEEL_INGEST_ROOTS: readableBy(run) };
      await using shelves = await openShelves({ ...run, config });
      const { callerFor, offeredTools } = await import("../call.js");
      const listings = offeredTools(run);
      const callListed = callerFor(run, shelves.services, listings);
      const call = async (name: string, input: Record<string, unknown>) => {
        const listing = listings.find((candidate) => candidate.name === name);
        return listing && (await callListed(listing, input));
      };
      const request = await verb.request(args.positionals, args.flags, async (name, input) => {
        const outcome = await call(name, input);
        return outcome?.ok ? outcome.data : undefined;
      });
      if ("misuse" in request) return misused(run, request.misuse);
      const outcome = await call(request.tool, request.args);
      if (!outcome) {
        complain("This is switched off. 'bookwheel doctor' says which setting switches it on.");
        return 1;
      }
      const asJson = args.flags.json === true || (!process.stdout.isTTY && args.flags.text !== true);
      if (asJson) print(JSON.stringify(outcome.ok ? outcome.data : { error: outcome.error }, null, 2));
      else if (!outcome.ok) complain(outcome.error.message);
      else {
        const colours = color === "auto" ? (process.stdout.hasColors?.() ?? false) : color === "always";
        const page = terminalPage({ columns: process.stdout.columns, colours });
        verb.show(outcome.data as Answer, page);
        show(page.lines(), print);
      }
      return outcome.ok ? 0 : 1;
    },
  };
}

/** At their own shell, people may name any file they can read. */
function readableBy({ args, config }: Run): string[] {
  const folders = args.positionals.filter((word) => existsSync(word)).map((word) => dirname(resolve(word)));
  return [...config.BOOKWHEEL_INGEST_ROOTS, ...folders];
}
