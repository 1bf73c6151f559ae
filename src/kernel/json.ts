/** The value, or undefined for text that is not JSON: the caller says what that means. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Empty text counts as missing. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value ? value : null;
}

/** The same record on the wire: what is not known is not there. */
type WithoutNulls<T> = {
  [K in keyof T as null extends T[K] ? never : undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as null extends T[K] ? K : undefined extends T[K] ? K : never]?: NonNullable<T[K]>;
};

/** An answer says what it knows; a null costs a reader as much as a value. */
export function withoutNulls<T extends object>(record: T): WithoutNulls<T> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNulls<T>;
}
