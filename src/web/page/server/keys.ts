import { signal } from "@preact/signals";
import { KEY_STORE, type KeyName, type Keys, storedKeys } from "./stored-keys.js";

export const keys = signal<Keys>(storedKeys());
/** The server's message when it last refused a request without its token. */
export const tokenWanted = signal<string | undefined>(undefined);

export function remember(name: KeyName, value: string): void {
  keys.value = { ...keys.value, [name]: value };
  sessionStorage.setItem(KEY_STORE, JSON.stringify(keys.value));
  tokenWanted.value = undefined;
}

export function forgetKeys(): void {
  keys.value = {};
  sessionStorage.removeItem(KEY_STORE);
}
