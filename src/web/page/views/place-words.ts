/** What a notebook and a project are, in one sentence each. */
export const PLACE_WORDS = {
  notebook: "A notebook is for asking: a few sources, and answers that cite them.",
  project: "A project is for writing: every passage has its page and citation key, and a bibliography goes with it.",
} as const;
