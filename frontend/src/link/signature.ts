import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  AppDetail,
  AuditPage,
  Doc,
  Done,
  Frame,
  GrantList,
  RequestSchema,
  Review,
  ToKernelSchema,
  ToShell,
  ToolList,
  Welcome,
} from "../wire/neutron/link/v1/link_pb";

/** Answers says which reply each request gets. */
export interface Answers {
  openTile: Frame;
  closeFrame: Done;
  retryFrame: Done;
  questionOpen: Done;
  questionAnswer: Done;
  reviewInstall: Review;
  approveInstall: Done;
  discardInstall: Done;
  removeApp: Done;
  queryAudit: AuditPage;
  listGrants: GrantList;
  revokeGrant: Done;
  lockAll: Done;
  putDoc: Doc;
  describeApp: AppDetail;
  endpointTools: ToolList;
}

type What = Exclude<MessageInitShape<typeof RequestSchema>["what"], { case?: undefined } | undefined>;

/** RequestCase names a request of the shell's screens. */
export type RequestCase = keyof Answers & What["case"];

/** RequestWhat is one request as a screen writes it: `{ case: "listGrants", value: {} }`. */
export type RequestWhat<C extends RequestCase = RequestCase> = Extract<What, { case: C }>;

/** ToKernelFrame is one message that needs no reply: `{ case: "questionShown", value: { id } }`. */
export type ToKernelFrame = Exclude<MessageInitShape<typeof ToKernelSchema>["frame"], { case?: undefined } | undefined>;

type ShellFrame = Exclude<ToShell["frame"], { case: undefined }>;

/** ShellCase names a message of the kernel. */
export type ShellCase = ShellFrame["case"];

/** ShellValue is what a message of the kernel carries. */
export type ShellValue<C extends ShellCase> = Extract<ShellFrame, { case: C }>["value"];

/**
 * Phase is where the link stands.
 * connecting: the first attempt runs. open: welcomed. lost: it was open and is being resumed.
 * refused: the secret is used or too old (4401). mismatch: page and kernel differ (4400): reload.
 * locked: the owner locked Neutron (4403). The last three do not retry.
 */
export type Phase = "connecting" | "open" | "lost" | "refused" | "mismatch" | "locked";

/** LinkStatus is an immutable snapshot; a new object stands for every change. */
export interface LinkStatus {
  readonly phase: Phase;
  /** attempt counts tries since the link was last open; 0 while open. */
  readonly attempt: number;
  /** welcome is the newest welcome, kept while the link is lost. */
  readonly welcome: Welcome | null;
  /** pending counts submissions that wait in the outbox. */
  readonly pending: number;
}

/** Link is the shell's one way to the kernel. */
export interface Link {
  /**
   * request sends a request and resolves with its reply's value; it rejects with a KernelError.
   * Requests made before the link is open wait for it. Commands that change something durable
   * (approveInstall, removeApp, revokeGrant, putDoc) go through the outbox: they get a submission
   * id, survive a lost link and a reload, and are resent with the same id. Others that were under
   * way when the link was lost reject with CANCELLED.
   */
  request<C extends RequestCase>(what: RequestWhat<C>): Promise<Answers[C]>;
  /** send sends a message that has no reply; it is dropped (false) while the link is not open. */
  send(frame: ToKernelFrame): boolean;
  /** on hears every message of one case; it returns what stops it. A throwing listener harms nobody. */
  on<C extends ShellCase>(kind: C, fn: (value: ShellValue<C>) => void): () => void;
  /** status and subscribe are made for useSyncExternalStore. */
  status(): LinkStatus;
  subscribe(fn: () => void): () => void;
  /** limit is a limit of the welcome by its name in kernel/limit, or the fallback before it. */
  limit(name: string, fallback: number): number;
  /** text is the sentence of a code, from the welcome. */
  text(code: string): string;
  /** close ends the link for good. */
  close(): void;
}
