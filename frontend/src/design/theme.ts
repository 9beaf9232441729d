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

/** shownTheme is what the owner sees: "system" as the computer has it now. */
export function shownTheme(theme: Theme): "light" | "dark" {
  if (theme !== "system") return theme;
  return darkSystem()?.matches ? "dark" : "light";
}

/** onSystemTheme calls fn when the computer changes between light and dark. It returns what stops it. */
export function onSystemTheme(fn: () => void): () => void {
  const query = darkSystem();
  query?.addEventListener("change", fn);
  return () => query?.removeEventListener("change", fn);
}

// A test without a window has no computer to ask.
function darkSystem(): MediaQueryList | undefined {
  return typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : undefined;
}
