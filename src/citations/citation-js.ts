import { once } from "../kernel/once.js";
import type { CslItem } from "./csl.js";

/** The parts of citation-js we use. It is loaded on first use: most calls never need it. */
export interface CitationJs {
  /** Parses one named format: with format detection, citation-js would fetch a URL found in the data. */
  parse(data: unknown, type: InputType): CslItem[];
  /** Whether the BibTeX parser knows a command of this name. */
  knowsCommand(name: string): boolean;
  format(
    output: "bibtex" | "ris" | "bibliography" | "citation",
    items: readonly CslItem[],
    options?: Record<string, unknown>,
  ): string;
  addStyle(name: string, xml: string): void;
}
/** An entry of a BibTeX file with its values as TeX. */
export interface RawBibtexEntry {
  type: string;
  label: string;
  properties: Record<string, string>;
}
type InputType = "@biblatex/entries+list" | "@csl/list+object" | "@ris/file";

interface BibtexConfig {
  format: Record<string, boolean>;
  constants: Record<"commands" | "mathCommands" | "diacritics" | "formattingCommands" | "formattingEnvs", object>;
}

interface StyleRegistry {
  templates: { has(name: string): boolean; add(name: string, xml: string): void };
}

export const citationJs = once(async (): Promise<CitationJs> => {
  const { plugins } = await import("@citation-js/core");
  await Promise.all([
    import("@citation-js/plugin-bibtex"),
    import("@citation-js/plugin-csl"),
    import("@citation-js/plugin-ris"),
  ]);
  const { templates } = plugins.config.get("@csl") as StyleRegistry;
  const { format, constants } = plugins.config.get("@bibtex") as BibtexConfig;
  // Keys and non-ASCII letters are kept: every current BibTeX processor reads UTF-8.
  Object.assign(format, { checkLabel: false, asciiOnly: false });
  const { commands, mathCommands, diacritics, formattingCommands, formattingEnvs } = constants;
  const escapes = Object.fromEntries([..."&%$#_{}"].map((char) => [char, char]));
  const tables = [commands, mathCommands, diacritics, formattingCommands, formattingEnvs, escapes];
  return {
    // citation-js returns CSL-JSON items; it has no types.
    parse: (data, type) => plugins.input.chain(data, { forceType: type, generateGraph: false }) as CslItem[],
    knowsCommand: (name) => tables.some((table) => Object.hasOwn(table, name)),
    format: (output, items, options) => String(plugins.output.format(output, [...items], options)),
    addStyle(name, xml) {
      if (!templates.has(name)) templates.add(name, xml);
    },
  };
});
