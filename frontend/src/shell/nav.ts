import { createStore } from "../design/store";

/** Page is what fills the window under the bar. */
export type Page = "workspace" | "apps" | "grants" | "audit" | "appearance";

/** Nav is where the owner is. It is not durable: a start begins in the workspace. */
export interface Nav {
  readonly page: Page;
  /** app is the one that the settings show. */
  readonly app: string;
  readonly launcher: boolean;
  /** welcome: the first start page was asked for, or put away. */
  readonly welcome: boolean | null;
}

/** nav is the one place that says so. */
export const nav = createStore<Nav>({ page: "workspace", app: "", launcher: false, welcome: null });

/** go changes the page and closes the launcher. */
export function go(page: Page, app = ""): void {
  nav.set((n) => ({ ...n, page, app: app === "" ? n.app : app, launcher: false }));
}
