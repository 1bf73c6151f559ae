/** What is missing to run it, as a sentence; undefined where all is there. */
export function missing(): string | undefined;
