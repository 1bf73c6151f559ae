import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
const STORE = "bookwheel.theme";
export const THEMES: readonly Theme[] = ["system", "light", "dark"];

const stored = localStorage.getItem(STORE);
export const theme = signal<Theme>(THEMES.find((name) => name === stored) ?? "system");

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(STORE, theme.value);
});

export function setTheme(name: Theme): void {
  theme.value = name;
}
