/** The secrets the server may ask for: the user's Readwise key, or its own token. */
export type KeyName = "readwise" | "token";
export type Keys = Partial<Record<KeyName, string>>;

/** Kept in session storage, which ends with the tab. */
export const KEY_STORE = "bookwheel.keys";

/** Each has a header of its own, so they cannot be mixed up. */
export function keyHeaders({ readwise, token }: Keys): Record<string, string> {
  return {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(readwise ? { "x-readwise-token": readwise } : {}),
  };
}

export function storedKeys(): Keys {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY_STORE) ?? "{}");
    return Object.fromEntries(Object.entries(value ?? {}).filter(([, key]) => typeof key === "string"));
  } catch {
    return {}; // a sandboxed frame has no storage; an unreadable value is asked for again
  }
}
