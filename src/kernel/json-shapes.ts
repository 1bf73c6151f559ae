export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Empty text counts as missing. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value ? value : null;
}
