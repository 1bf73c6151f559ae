import { effect, signal } from "@preact/signals";
import { storedTheme, THEME_STORE, type Theme } from "./stored-theme.js";

export const theme = signal<Theme>(storedTheme());

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(THEME_STORE, theme.value);
});

export function setTheme(name: Theme): void {
  theme.value = name;
}
