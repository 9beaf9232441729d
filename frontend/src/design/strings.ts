import { en } from "./strings.en";


/** Strings is the shape every locale's table has. */
export interface Strings {
  bar: Texts<"label" | "launcher" | "search" | "audit" | "lock" | "settings" | "workspace" | "reconnecting"> & { pending: Of<number> };
  question: Texts<
    | "open" | "neutronAsks" | "unverified" | "deny" | "once" | "session" | "onceUse" | "onceDiscover" | "sessionUse" | "sessionDiscover"
    | "arming" | "armed" | "seeEnd" | "late" | "more_below" | "sending" | "aFrame" | "copy" | "definition"
  > & {
    asks: Of<string>; more: Of<number>; mark: Of<string>; timeLeft: Of<string>; sends: Of<string>; wrote: Of<string>;
    denyNote: Of<string>; theft: Of<string>; pause: Of<string>; minutes: Of<number>;
    place: (n: number, of: number) => string;
    use: (caller: string, tool: string, target: string) => string;
    request: (caller: string, tool: string, target: string) => string;
    discover: (caller: string, target: string) => string;
    pauseFor: (who: string, time: string) => string;
  };
  tile: Texts<
    | "remove" | "tiles" | "blocked" | "quarantinedWhy" | "endedWhy" | "supersededWhy" | "heldWhy" | "heldGate" | "heldLink" | "goneWhy" | "retry" | "reopen" | "once" | "tileClosed" | "undo" | "guess"
  > & { close: Of<string>; reload: Of<string>; starting: Of<string>; cannotStart: Of<string>; quarantined: Of<string>; ended: Of<string>; held: Of<string>; gone: Of<string> };
  empty: Texts<"title" | "open" | "install"> & { text: Of<string> };
  launcher: Texts<
    | "label" | "placeholder" | "openTiles" | "apps" | "commands" | "install" | "newTile" | "noTile" | "move" | "open" | "close" | "audit" | "appsPage" | "grants"
    | "appearance" | "lock" | "lockNote" | "question" | "closeAll" | "fromFile" | "reviewed" | "bundledNote" | "light" | "dark" | "system"
    | "fetch" | "review" | "onlyHttps" | "unsigned" | "folder" | "folderNote"
  > & { nothing: Of<string>; bundled: Of<string>; fetchNote: Of<string> };
  welcome: Texts<
    | "title" | "open" | "installNow" | "background" | "tileOnly" | "offline" | "installFile" | "skip" | "toWorkspace" | "yourMark" | "madeHere" | "markText"
    | "try" | "try1Note" | "try2" | "try2Note" | "try3" | "try3Note" | "sealed" | "sealing" | "unsealed" | "none"
  > & { lead: Of<string>; here: Of<number>; review: Of<string>; try1: readonly [string, string] };
  install: Texts<
    | "review" | "chrome" | "from" | "package" | "id" | "copyDigest" | "picture" | "may" | "computed" | "mayNothing" | "says" | "cancel" | "cancelNote"
    | "installNote" | "updateNote" | "seenEnd" | "refused" | "kept" | "drop" | "notPackage" | "close"
    | "reviewUpdate" | "fetched" | "keepNote" | "pinNote" | "takeKey" | "takeNone" | "signature" | "copyKey" | "signedNew" | "unsigned" | "unsignedText"
    | "otherKey" | "noKey" | "otherText" | "otherMine" | "keyBefore" | "keyNow" | "noneNow" | "otherDo" | "anyway" | "decline"
    | "changes" | "ends" | "noChanges" | "added" | "removed" | "changed" | "less" | "stop" | "again" | "manage"
  > & {
    keeps: Of<string>; keep: Of<string>; updateTo: Of<string>; sameKey: Of<string>; stays: Of<string>; unchanged: Of<number>; fetching: Of<string>; packing: Of<string>;
    signedNewText: readonly [string, string, string]; refusals: Readonly<Record<string, { readonly title: string; readonly advice: string }>>;
    tally: (more: number, less: number, other: number, same: number) => string;
    title: (name: string, version: string) => string; update: (name: string, from: string, to: string) => string;
    files: (size: string, n: number) => string; install: (name: string, version: string) => string; done: (name: string, version: string) => string;
    reading: Of<string>; risk: readonly string[];
  };
  settings: Texts<
    | "label" | "sections" | "apps" | "grants" | "audit" | "appearance" | "filterApps" | "installed" | "install" | "noApps" | "noAppsText" | "noMatch" | "remove" | "open"
    | "removeDo" | "cancel" | "facts" | "id" | "digest" | "generation" | "size" | "pages" | "background" | "running" | "notRunning" | "may" | "says"
    | "grantsTitle" | "grantsLead" | "noGrants" | "noGrantsText" | "caller" | "target" | "tool" | "scope" | "since_" | "lastUsed" | "allTools" | "revoke" | "revoked" | "never"
    | "theme" | "themeText" | "light" | "dark" | "system"
    | "signer" | "notSigned" | "bundled" | "origins" | "noOrigins" | "version" | "removeLost" | "removeKept" | "removeGrants" | "removeAudit"
  > & {
    signedBy: Of<string>; removeRunning: Of<number>; removeData: Of<string>; keepsKey: Of<string>;
    count: Of<number>; since: Of<string>; removeTitle: Of<string>; removed: Of<string>; tiles: Of<number>;
    revokeOf: (tool: string, caller: string) => string; states: Readonly<Record<number, string>>; scopes: Readonly<Record<number, string>>;
  };
  audit: Texts<
    | "title" | "follow" | "app" | "anyApp" | "outcome" | "anyOutcome" | "failed" | "time" | "caller" | "target" | "tool" | "decision" | "took" | "sent" | "durable" | "older"
    | "none" | "noneText" | "noneFilter" | "clear" | "why" | "args" | "result" | "bytes" | "number" | "you" | "chain" | "listing" | "copy" | "copied"
  > & { shown: (n: number, more: boolean) => string; details: Of<string>; offline: Of<string>; decisions: Readonly<Record<string, string>> };
  locked: Texts<"title" | "text" | "fresh" | "unlock" | "window" | "command" | "link"> & { by: Of<string> };
  link: Texts<"connecting" | "lost" | "lostText" | "lostLong" | "refusedTitle" | "refusedText" | "mismatchTitle" | "mismatchText" | "reload" | "fresh"> & { attempt: Of<number> };
  banner: Texts<"gate" | "gateText" | "disk" | "diskText" | "stall" | "stallNobody" | "dismiss" | "show" | "backgroundText"> & { background: Of<string>; stallSuspects: Of<string>; stallQuarantined: Of<string> };
  states: Texts<"loading" | "failed" | "failedText" | "retry">;
  copied: string;
  copyFailed: string;
}

type Texts<K extends string> = Readonly<Record<K, string>>;
type Of<T> = (value: T) => string;

/** t is the table of the owner's language. There is one so far. */
export const t: Strings = en;
