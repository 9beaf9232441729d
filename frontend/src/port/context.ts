import { closed, isRecord } from "./json";

/** HostTheme is the theme that the owner sees now: "system" is resolved by the shell. */
export type HostTheme = "light" | "dark";

/** HostContext is what the shell tells each page about its surroundings (rules T1–T4). */
export interface HostContext {
  readonly theme: HostTheme;
}

/** readContext is the context of a host.context payload of this version, closed, or null. */
export function readContext(payload: unknown): HostContext | null {
  if (!isRecord(payload) || !closed(payload, ["theme"])) return null;
  const { theme } = payload;
  return theme === "light" || theme === "dark" ? { theme } : null;
}
