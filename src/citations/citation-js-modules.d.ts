// citation-js ships no types; only the parts we call are declared.
declare module "@citation-js/core" {
  export const plugins: {
    input: {
      chain(data: unknown, options: { forceType?: string; generateGraph?: boolean; target?: string }): unknown;
    };
    output: { format(name: string, data: unknown[], options?: Record<string, unknown>): unknown };
    config: { get(name: string): unknown };
  };
}
declare module "@citation-js/plugin-bibtex";
declare module "@citation-js/plugin-csl";
declare module "@citation-js/plugin-ris";
