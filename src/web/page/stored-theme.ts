export type Theme = "system" | "light" | "dark";
export const THEMES: readonly Theme[] = ["system", "light", "dark"];
export const THEME_STORE = "bookwheel.theme";

/** The colours the reader chose; those of the system if nothing was chosen. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(THEME_STORE);
  return THEMES.find((name) => name === stored) ?? "system";
}
