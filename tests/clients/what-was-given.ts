import { settler } from "../../scripts/example-calls.mjs";
import type { Given, Step } from "./scripted-model.js";

const SHOWN = 700;

/** What a model was given in one turn, for people to read. */
export function recordOf(turn: {
  name: string;
  version: string;
  protocol: string | undefined;
  given: Given;
  plan: readonly Step[];
  answers: readonly string[];
}): string {
  const { name, version, protocol, given, plan, answers } = turn;
  const settle = settler() as (text: string) => string;
  const ours = given.tools.filter((tool) => JSON.stringify(tool.definition).length > 0);
  const shown = ours.find((tool) => tool.name.endsWith("search_library"));
  const chars = ours.reduce((sum, tool) => sum + JSON.stringify(tool.definition).length, 0);
  const steps = plan.map(({ tool, args }, index) => {
    const result = given.results[index] ?? "(nothing)";
    return [
      `## ${tool} ${JSON.stringify(args)}`,
      `The server's answer has ${answers[index]!.length} characters; the model was given ${result.length}:`,
      ["```", settle(cut(result)), "```"].join("\n"),
    ].join("\n\n");
  });
  return [
    `# ${name} ${version}`,
    `Protocol ${protocol ?? "not named"}. Tools in the request: ${ours.length}, about ${Math.round(chars / 4)} tokens. Server instructions in the prompt: ${given.prompt.includes("Bookwheel turns") ? "yes" : "no"}.`,
    shown
      ? ["`search_library` as the model gets it:", "```json", JSON.stringify(shown.definition, null, 1), "```"].join(
          "\n\n",
        )
      : "",
    ...steps,
    "",
  ].join("\n\n");
}

const cut = (text: string) =>
  text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}\n… (${text.length - SHOWN} more characters)`;
