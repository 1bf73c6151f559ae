import { signal } from "@preact/signals";

/** The secrets the server may ask for: the user's Readwise key, or its own token. */
type KeyName = "readwise" | "token";
export type Keys = Partial<Record<KeyName, string>>;

const STORE = "bookwheel.keys";

/** Kept in session storage, which ends with the tab. */
export const keys = signal<Keys>(stored());
/** The server's message when it last refused a request without its token. */
export const tokenWanted = signal<string | undefined>(undefined);

export function remember(name: KeyName, value: string): void {
  keys.value = { ...keys.value, [name]: value };
  sessionStorage.setItem(STORE, JSON.stringify(keys.value));
  tokenWanted.value = undefined;
}

export function forgetKeys(): void {
  keys.value = {};
  sessionStorage.removeItem(STORE);
}

/** Each has a header of its own, so they cannot be mixed up. */
export function keyHeaders({ readwise, token }: Keys): Record<string, string> {
  return {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(readwise ? { "x-readwise-token": readwise } : {}),
  };
}

function stored(): Keys {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(STORE) ?? "{}");
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, key]) => typeof key === "string"));
  } catch {
    return {}; // an unreadable value is asked for again
  }
}
