const policy = (
  globalThis as {
    trustedTypes?: {
      createPolicy(name: string, rules: { createHTML(html: string): string }): { createHTML(html: string): string };
    };
  }
).trustedTypes?.createPolicy("bookwheel-inert", { createHTML: (markup) => markup });

/** A document without scripts, styles or loading; callers take only its text. */
export function inertDocument(markup: string, type: "text/html" | "application/xml"): Document {
  return new DOMParser().parseFromString(policy ? policy.createHTML(markup) : markup, type);
}
