const ORGANISATIONS = ["fastembed/", "sentence-transformers/"];

/** A model's name without the library it is published under: `fastembed/all-MiniLM-L6-v2` is `all-MiniLM-L6-v2`. */
export function usualName(id: string): string {
  const known = ORGANISATIONS.find((name) => id.toLowerCase().startsWith(name));
  return known ? id.slice(known.length) : id;
}
