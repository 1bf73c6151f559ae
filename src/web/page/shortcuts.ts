import { signal } from "@preact/signals";

const STORE = "bookwheel.shortcuts";

/** Single-key shortcuts can be switched off: they conflict with speech input and some keyboards. */
export const shortcutsOn = signal(localStorage.getItem(STORE) !== "off");

export function setShortcuts(on: boolean): void {
  shortcutsOn.value = on;
  localStorage.setItem(STORE, on ? "on" : "off");
}

/** Calls the handler of a single key, unless the user is typing or a dialog is open. */
export function onShortcut(keys: Record<string, (() => unknown) | undefined>): () => void {
  function pressed(event: KeyboardEvent): void {
    if (!shortcutsOn.value || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target;
    if (target instanceof Element && target.closest("input, textarea, select, dialog, [contenteditable]")) return;
    const handle = keys[event.key];
    if (!handle) return;
    event.preventDefault();
    handle();
  }
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

/** Calls the handler when Escape is pressed outside a dialog, even while the user is typing. */
export function onEscape(handle: () => void): () => void {
  function pressed(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    handle();
  }
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}
