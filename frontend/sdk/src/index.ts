/**
 * What an app inside Neutron imports: expose tools, call tools, follow progress, keep data, tell changes.
 * Importing it says ready to Neutron; import it early.
 */
import type { HostContext } from "../../src/port/context";
import { Bus, type CallOptions, type ToolCall, type ToolHandler } from "./bus";
import type { ToolDescriptor, ToolOptions } from "./descriptor";
import type { StateChange, StateWatch, Versioned } from "./state";
import { createStore, type Store } from "./store";
import { watchChords } from "./host";
import { installWorkerShim } from "./workerShim";

export { NeutronError } from "../../src/port/fault";
export type { HostContext, HostTheme } from "../../src/port/context";
export type { CallOptions, Caller, ToolCall, ToolContext, ToolHandler } from "./bus";
export type { ToolDescriptor, ToolOptions } from "./descriptor";
export type { JsonSchema } from "./schema";
export { compareRevisions } from "./state";
export type { StateChange, StateWatch, Versioned } from "./state";
export type { Store, StoreBlob, StoreChange, StoreEntry, StoreListed, StorePage, StoreRange, StoreUsage } from "./store";

const inPage = typeof window !== "undefined" && typeof document !== "undefined";
if (inPage && globalThis.origin === "null") installWorkerShim(globalThis);

const bus = new Bus(inPage ? window : undefined, inPage ? document.documentElement : undefined);
if (inPage) watchChords(window, (chord) => bus.chord(chord));

/**
 * exposeTool makes a function callable by others under the given name; exposing a name again
 * replaces it. Arguments are validated before the handler runs and its result afterwards.
 * Throws a NeutronError: SCHEMA_INVALID for a description that cannot be used, LIMIT beyond 64 tools.
 */
export function exposeTool<A extends object = Record<string, unknown>>(name: string, options: ToolOptions, handler: ToolHandler<A>): void {
  bus.expose(name, options, handler as ToolHandler<never>);
}

/** removeExposedTool takes a tool away. It returns whether there was one. Calls already running go on. */
export function removeExposedTool(name: string): boolean {
  return bus.remove(name);
}

/** callTool calls a tool and resolves with its result. It rejects with a NeutronError; decide by its code. */
export function callTool(call: ToolCall, options?: CallOptions): Promise<unknown> {
  return bus.call(call, options);
}

/** store is what this app keeps: durable, its own, shared by all of its pages, and gone when the app is removed. */
export const store: Store = createStore(bus);

/**
 * publishAppStateChange tells the other live pages of this app, and those that come later, that a topic has a new revision.
 * It carries no state: they fetch again. The topic "store" is Neutron's own: each change of the store is told there.
 */
export function publishAppStateChange(topic: string, revision: string | number | bigint): Promise<void> {
  return bus.states.publish(topic, revision);
}

/** onAppStateChange hears what the app's other pages publish on a topic, until the returned function is called. */
export function onAppStateChange(topic: string, listener: (change: StateChange) => void): () => void {
  return bus.states.on(topic, listener);
}

/**
 * watchState keeps the newest answer of fetch. It fetches at once, when the topic changes (by this page too), and after a
 * reconnect, and an answer of an older revision never replaces a newer one.
 */
export function watchState<T>(topic: string, fetch: (signal: AbortSignal) => Promise<Versioned<T>>): StateWatch<T> {
  return bus.states.watch(topic, fetch);
}

/** hostContext is what Neutron last said about the page's surroundings, or null before it said anything. */
export function hostContext(): HostContext | null {
  return bus.host.context;
}

/**
 * onHostContext calls fn with the surroundings, at once if they are known and again when they change. It returns what
 * stops it. The SDK itself sets `color-scheme` and `data-theme` on the document element first.
 */
export function onHostContext(fn: (context: HostContext) => void): () => void {
  return bus.host.listen(fn);
}

/** AppSummary is one installed app. Name, title and description were written by the app: unverified. */
export interface AppSummary {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description?: string;
}

/** EndpointSummary is one live endpoint. */
export interface EndpointSummary {
  readonly id: string;
  readonly appId: string;
  readonly role: string;
}

/** MsgBusClient is the bus as an object, for those who want to pass it around. */
export interface MsgBusClient {
  /** listApps lists the installed apps: bounded, unverified metadata. */
  listApps(options?: CallOptions): Promise<AppSummary[]>;
  /** listEndpoints lists the endpoints that are live now. */
  listEndpoints(options?: CallOptions): Promise<EndpointSummary[]>;
  /** listTools lists what a live endpoint exposes. Another app's tools need the owner's permission. */
  listTools(target: string, options?: CallOptions): Promise<ToolDescriptor[]>;
  /** callTool is the function of the same name. */
  callTool(call: ToolCall, options?: CallOptions): Promise<unknown>;
}

/** createMsgBusClient gives a client over this page's one connection. Clients are free; none needs closing. */
export function createMsgBusClient(): MsgBusClient {
  return {
    listApps: (options) => bus.kernelList("apps.list", "apps", options) as Promise<AppSummary[]>,
    listEndpoints: (options) => bus.kernelList("endpoints.list", "endpoints", options) as Promise<EndpointSummary[]>,
    listTools: (target, options) => bus.list(target, options),
    callTool,
  };
}
