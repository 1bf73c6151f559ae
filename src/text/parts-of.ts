/** The parts of a text between separators, trimmed, without empty ones. */
export function partsOf(text: string, separator: string | RegExp): string[] {
  const parts = text.split(separator).map((part) => part.trim());
  return parts.filter(Boolean);
}
