/** What a Containerfile says, as far as the tests ask. */
export interface Stage {
  name: string | undefined;
  from: string;
  instructions: { name: string; text: string }[];
}

export interface Copy {
  /** The stage it copies from; undefined for the folder that is built. */
  from: string | undefined;
  sources: string[];
  target: string;
}

export function stagesOf(text: string): Stage[] {
  const lines = text
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === "FROM") {
      const [, from = "", stage] = /^(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      stages.push({ name: stage, from, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, text: rest });
  }
  return stages;
}

export function copiesOf(stage: Stage): Copy[] {
  return stage.instructions
    .filter(({ name }) => name === "COPY")
    .map(({ text }) => {
      const words = text.split(/\s+/);
      const flags = words.filter((word) => word.startsWith("--"));
      const paths = words.filter((word) => !word.startsWith("--"));
      return {
        from: flags.find((flag) => flag.startsWith("--from="))?.slice("--from=".length),
        sources: paths.slice(0, -1),
        target: paths.at(-1) ?? "",
      };
    });
}

export const environmentOf = (stage: Stage): Record<string, string> =>
  Object.fromEntries(
    stage.instructions
      .filter(({ name }) => name === "ENV")
      .flatMap(({ text }) => [...text.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)])
      .map(([, name = "", quoted, plain]) => [name, quoted ?? plain ?? ""]),
  );
