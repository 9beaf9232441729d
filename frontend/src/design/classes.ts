/** cx joins the class names that hold. */
export function cx(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter((n) => n !== false && n !== null && n !== undefined && n !== "").join(" ");
}
