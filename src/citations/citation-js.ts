import type { CslItem } from "./csl.js";

/** The parts of citation-js we use. It is loaded when first asked for: most calls never need it. */
export interface CitationJs {
  /** Reads one format, named, so that nothing in the data is ever taken for an address to fetch. */
  parse(data: unknown, type: InputType): CslItem[];
  /** The entries of a BibTeX file as they stand there, for the fields CSL has no place for. */
  rawBibtex(text: string): { label: string; properties: Record<string, unknown> }[];
  format(
    output: "bibtex" | "ris" | "bibliography" | "citation",
    items: readonly CslItem[],
    options?: Record<string, unknown>,
  ): string;
  /** Makes a style known by name. */
  addStyle(name: string, xml: string): void;
}
export type InputType = "@biblatex/text" | "@csl/list+object" | "@ris/file";

interface StyleRegistry {
  templates: { has(name: string): boolean; add(name: string, xml: string): void };
}

let loading: Promise<CitationJs> | undefined;

export function citationJs(): Promise<CitationJs> {
  loading ??= load();
  return loading;
}

async function load(): Promise<CitationJs> {
  const { plugins } = await import("@citation-js/core");
  await Promise.all([
    import("@citation-js/plugin-bibtex"),
    import("@citation-js/plugin-csl"),
    import("@citation-js/plugin-ris"),
  ]);
  const { templates } = plugins.config.get("@csl") as StyleRegistry;
  const { format } = plugins.config.get("@bibtex") as { format: Record<string, boolean> };
  // Keys stay as they are, and letters too: every current BibTeX processor reads UTF-8.
  Object.assign(format, { checkLabel: false, asciiOnly: false });
  return {
    // citation-js answers CSL-JSON items by contract; it has no types of its own.
    parse: (data, type) => plugins.input.chain(data, { forceType: type, generateGraph: false }) as CslItem[],
    rawBibtex: (text) =>
      plugins.input.chain(text, {
        forceType: "@biblatex/text",
        generateGraph: false,
        target: "@biblatex/entries+list",
      }) as { label: string; properties: Record<string, unknown> }[],
    format: (output, items, options) => String(plugins.output.format(output, [...items], options)),
    addStyle(name, xml) {
      if (!templates.has(name)) templates.add(name, xml);
    },
  };
}
