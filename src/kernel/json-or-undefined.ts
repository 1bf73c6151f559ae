/** The value, or undefined for text that is not JSON: the caller says what that means. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
