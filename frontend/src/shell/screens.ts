import { create } from "@bufbuild/protobuf";
import { KernelError } from "../link/kernelError";
import type { InstallState } from "../install/installFlow";
import type { LinkStatus } from "../link/signature";
import { AuditPageSchema, DocSchema, DoneSchema, GrantListSchema, type Apps, type Frames, type Health, type Questions, type Review } from "../wire/neutron/link/v1/link_pb";
import { createFixtureBroker, createFixtureLink, type FixtureAnswers } from "./fixtureLink";
import * as fx from "./fixtures";
import { createModel, type Model } from "./model";
import { nav, type Nav } from "./nav";

/** Step is what a person does before the picture is taken: `click` takes the accessible name of a button. */
export type Step = { readonly click: string } | { readonly type: string } | { readonly press: string } | { readonly wait: number };

/** Screen is one state of the shell that has a picture in both themes and an axe run. */
export interface Screen {
  readonly id: string;
  readonly steps: readonly Step[];
  /** rtl: the page reads from right to left. */
  readonly rtl: boolean;
  /** load makes the model of this state. */
  load(layer: HTMLElement | null): Model;
}

interface Stage {
  readonly status?: Partial<LinkStatus>;
  readonly apps?: Apps;
  readonly frames?: Frames;
  readonly health?: Health;
  readonly questions?: Questions;
  readonly tiles?: readonly string[];
  readonly stuck?: readonly string[];
  readonly firstStart?: boolean;
  readonly nav?: Partial<Nav>;
  readonly answers?: FixtureAnswers;
  readonly review?: Review;
  readonly install?: InstallState;
  readonly lockedAt?: number;
  readonly steps?: readonly Step[];
  readonly rtl?: boolean;
  readonly inWindow?: boolean;
}

const two = ["notes", "daybook"];
const answersOf: FixtureAnswers = {
  queryAudit: fx.auditPage,
  listGrants: fx.grants,
  describeApp: fx.detail,
  discardInstall: create(DoneSchema),
  putDoc: create(DocSchema, { key: "layout.browser", revision: 2n }),
};

function screen(id: string, s: Stage): Screen {
  return {
    id,
    steps: s.steps ?? [],
    rtl: s.rtl ?? false,
    load(layer) {
      const link = createFixtureLink({ welcome: fx.welcome({ firstStart: s.firstStart ?? false, tiles: s.tiles ?? [], inWindow: s.inWindow ?? false }), ...s.status }, { ...answersOf, ...s.answers });
      const model = createModel(link, createFixtureBroker(layer, s.stuck ?? []));
      nav.set({ page: "workspace", app: "", launcher: false, welcome: s.firstStart ?? false, ...s.nav });
      const { welcome } = link.status();
      if (welcome) link.say({ case: "welcome", value: welcome });
      model.kernel.set((k) => ({
        ...k,
        apps: s.apps ?? fx.appsInstalled,
        frames: s.frames ?? fx.framesReady,
        health: s.health ?? fx.healthy,
        questions: s.questions ?? null,
        lockedAt: s.lockedAt ?? 0,
      }));
      if (s.review) model.install.store.set({ is: "review", review: s.review });
      if (s.install) model.install.store.set(s.install);
      return model;
    },
  };
}

/** screens is the one registry: whatever the shell can show stands here. */
export const screens: readonly Screen[] = [
  screen("connecting", { status: { phase: "connecting", welcome: null, attempt: 2 } }),
  screen("first-start", { firstStart: true, apps: fx.appsBundled }),
  screen("first-start-sealing", { firstStart: true, apps: fx.appsBundled, health: fx.gateShut }),
  screen("workspace-empty", {}),
  screen("workspace-one", { tiles: ["notes"] }),
  screen("workspace-two", { tiles: two }),
  screen("workspace-three", { tiles: ["notes", "daybook", "images"] }),
  screen("workspace-toast", { tiles: ["notes", "daybook", "images"], steps: [{ click: "Close Notes" }] }),
  screen("tile-starting", { tiles: ["notes", "images"], stuck: ["images"], frames: fx.framesTrouble, steps: [{ wait: 400 }] }),
  screen("tile-trouble", { tiles: ["notes", "daybook", "images"], stuck: ["images"], frames: fx.framesTrouble, health: fx.diskFull, steps: [{ wait: 400 }] }),
  screen("tile-quarantine", { tiles: ["images", "daybook", "notes"], frames: fx.framesQuarantine, health: fx.stalledQuarantine }),
  screen("tile-gone", { tiles: ["notes", "ledger"] }),
  screen("banner-gate", { tiles: two, health: fx.gateShut }),
  screen("banner-stall", { tiles: two, health: fx.stalledGuess }),
  screen("banner-background", { tiles: two, frames: fx.framesBackground }),
  screen("banner-lost", { tiles: two, status: { phase: "lost", attempt: 3, pending: 1 }, steps: [{ wait: 400 }] }),
  screen("launcher", { tiles: two, nav: { launcher: true } }),
  screen("launcher-found", { tiles: two, nav: { launcher: true }, steps: [{ type: "no" }] }),
  screen("launcher-address", { tiles: two, nav: { launcher: true }, steps: [{ type: "https://apps.halden.example/roastlog.neutron" }] }),
  screen("launcher-folder", { tiles: two, nav: { launcher: true }, steps: [{ type: "/home/mira/roastlog" }] }),
  screen("launcher-insecure", { tiles: two, nav: { launcher: true }, steps: [{ type: "http://apps.halden.example/roastlog.neutron" }] }),
  screen("launcher-nothing", { tiles: two, nav: { launcher: true }, steps: [{ type: "zebra" }] }),
  screen("question", { tiles: two, questions: fx.questionOpen }),
  screen("question-armed", { tiles: two, questions: fx.questionOpen, steps: [{ wait: 900 }] }),
  screen("question-pause", { tiles: two, questions: fx.questionOpen, steps: [{ wait: 900 }, { click: "Pause Daybook" }, { wait: 900 }] }),
  screen("question-discover", { tiles: two, questions: fx.questionDiscover, steps: [{ wait: 900 }] }),
  screen("question-long", { tiles: two, questions: fx.questionLong, steps: [{ wait: 900 }] }),
  screen("question-waits", { tiles: two, questions: fx.questionWaiting }),
  screen("install-review", { tiles: two, review: fx.review, steps: [{ wait: 900 }] }),
  screen("install-update", { tiles: two, review: fx.reviewUpdate }),
  screen("install-refused", {
    tiles: two,
    install: { is: "refused", name: "broken.neutron", code: "PACKAGE_INVALID", message: "The entry “../outside” leaves the package.", again: "" },
  }),
  screen("install-unsigned", { tiles: two, review: fx.reviewUnsigned, steps: [{ wait: 900 }] }),
  screen("install-other-key", { tiles: two, install: { is: "other-signer", review: fx.reviewOtherKey } }),
  screen("install-no-key", { tiles: two, install: { is: "other-signer", review: fx.reviewNoKey } }),
  screen("install-other-key-review", { tiles: two, install: { is: "other-signer", review: fx.reviewOtherKey }, steps: [{ click: "Review it all the same" }, { wait: 900 }] }),
  screen("install-older", {
    tiles: two,
    install: {
      is: "refused",
      name: "notes-2.0.4.neutron",
      code: "VERSION_NOT_NEWER",
      message:
        "Version 2.0.4 is older than the installed 2.1.0. Going back would bring back what was fixed, so it is refused. To have the older one all the same, remove the app first, with its data. Nothing was changed.",
      again: "",
    },
  }),
  screen("install-other-bytes", {
    tiles: two,
    install: {
      is: "refused",
      name: "notes-2.1.0.neutron",
      code: "VERSION_NOT_NEWER",
      message:
        "Version 2.1.0 of notes is installed with other bytes: SHA-256 77b30d1a… there, 0e55a1c7… here. One version means one package, so whoever changed it must give it a higher version. Nothing was changed.",
      again: "",
    },
  }),
  screen("install-fetching", { tiles: two, install: { is: "reading", name: "apps.halden.example", from: "address" }, steps: [{ wait: 1200 }] }),
  screen("install-fetch-failed", {
    tiles: two,
    install: {
      is: "refused",
      name: "apps.halden.example",
      code: "FETCH_FAILED",
      message: "The package could not be fetched from apps.halden.example: the server answered 404 Not Found. Nothing was installed.",
      again: "https://apps.halden.example/roastlog.neutron",
    },
  }),
  screen("audit", { nav: { page: "audit" }, tiles: two }),
  screen("audit-open", { nav: { page: "audit" }, tiles: two, steps: [{ click: "Details of notes_create" }] }),
  screen("audit-filter", { nav: { page: "audit" }, tiles: two, steps: [{ click: "Outcome: Any outcome" }] }),
  screen("audit-empty", { nav: { page: "audit" }, answers: { queryAudit: create(AuditPageSchema) } }),
  screen("audit-failed", { nav: { page: "audit" }, answers: { queryAudit: new KernelError("STORE_DAMAGED", "The audit log is damaged.") } }),
  screen("settings-apps", { nav: { page: "apps", app: "notes" } }),
  screen("settings-apps-unsigned", { nav: { page: "apps", app: "images" } }),
  screen("settings-apps-bundled", { nav: { page: "apps", app: "daybook" } }),
  screen("settings-apps-empty", { nav: { page: "apps" }, apps: fx.appsBundled }),
  screen("settings-remove", { nav: { page: "apps", app: "notes" }, steps: [{ click: "Remove…" }] }),
  screen("settings-grants", { nav: { page: "grants" } }),
  screen("settings-grants-empty", { nav: { page: "grants" }, answers: { listGrants: create(GrantListSchema) } }),
  screen("settings-appearance", { nav: { page: "appearance" } }),
  screen("locked", { lockedAt: Date.UTC(2026, 10, 30, 18, 4), status: { phase: "locked" } }),
  screen("locked-window", { lockedAt: Date.UTC(2026, 10, 30, 18, 4), status: { phase: "locked" }, inWindow: true }),
  screen("rtl-workspace", { tiles: two, questions: fx.questionWaiting, rtl: true }),
  screen("rtl-question", { tiles: two, questions: fx.questionOpen, rtl: true }),
  screen("rtl-audit", { nav: { page: "audit" }, rtl: true, steps: [{ click: "Details of notes_create" }] }),
  screen("refused", { status: { phase: "refused" } }),
  screen("mismatch", { status: { phase: "mismatch" } }),
];
