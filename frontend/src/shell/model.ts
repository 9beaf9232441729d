import type { Broker } from "../broker/signature";
import type { SheetGuard, SheetMark } from "../design/guardedSheet";
import { createStore, type Store } from "../design/store";
import { t } from "../design/strings";
import { applyTheme, isTheme, onSystemTheme, shownTheme, type Theme } from "../design/theme";
import { toast } from "../design/toast";
import { createAuditFeed, type AuditFeed } from "../audit/auditFeed";
import { createInstallFlow, type InstallFlow } from "../install/installFlow";
import type { Link } from "../link/signature";
import type { Notice } from "../wire/neutron/link/v1/link_pb";
import { createDocs, type Docs } from "./docs";
import { createGuard } from "./guard";
import { followKernel, type KernelState } from "./kernelState";
import { go, nav } from "./nav";
import { createTiles, type Tiles } from "./tiles";

/** Model is everything that outlives a component: the stores, and what changes them. One per page. */
export interface Model {
  readonly link: Link;
  readonly broker: Broker;
  readonly kernel: Store<KernelState>;
  readonly tiles: Tiles;
  readonly docs: Docs;
  readonly install: InstallFlow;
  readonly audit: AuditFeed;
  readonly guard: SheetGuard;
  readonly theme: Store<Theme>;
  /** notices are the kernel's words for the top of the window; the owner puts them away. */
  readonly notices: Store<readonly Notice[]>;
  setTheme(theme: Theme): void;
  /** mark is the owner's mark of the newest welcome. */
  mark(): SheetMark;
  /** closeTile closes a tile and offers to undo it. */
  closeTile(key: string): void;
  /** openApp opens a tile of an app and shows the workspace. */
  openApp(app: string, tile: string): void;
  openQuestion(id: string): void;
  lock(): void;
  dispose(): void;
}

const themeKey = "theme";
const mostNotices = 3;
const noMark: SheetMark = { words: "", seed: new Uint8Array(16) };

/** createModel wires the stores to a link and a broker. */
export function createModel(link: Link, broker: Broker): Model {
  const docs = createDocs(link, (err) => toast(err.message, { code: err.code }), (key) => changed(key));
  const theme = createStore<Theme>("system");
  const notices = createStore<readonly Notice[]>([]);
  const { store: kernel, stop } = followKernel(link, (n) => {
    if (n.banner) notices.set((all) => [...all.filter((one) => one.code !== n.code || one.text !== n.text), n].slice(-mostNotices));
    else toast(n.text, { code: n.code });
  });
  // The window and a browser are two workspaces: neither takes the other's tiles.
  const docKey = (): string => (link.status().welcome?.window === true ? "layout.window" : "layout.browser");
  const tiles = createTiles(broker, docs, docKey, () => toast(link.text("LIMIT"), { code: "LIMIT" }));
  const install = createInstallFlow(link, (review) => {
    const app = review.app;
    toast(t.install.done(app?.name ?? "", app?.version ?? ""));
  });
  const show = (next: Theme): void => {
    theme.set(next);
    applyTheme(next);
    broker.theme(shownTheme(next));
  };
  broker.theme(shownTheme(theme.get()));
  const unsystem = onSystemTheme(() => broker.theme(shownTheme(theme.get())));
  const readTheme = (): void => {
    const stored = parse(docs.read(themeKey));
    if (isTheme(stored)) show(stored);
  };
  // What another shell of this owner changed shows here too.
  const changed = (key: string): void => {
    if (key === themeKey) readTheme();
    if (key === docKey()) tiles.follow();
  };
  const unfollow = link.on("state", ({ part }) => {
    if (part.case === "docs") docs.follow(part.value.docs).forEach(changed);
  });
  const unwelcome = link.on("welcome", (welcome) => {
    docs.adopt(welcome.docs);
    readTheme();
    if (nav.get().welcome === null) nav.set((n) => ({ ...n, welcome: welcome.firstStart }));
    tiles.restore();
  });
  const fail = (err: unknown): void => toast(err instanceof Error ? err.message : String(err));
  return {
    link,
    broker,
    kernel,
    tiles,
    docs,
    install,
    audit: createAuditFeed(link),
    guard: createGuard(link, broker),
    theme,
    notices,
    setTheme(next) {
      show(next);
      docs.write(themeKey, next);
    },
    mark: () => link.status().welcome?.ownerMark ?? noMark,
    closeTile(key) {
      tiles.close(key);
      toast(t.tile.tileClosed, { action: { label: t.tile.undo, run: () => tiles.undo() } });
    },
    openApp(app, tile) {
      if (tiles.open(app, tile) === null) return;
      nav.set((n) => ({ ...n, welcome: false }));
      go("workspace");
    },
    openQuestion: (id) => void link.request({ case: "questionOpen", value: { id } }).catch(fail),
    lock: () => void link.request({ case: "lockAll", value: {} }).catch(() => undefined),
    dispose() {
      stop();
      unfollow();
      unsystem();
      unwelcome();
    },
  };
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
