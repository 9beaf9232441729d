/** Source is a place that a package can come from, as it was typed. */
export type Source =
  | { readonly is: "address"; readonly url: string; readonly host: string }
  | { readonly is: "folder"; readonly path: string }
  /** insecure: an address that is not https. */
  | { readonly is: "insecure" };

/** sourceOf reads what was typed as an address or a folder; null: it is neither. The kernel judges it again. */
export function sourceOf(text: string): Source | null {
  const typed = text.trim();
  if (/^\/[^/]/.test(typed)) return { is: "folder", path: typed };
  if (!/^https?:\/\/./i.test(typed) || !URL.canParse(typed)) return null;
  const url = new URL(typed);
  // The host as it is asked: other scripts in their xn-- form, so that a lookalike shows.
  return url.protocol === "https:" ? { is: "address", url: url.href, host: url.host } : { is: "insecure" };
}
