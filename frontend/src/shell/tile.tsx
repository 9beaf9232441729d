import { CircleSlash2, Hourglass, PackageX, RotateCw, ShieldAlert, Unplug, X, type LucideIcon } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import type { FrameHandle } from "../broker/signature";
import { AppIcon } from "../design/appIcon";
import { Button, IconButton } from "../design/button";
import { cx } from "../design/classes";
import { Place, Skeleton } from "../design/states";
import { t } from "../design/strings";
import type { TileView } from "./tileView";

/** TileTab is one tile's name in a tab row. */
export interface TileTab {
  readonly key: string;
  readonly app: string;
  readonly icon: Uint8Array | undefined;
  readonly title: string;
}

interface TileGroupProps {
  readonly tabs: readonly TileTab[];
  readonly active: string;
  readonly focused: boolean;
  readonly handle: FrameHandle | null;
  readonly view: TileView | null;
  readonly fact: string;
  /** shown: the workspace is in view. A hidden tile keeps its frame, unseen. */
  readonly shown: boolean;
  readonly onFront: (key: string) => void;
  readonly onReload: (key: string) => void;
  readonly onClose: (key: string) => void;
  readonly onRetry: () => void;
  readonly onRemove: (app: string) => void;
}

const icons: Readonly<Record<TileView["state"], LucideIcon>> = {
  starting: Hourglass,
  blocked: CircleSlash2,
  quarantined: ShieldAlert,
  ended: Unplug,
  held: Hourglass,
  gone: PackageX,
};

/** TileGroup is a tab row over the place where the broker puts the frame of the tile in front. */
export function TileGroup(p: TileGroupProps): ReactNode {
  const tab = p.tabs.find((x) => x.key === p.active) ?? p.tabs[0];
  if (tab === undefined) return null;
  const many = p.tabs.length > 1;
  return (
    <section className={cx("group", p.focused && "focus")} aria-label={tab.title} data-region="" data-slot={tab.key}>
      <div className="tabs">
        <div className="list" role={many ? "tablist" : undefined} aria-label={many ? t.tile.tiles : undefined}>
          {p.tabs.map((x) => {
            const on = x.key === tab.key;
            return (
              <button
                key={x.key}
                type="button"
                className={cx("tab", on && "on")}
                role={many ? "tab" : undefined}
                aria-selected={many ? on : undefined}
                title={x.title}
                onClick={() => {
                  p.onFront(x.key);
                  if (on) p.handle?.focus();
                }}
              >
                <AppIcon id={x.app} svg={x.icon} size={16} />
                <bdi className="trunc">{x.title}</bdi>
              </button>
            );
          })}
        </div>
        <IconButton icon={RotateCw} small label={t.tile.reload(tab.title)} onClick={() => p.onReload(tab.key)} />
        <IconButton icon={X} small label={t.tile.close(tab.title)} onClick={() => p.onClose(tab.key)} />
      </div>
      <FramePlace handle={p.handle} shown={p.shown && (p.view === null || p.view.state === "starting")}>
        {p.view !== null && <Over view={p.view} fact={p.fact} onRetry={p.onRetry} onRemove={() => p.onRemove(tab.app)} onClose={() => p.onClose(tab.key)} />}
      </FramePlace>
    </section>
  );
}

/** FramePlace keeps the frame over its own box. React draws nothing of the frame and never moves it in the tree. */
function FramePlace({ handle, shown, children }: { readonly handle: FrameHandle | null; readonly shown: boolean; readonly children: ReactNode }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const el = box.current;
    if (!el || !handle) return;
    if (!shown) return handle.place(null);
    const put = (): void => {
      const { x, y, width, height } = el.getBoundingClientRect();
      handle.place({ x, y, width, height });
    };
    put();
    const watch = new ResizeObserver(put);
    watch.observe(el);
    // A banner above moves the box without changing its size; the stage's own size changes then.
    const stage = el.closest(".stage");
    if (stage) watch.observe(stage);
    addEventListener("resize", put);
    return () => {
      watch.disconnect();
      removeEventListener("resize", put);
    };
  });
  useEffect(() => () => handle?.place(null), [handle]);
  return (
    <div ref={box} className="tile-body">
      {children}
    </div>
  );
}

interface OverProps {
  readonly view: TileView;
  readonly fact: string;
  readonly onRetry: () => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** Over is what a tile shows when its frame cannot be seen. */
function Over({ view, fact, onRetry, onRemove, onClose }: OverProps): ReactNode {
  if (view.state === "starting")
    return (
      <div className="absolute inset-0 z-10 flex bg-background-primary">
        <Skeleton word={view.title} />
      </div>
    );
  const bad = view.state === "blocked" || view.state === "quarantined";
  return (
    <Place
      icon={icons[view.state]}
      tone={bad ? "danger" : "neutral"}
      title={view.title}
      text={view.text}
      fact={[view.code, fact].filter((s) => s !== "").join(" · ")}
      actions={
        <>
          {view.retry !== "" && (
            <Button look={view.state === "quarantined" ? "plain" : "primary"} onClick={onRetry}>
              {view.retry}
            </Button>
          )}
          {bad && (
            <Button look="ghost" onClick={onRemove}>
              {t.tile.remove}
            </Button>
          )}
          {view.state === "gone" && <Button onClick={onClose}>{t.launcher.close}</Button>}
        </>
      }
    >
      {view.state === "quarantined" && <span className="xs dim max-w-96">{t.tile.guess}</span>}
    </Place>
  );
}
