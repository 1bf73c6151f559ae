/** Notebook or project, in one sentence each, wherever the choice is made. */
export const PLACE_WORDS = {
  notebook: "A notebook is for asking: a few sources, and answers that cite them.",
  project: "A project is for writing: every passage has its page and citation key, and a bibliography goes with it.",
} as const;
