/** Theme is what the owner chose; "system" follows the computer. */
export type Theme = "light" | "dark" | "system";

/** isTheme judges a stored value. */
export function isTheme(value: unknown): value is Theme {
  return value === "light" || value === "dark" || value === "system";
}

/** applyTheme chooses the theme with color-scheme alone: the tokens are light-dark() pairs. */
export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
}
