import { LayoutGrid } from "lucide-react";
import { useEffect, useSyncExternalStore, type ReactNode } from "react";
import { Button, Kbd } from "../design/button";
import { useNarrow } from "../design/narrow";
import { useStore } from "../design/store";
import { t } from "../design/strings";
import type { App, FrameState } from "../wire/neutron/link/v1/link_pb";
import { columnsOf, type Slot } from "./layout";
import type { Model } from "./model";
import { TileGroup, type TileTab } from "./tile";
import { tileView } from "./tileView";

interface WorkspaceProps {
  readonly model: Model;
  readonly shown: boolean;
  readonly onLauncher: () => void;
  readonly onInstall: () => void;
  readonly onRemove: (app: string) => void;
}

/** Workspace is the grid of tiles; in a narrow window all of them are tabs of one group. */
export function Workspace({ model, shown, onLauncher, onInstall, onRemove }: WorkspaceProps): ReactNode {
  const { layout, lives, restored } = useStore(model.tiles.store);
  const kernel = useStore(model.kernel);
  const focus = useSyncExternalStore(model.broker.subscribe, model.broker.focusState);
  const online = useSyncExternalStore(model.link.subscribe, () => model.link.status().phase === "open");
  const narrow = useNarrow();
  const apps = kernel.apps?.installed ?? [];
  const frames = kernel.frames?.frames ?? [];
  const gateOpen = kernel.health?.gateOpen ?? false;

  const tabOf = (slot: Slot): TileTab => {
    const app = apps.find((a) => a.id === slot.app);
    return { key: slot.key, app: slot.app, icon: app?.iconSvg, title: titleOf(app, slot) };
  };
  const group = (slot: Slot, tabs: readonly Slot[]): ReactNode => {
    const app = apps.find((a) => a.id === slot.app);
    const life = lives.get(slot.key);
    const handle = life?.is === "open" ? life.handle : null;
    const view = tileView({
      name: app?.name ?? slot.app,
      installed: kernel.apps === null || app !== undefined,
      life,
      frame: frameOf(frames, slot, handle?.frameId),
      connected: handle !== null && focus.connected.includes(handle.frameId),
      gateOpen,
      online,
      textOf: (code) => (code === "" ? "" : sentence(model, code)),
    });
    return (
      <TileGroup
        key={narrow ? "one" : slot.key}
        tabs={tabs.map(tabOf)}
        active={slot.key}
        focused={handle !== null && focus.frameId === handle.frameId}
        handle={handle}
        view={view}
        fact={app === undefined ? slot.app : `${app.id} ${app.version}`}
        shown={shown}
        onFront={(key) => model.tiles.front(key)}
        onReload={(key) => model.tiles.reload(key)}
        onClose={(key) => model.closeTile(key)}
        onRetry={() => {
          const again = (): void => model.tiles.reload(slot.key);
          if (view?.state === "blocked" || view?.state === "quarantined")
            void model.link.request({ case: "retryFrame", value: { appId: slot.app, tileId: slot.tile } }).then(again, again);
          else again();
        }}
        onRemove={onRemove}
      />
    );
  };

  // The tile in front in a narrow window; the others stay live and unseen.
  const front = layout.slots.find((s) => s.key === layout.active) ?? layout.slots[0];
  useEffect(() => {
    if (!narrow) return;
    for (const [key, life] of lives) if (key !== front?.key && life.is === "open") life.handle.place(null);
  }, [narrow, front?.key, lives]);

  if (layout.slots.length === 0)
    return (
      <main className="stage c1" hidden={!shown}>
        {restored && (
          <section className="drop" data-region="" tabIndex={-1} aria-label={t.bar.workspace}>
            <LayoutGrid className="i i-20" aria-hidden />
            <h1 className="h-sm text-text-primary">{t.empty.title}</h1>
            <p className="sm">
              <Hint />
            </p>
            <div className="row">
              <Button size="sm" onClick={onLauncher}>
                {t.empty.open}
              </Button>
              <Button size="sm" look="ghost" onClick={onInstall}>
                {t.empty.install}
              </Button>
            </div>
          </section>
        )}
      </main>
    );
  return (
    <main className={`stage c${narrow ? 1 : columnsOf(layout.slots.length)}`} aria-label={t.bar.workspace} hidden={!shown}>
      {narrow ? front && group(front, layout.slots) : layout.slots.map((slot) => group(slot, [slot]))}
    </main>
  );
}

/** sentence is the kernel's own text of a code, or nothing when it only knows the code. */
function sentence(model: Model, code: string): string {
  const text = model.link.text(code);
  return text === code ? "" : text;
}

function Hint(): ReactNode {
  const [before = "", after = ""] = t.empty.text("\u0000").split("\u0000");
  return (
    <>
      {before}
      <Kbd>Ctrl K</Kbd>
      {after}
    </>
  );
}

/** titleOf names a tile: its own title, with the app's name when that says more. */
export function titleOf(app: App | undefined, slot: Pick<Slot, "app" | "tile">): string {
  if (app === undefined) return slot.app;
  const title = app.tiles.find((x) => x.id === slot.tile)?.title ?? "";
  return title === "" || title === app.name ? app.name : `${title}, ${app.name}`;
}

/** frameOf is the kernel's row of a slot: by its frame, or, when the kernel holds it back, by its tile. */
export function frameOf(frames: readonly FrameState[], slot: Slot, frameId: string | undefined): FrameState | undefined {
  if (frameId !== undefined) return frames.find((f) => f.frameId === frameId);
  const id = `app:${slot.app}:tile:${slot.tile}:instance:${slot.instance}`;
  return frames.find((f) => f.endpointId === id && f.here) ?? frames.find((f) => f.appId === slot.app && f.tileId === slot.tile && f.frameId === "");
}
