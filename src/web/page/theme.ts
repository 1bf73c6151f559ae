import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
const STORE = "bookwheel.theme";
const THEMES: readonly Theme[] = ["system", "light", "dark"];

const stored = localStorage.getItem(STORE);
export const theme = signal<Theme>(THEMES.find((name) => name === stored) ?? "system");

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(STORE, theme.value);
});

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!;
}
