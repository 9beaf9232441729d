import { bytes } from "../design/format";
import type { Entry } from "../launcher/entries";
import type { Source } from "../launcher/source";
import { t } from "../design/strings";
import type { Theme } from "../design/theme";
import type { Apps } from "../wire/neutron/link/v1/link_pb";
import type { Layout } from "./layout";
import type { Page } from "./nav";
import { titleOf } from "./workspace";

/** Acts is what the launcher can do. */
export interface Acts {
  front(key: string): void;
  open(app: string, tile: string): void;
  page(page: Page, app?: string): void;
  theme(theme: Theme): void;
  lock(): void;
  installFile(): void;
  installBundled(app: string, name: string): void;
  closeAll(): void;
  /** question opens the oldest waiting question; null while none waits. */
  readonly question: (() => void) | null;
}

/** installEntry is the row for an address or a folder that was typed; most is how large a package from an address may be. */
export function installEntry(source: Exclude<Source, { is: "insecure" }>, most: number, acts: { address(url: string): void; folder(path: string): void }): Entry {
  const row = { group: t.launcher.install, right: "", app: "" };
  return source.is === "address"
    ? { ...row, id: "install-url", label: t.launcher.fetch, sub: source.host, note: t.launcher.fetchNote(bytes(most)), run: () => acts.address(source.url) }
    : { ...row, id: "install-folder", label: t.launcher.folder, sub: source.path, note: t.launcher.folderNote, run: () => acts.folder(source.path) };
}

/** commandsOf lists everything the launcher offers: open tiles, apps, commands, what can be installed. */
export function commandsOf(apps: Apps | null, layout: Layout, acts: Acts): readonly Entry[] {
  const installed = apps?.installed ?? [];
  const command = (id: string, label: string, run: () => void, right = "", keys?: string): Entry => ({
    id,
    group: t.launcher.commands,
    label,
    sub: "",
    right,
    app: "",
    run,
    ...(keys === undefined ? {} : { keys }),
  });
  return [
    ...layout.slots.map((slot) => {
      const app = installed.find((a) => a.id === slot.app);
      return { id: `tile:${slot.key}`, group: t.launcher.openTiles, label: titleOf(app, slot), sub: app?.id ?? "", right: "", app: slot.app, run: () => acts.front(slot.key) };
    }),
    ...installed.flatMap((app) =>
      app.tiles.length === 0
        ? [{ id: `app:${app.id}`, group: t.launcher.apps, label: app.name, sub: t.launcher.noTile, right: app.version, app: app.id, run: () => acts.page("apps", app.id) }]
        : app.tiles.map((tile) => ({
            id: `app:${app.id}:${tile.id}`,
            group: t.launcher.apps,
            label: titleOf(app, { app: app.id, tile: tile.id }),
            sub: t.launcher.newTile,
            right: app.version,
            app: app.id,
            run: () => acts.open(app.id, tile.id),
          })),
    ),
    ...(acts.question === null ? [] : [command("question", t.launcher.question, acts.question, "", "F8")]),
    command("audit", t.launcher.audit, () => acts.page("audit")),
    command("apps", t.launcher.appsPage, () => acts.page("apps")),
    command("grants", t.launcher.grants, () => acts.page("grants")),
    command("appearance", t.launcher.appearance, () => acts.page("appearance")),
    command("light", t.launcher.light, () => acts.theme("light")),
    command("dark", t.launcher.dark, () => acts.theme("dark")),
    command("system", t.launcher.system, () => acts.theme("system")),
    ...(layout.slots.length === 0 ? [] : [command("close-all", t.launcher.closeAll, acts.closeAll)]),
    command("lock", t.launcher.lock, acts.lock, t.launcher.lockNote),
    { id: "install-file", group: t.launcher.install, label: t.launcher.fromFile, sub: ".neutron", right: t.launcher.reviewed, app: "", run: acts.installFile },
    ...(apps?.bundled ?? [])
      .filter((b) => !installed.some((a) => a.id === b.id))
      .map((b) => ({ id: `bundled:${b.id}`, group: t.launcher.install, label: t.launcher.bundled(b.name), sub: t.launcher.bundledNote, right: t.launcher.reviewed, app: b.id, run: () => acts.installBundled(b.id, b.name) })),
  ];
}
