import { create } from "@bufbuild/protobuf";
import {
  AppDetailSchema,
  AppsSchema,
  AuditPageSchema,
  ChangeKind,
  Choice,
  FrameStatus,
  FramesSchema,
  GrantListSchema,
  HealthSchema,
  QuestionKind,
  QuestionSchema,
  QuestionsSchema,
  QuestionState,
  ReviewSchema,
  Role,
  SignerState,
  WelcomeSchema,
  type AppDetail,
  type Apps,
  type AuditPage,
  type Frames,
  type GrantList,
  type Health,
  type Question,
  type Questions,
  type Review,
  type Welcome,
} from "../wire/neutron/link/v1/link_pb";

// What the screens show in pictures and tests. Invented, but of the form and size of the real thing.
const utf8 = new TextEncoder();
const day = Date.UTC(2026, 10, 30, 14, 31, 22);
const plate = (ground: string, ink: string, paths: string): Uint8Array =>
  utf8.encode(
    `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><rect width="24" height="24" fill="${ground}"/><g transform="translate(4.3 4.3) scale(.642)" fill="none" stroke="${ink}" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">${paths}</g></svg>`,
  );
const notesIcon = plate("#f4ead6", "#8a5a12", '<path d="M13.4 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-7.4"/><path d="M2 6h4M2 10h4M2 14h4M2 18h4"/>');
const daybookIcon = plate("#e0e9f8", "#2b5597", '<path d="M12 5v16"/><path d="M20 19a2 2 0 0 0 2-2V5a2 2 0 0 0-2-2h-4a5 5 0 0 0-4 2 5 5 0 0 0-4-2H4a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4a5 5 0 0 1 4 2 5 5 0 0 1 4-2z"/>');
const imagesIcon = plate("#f3dde4", "#8f2d4f", '<rect width="18" height="18" x="3" y="3" rx="2"/><circle cx="9" cy="9" r="2"/><path d="m21 15-3-3a2 2 0 0 0-3 0l-9 9"/>');

const roastKey = "5a7c19e20c448f3d6b1e0972c5d4a3b8e7f60112233445566778899aabbccdd0";
const notesKey = "c3f08a126d9b4e5577aa01b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6";
const otherKey = "07be44d1923ac0ffee51b2d87e6a9c3f4d5061728394a5b6c7d8e9fa0b1c2d3e";

const notes = {
  id: "notes",
  uid: 1n,
  version: "2.1.0",
  hash: "77b30d1a5e6f9c0842b1d7a3e8f45c6b9a0d1e2f3c4b5a6978877665544332ab",
  generation: 3n,
  name: "Notes",
  description: "Short notes with headings and checklists. Other apps may search them when you allow it.",
  tiles: [{ id: "main", title: "Notes", description: "Read, search and edit notes." }],
  background: true,
  installedAtMs: BigInt(day - 3 * 86_400_000),
  iconSvg: notesIcon,
};
const daybook = {
  id: "daybook",
  uid: 2n,
  version: "1.4.0",
  hash: "9f2c41e0b7d85a3366c1f04e2a9d8b7c5e6f10213243546576879808a9bacb01",
  generation: 4n,
  name: "Daybook",
  description: "What happened each day, beside what your notes say about it.",
  tiles: [{ id: "main", title: "Daybook", description: "The day’s entries, and a search in Notes." }],
  installedAtMs: BigInt(day - 2 * 86_400_000),
  iconSvg: daybookIcon,
};
const images = {
  id: "images",
  uid: 3n,
  version: "0.8.2",
  hash: "c0ffee11b41c9f0e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899a",
  generation: 5n,
  name: "Images",
  description: "Import pictures, make thumbnails, hand one to another app.",
  tiles: [
    { id: "main", title: "Lot photos", description: "" },
    { id: "wall", title: "Wall", description: "" },
  ],
  background: true,
  installedAtMs: BigInt(day - 86_400_000),
  iconSvg: imagesIcon,
};

export const appsBundled: Apps = create(AppsSchema, { bundled: [notes, daybook] });
const signedNotes = { ...notes, connect: ["https://sync.notes-app.example"], signer: notesKey };
export const appsInstalled: Apps = create(AppsSchema, { installed: [daybook, images, signedNotes], bundled: [notes, daybook] });

export const seed: Uint8Array = Uint8Array.from([0, 6, 9, 14, 10, 4, 18, 1, 12, 11, 2, 5, 5, 14, 8, 3]);

export function welcome(over: { readonly firstStart?: boolean; readonly tiles?: readonly string[]; readonly inWindow?: boolean } = {}): Welcome {
  const tiles = (over.tiles ?? []).map((name, i) => ({ app: name, tile: "main", instance: String(i + 1) }));
  return create(WelcomeSchema, {
    version: "0.1.0",
    gateOpen: true,
    window: over.inWindow ?? false,
    firstStart: over.firstStart ?? false,
    ownerMark: { words: "quiet harbor", seed },
    docs: [{ key: over.inWindow === true ? "layout.window" : "layout.browser", revision: 1n, json: utf8.encode(JSON.stringify({ v: 1, tiles, active: 0 })) }],
    limits: [{ name: "questionShownMs", value: 60_000n, unit: "ms" }],
  });
}

export const healthy: Health = create(HealthSchema, { gateOpen: true });
export const gateShut: Health = create(HealthSchema, { gateOpen: false, gateReason: "The check heard a message from a frame." });
export const diskFull: Health = create(HealthSchema, { gateOpen: true, diskFull: true });
export const stalledGuess: Health = create(HealthSchema, { gateOpen: true, stall: { atMs: BigInt(day), suspects: ["images", "notes"] } });
export const stalledQuarantine: Health = create(HealthSchema, { gateOpen: true, stall: { atMs: BigInt(day), suspects: ["images"], quarantined: "images" } });

const party = (app: typeof notes | typeof daybook | typeof images, endpoint: string, place: string) => ({
  endpointId: `app:${app.id}:${endpoint}`,
  appId: app.id,
  uid: app.uid,
  name: app.name,
  version: app.version,
  hash: app.hash,
  place,
});
const daybookTile = party(daybook, "tile:main:instance:1", "Tile");
const notesBackground = party(notes, "background", "Background");
const imagesBackground = party(images, "background", "Background");

const exact = '{"query":"lot 44","limit":20,"fields":["title","excerpt"]}';

const searchQuestion = {
  id: "q1",
  kind: QuestionKind.USE,
  state: QuestionState.OPEN,
  caller: daybookTile,
  target: notesBackground,
  tool: "notes_search",
  toolTitle: "",
  toolDescription: "Full-text search over titles and bodies. Returns up to 50 matches with an excerpt each. Says that it only reads.",
  arguments: utf8.encode(exact),
  definitionHash: "0b7d55f1aa00bb11cc22dd33ee44ff5566778899aabbccddeeff001122334455",
  facts: ["First call from Daybook to Notes", "Tool unchanged since 12 November"],
  choices: [Choice.DENY, Choice.ONCE, Choice.SESSION],
  digest: "d1",
  callerFrameId: "frame-daybook",
};

export function question(over: Partial<Question> = {}): Question {
  return create(QuestionSchema, { ...searchQuestion, ...(over as object) });
}

export const questionOpen: Questions = create(QuestionsSchema, {
  questions: [searchQuestion, { ...searchQuestion, id: "q2", state: QuestionState.WAITING, caller: imagesBackground }, { ...searchQuestion, id: "q3", state: QuestionState.WAITING }],
});
export const questionWaiting: Questions = create(QuestionsSchema, {
  questions: [
    { ...searchQuestion, id: "q2", state: QuestionState.WAITING, caller: imagesBackground },
    { ...searchQuestion, id: "q3", state: QuestionState.WAITING },
  ],
});
export const questionDiscover: Questions = create(QuestionsSchema, {
  questions: [{ ...searchQuestion, id: "q4", kind: QuestionKind.DISCOVER, tool: "", toolDescription: "", arguments: new Uint8Array(), definitionHash: "", facts: ["First time that Daybook looks at Notes"] }],
});
const many = Array.from({ length: 24 }, (_, i) => ({ id: 9_007_199_254_740_000 + i, title: `Batch ${i + 1}`, tags: ["roast", "lot 44"], note: i === 3 ? "a\u202egnp.exe" : "Drop 9:52 at 204 °C. Even colour, slow start." }));
export const questionLong: Questions = create(QuestionsSchema, {
  questions: [{ ...searchQuestion, id: "q5", tool: "notes_import", arguments: utf8.encode(JSON.stringify({ notes: many, dryRun: false })) }],
});

const toOthers = [
  { level: 1, tag: "use", title: "May ask to use other apps", consequence: "Each app and tool is asked for by itself. Installing allows none.", fact: "asks first" },
  { level: 1, tag: "tools", title: "May offer tools to other apps", consequence: "Each use by another app still asks you.", fact: "asks first" },
  { level: 1, tag: "reads", title: "Reads nothing else on this computer", consequence: "No files, no other app's data, no camera, microphone, location or clipboard.", fact: "own package only" },
];
const leaves = (host: string) => ({
  level: 3,
  tag: "connect",
  title: `Leaves this computer for ${host}`,
  consequence: "What it sees and is given may be sent there, without asking each time.",
  fact: `https://${host}`,
});
const hidden = { level: 2, tag: "background", title: "Runs while none of its tiles is open", consequence: "One hidden background, for as long as Neutron runs.", fact: "background.html" };
const noOther = {
  level: 2,
  tag: "network",
  title: "Declares no other internet address",
  consequence: "In the Neutron window it can talk to addresses that an installed app declares, and to no other. In a browser it can still open bare connections anywhere.",
  fact: "one address",
};
const oneTile = { level: 1, tag: "tiles", title: "Opens one kind of tile", consequence: "Only when you open one. It sees what you do inside it.", fact: "main" };
const byNewKey = {
  level: 2,
  tag: "publisher",
  title: "Signed by a key that is new here",
  consequence: "Nobody verified whose key it is. From now on every version of this app must be signed by it.",
  fact: roastKey,
};

const roastlog = {
  reviewId: "r1",
  source: "https://apps.halden.example/roastlog.neutron",
  sizeBytes: 1_258_291n,
  files: 48,
  app: {
    id: "roastlog",
    version: "0.9.2",
    hash: "b41c9f0e2d3c4b5a69788796a5b4c3d2e1f001122334455667788990aabb77d2",
    name: "Roast Log",
    description: "Roast Log records drum temperature and weather for each batch and draws the curve next to your last five.",
    tiles: [{ id: "main", title: "Curve" }],
    background: true,
    connect: ["https://api.open-meteo.example"],
    signer: roastKey,
  },
  signer: { state: SignerState.NEW, key: roastKey },
  risks: [leaves("api.open-meteo.example"), hidden, noOther, byNewKey, ...toOthers, oneTile],
};
export const review: Review = create(ReviewSchema, roastlog);
export const reviewUnsigned: Review = create(ReviewSchema, {
  ...roastlog,
  reviewId: "r3",
  source: "roastlog-0.9.2.neutron",
  app: { ...roastlog.app, signer: "" },
  signer: { state: SignerState.UNSIGNED },
  risks: [
    leaves("api.open-meteo.example"),
    { level: 2, tag: "publisher", title: "Nobody vouches for who made it", consequence: "The package is not signed. Its name and what it says about itself are its own words.", fact: "unsigned" },
    hidden,
    ...toOthers,
    oneTile,
  ],
});

const notesNext = {
  reviewId: "r2",
  source: "notes-2.2.0.neutron",
  sizeBytes: 831_488n,
  files: 31,
  installedVersion: "2.1.0",
  app: { ...notes, version: "2.2.0", hash: "0e55a1c74d3b2a19f8e7d6c5b4a3928170615243342516079a8bcdeaf0129b10", signer: notesKey, connect: ["https://sync.notes-app.example"] },
  signer: { state: SignerState.SAME, key: notesKey, pinned: notesKey },
  risks: [leaves("sync.notes-app.example"), hidden, noOther, { ...byNewKey, level: 1, title: "Signed by the same key as before", fact: notesKey }, ...toOthers, oneTile],
  changes: [
    { kind: ChangeKind.ADDED, level: 3, tag: "connect", title: "May now send to sync.notes-app.example", consequence: "The installed version may not.", fact: "https://sync.notes-app.example" },
    { kind: ChangeKind.CHANGED, level: 1, tag: "background", title: "Another page runs in the background", consequence: "", fact: "worker.html" },
    { kind: ChangeKind.REMOVED, level: 0, tag: "tray", title: "No longer sits in the bar", consequence: "", fact: "tray.html" },
    { kind: ChangeKind.ENDS, level: 0, tag: "frames", title: "Ends its open pages", consequence: "They start again with the new version. What they hold and have not kept is lost.", fact: "2" },
    { kind: ChangeKind.ENDS, level: 0, tag: "grants", title: "Ends its permissions", consequence: "What it was allowed, and what others were allowed to use of it, is asked for again.", fact: "3" },
  ],
};
export const reviewUpdate: Review = create(ReviewSchema, notesNext);
export const reviewOtherKey: Review = create(ReviewSchema, {
  ...notesNext,
  reviewId: "r4",
  app: { ...notesNext.app, signer: otherKey, connect: [] },
  signer: { state: SignerState.CHANGED, key: otherKey, pinned: notesKey },
  risks: [{ level: 3, tag: "publisher", title: "Signed by another key than before", consequence: "", fact: otherKey }, hidden, ...toOthers, oneTile],
  changes: notesNext.changes.slice(3),
});
export const reviewNoKey: Review = create(ReviewSchema, {
  ...notesNext,
  reviewId: "r5",
  app: { ...notesNext.app, signer: "" },
  signer: { state: SignerState.MISSING, pinned: notesKey },
});

const frame = (app: string, status: FrameStatus, more: { readonly code?: string; readonly reason?: string; readonly background?: boolean; readonly frameId?: string } = {}) => ({
  frameId: more.frameId ?? `frame-${app}`,
  endpointId: more.background === true ? `app:${app}:background` : `app:${app}:tile:main:instance:1`,
  appId: app,
  tileId: more.background === true ? "" : "main",
  role: more.background === true ? Role.BACKGROUND : Role.TILE,
  status,
  code: more.code ?? "",
  reason: more.reason ?? "",
  here: true,
});
export const framesReady: Frames = create(FramesSchema, {
  frames: [
    frame("notes", FrameStatus.READY),
    frame("daybook", FrameStatus.READY),
    frame("images", FrameStatus.READY),
    frame("notes", FrameStatus.READY, { background: true, frameId: "frame-notes-background" }),
  ],
});
export const framesBackground: Frames = create(FramesSchema, {
  frames: [frame("notes", FrameStatus.BLOCKED, { code: "NOT_READY", background: true, frameId: "" }), frame("notes", FrameStatus.READY), frame("daybook", FrameStatus.READY)],
});
export const framesTrouble: Frames = create(FramesSchema, {
  frames: [frame("notes", FrameStatus.BLOCKED, { code: "NOT_READY" }), frame("daybook", FrameStatus.READY), frame("images", FrameStatus.STARTING)],
});
export const framesQuarantine: Frames = create(FramesSchema, {
  frames: [frame("images", FrameStatus.QUARANTINED, { code: "QUARANTINED" }), frame("daybook", FrameStatus.READY), frame("notes", FrameStatus.HELD)],
});

export const detail: AppDetail = create(AppDetailSchema, {
  app: notes,
  sizeBytes: 48_211n,
  risks: [leaves("sync.notes-app.example"), hidden, noOther, ...toOthers, oneTile],
  frames: [frame("notes", FrameStatus.READY, { background: true }), frame("notes", FrameStatus.READY)],
});

export const grants: GrantList = create(GrantListSchema, {
  grants: [
    { id: "g1", caller: daybookTile, target: notesBackground, tool: "notes_search", scope: Choice.SESSION, sinceMs: BigInt(day - 3_600_000), lastUsedMs: BigInt(day) },
    { id: "g2", caller: daybookTile, target: notesBackground, tool: "", scope: Choice.SESSION, sinceMs: BigInt(day - 3_600_000), lastUsedMs: BigInt(day - 60_000) },
    { id: "g3", caller: imagesBackground, target: notesBackground, tool: "notes_create", scope: Choice.SESSION, sinceMs: BigInt(day - 120_000), lastUsedMs: 0n },
  ],
});

const calls: readonly (readonly [string, string, string, number])[] = [
  ["notes_search", "ok", "session", 9_000],
  ["notes_create", "DENIED", "denied", 8_100_000],
  ["notes_search", "ok", "once", 12_400],
  ["", "ok", "once", 3_000],
  ["notes_import", "ok", "once", 402_000],
  ["notes_search", "APP_PAUSED", "paused", 0],
  ["notes_search", "ENDPOINT_GONE", "session", 77_000],
  ["apps.list", "ok", "kernel", 400],
];
export const auditPage: AuditPage = create(AuditPageSchema, {
  more: true,
  entries: Array.from({ length: 40 }, (_, i) => {
    const [tool, status, decision, durationUs] = calls[i % calls.length] ?? ["", "ok", "", 0];
    return {
      seq: BigInt(1204 - i),
      atMs: BigInt(day - i * 41_000),
      caller: i % 3 === 2 ? imagesBackground : daybookTile,
      target: decision === "kernel" ? { endpointId: "kernel", name: "Neutron", place: "Kernel" } : notesBackground,
      tool,
      status,
      durationUs: BigInt(durationUs),
      decision,
      arguments: tool === "" ? "" : exact,
      result: status === "ok" ? '{"matches":[{"title":"Cupping: Yirgacheffe lot 44","excerpt":"86.5, jasmine, lemon peel"}]}' : "",
      argumentBytes: BigInt(tool === "" ? 0 : exact.length),
      resultBytes: status === "ok" ? 94n : 0n,
    };
  }),
});
