import { readFileSync } from "node:fs";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Stage } from "./sdk/test/stage";
import { Bus } from "./sdk/src/bus";
import type { Activation } from "./src/broker/activation";
import { Bucket } from "./src/broker/bucket";
import { Frame } from "./src/broker/frame";
import { Relay } from "./src/broker/relay";
import type { Link, ToKernelFrame } from "./src/link/signature";
import { Peer } from "./src/port/peer";
import { DeliverSchema, FrameSchema, GestureKind, RespondSchema } from "./src/wire/neutron/link/v1/link_pb";

interface Row {
  readonly file: string;
  readonly symbol: string;
  readonly spans: readonly string[];
}

const root = join(import.meta.dirname, "..");
const bare = (text: string | undefined): string => (text ?? "").trim().replaceAll("`", "");
const rows: Row[] = readFileSync(join(root, "docs/trace.md"), "utf8")
  .split("\n")
  .map((line) => line.split("|"))
  .filter((cells) => /^ \d+ $/.test(cells[1] ?? ""))
  .map((cells) => ({ file: bare(cells[2]), symbol: bare(cells[3]), spans: (cells[4] ?? "").split(",").map(bare) }));

/** page is one frame with the SDK in it, and the shell's relay at the other end of its real port. */
function page(id: string, send: (message: ToKernelFrame) => void): { stage: Stage; relay: Relay } {
  const stage = new Stage();
  const frame = new Frame(create(FrameSchema, { frameId: id }), { remove: () => {} } as HTMLIFrameElement, new Bucket(400, 2_400, 0));
  frame.connection = 1;
  const stamp = { focused: false, activated: false, gesture: GestureKind.UNSPECIFIED };
  const activation = { judge: (_f: Frame, _a: string, _p: unknown, then: (s: typeof stamp) => void) => then(stamp), now: () => stamp, without: () => stamp };
  const link = { send: (message: ToKernelFrame) => (send(message), true) };
  const relay = new Relay(link as unknown as Link, frame, activation as unknown as Activation, () => {});
  const line = stage.connect();
  frame.peer = new Peer(line.port, { vouched: true, exec: (incoming) => relay.exec(incoming) });
  return { stage, relay };
}

describe("docs/trace.md", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is read in at most eight hops", () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(8);
  });

  it("says which spans of the pages and the shell a call goes through", async () => {
    const spans: string[] = [];
    const record = <T extends object>(prototype: T, name: keyof T & string, span: string): void => {
      const real = prototype[name] as (...args: unknown[]) => unknown;
      vi.spyOn(prototype as Record<string, (...args: unknown[]) => unknown>, name).mockImplementation(function (this: unknown, ...args: unknown[]) {
        spans.push(span);
        return real.apply(this, args);
      });
    };
    record(Bus.prototype, "call", "Bus.call");
    record(Relay.prototype, "exec", "Relay.exec");
    record(Relay.prototype, "deliver", "Relay.deliver");
    record(Relay.prototype, "respond", "Relay.respond");

    // A kernel that lets everything through: what it does in between is compared by kernel/kerneltest.
    const text = new TextDecoder();
    const bytes = new TextEncoder();
    const caller = { endpoint: "app:daybook:tile:main:instance:1", appId: "daybook", role: "tile" };
    const respond = (to: Relay, frameId: string, id: bigint, value: Uint8Array): void => to.respond(create(RespondSchema, { frameId, connection: 1n, id, result: { case: "ok", value } }));
    let asked = 0n;
    const tile = page("tile", (message) => {
      if (message.case !== "portExec") return;
      const { id, action, payload } = message.value as { id: bigint; action: string; payload: Uint8Array };
      if (action !== "tools.call") return respond(tile.relay, "tile", id, bytes.encode("{}"));
      asked = id;
      const { target: _, ...call } = JSON.parse(text.decode(payload)) as Record<string, unknown>;
      const run = bytes.encode(JSON.stringify({ ...call, caller }));
      background.relay.deliver(create(DeliverSchema, { frameId: "background", connection: 1n, call: 1n, action: "tool.run", payload: run }));
    });
    const background = page("background", (message) => {
      if (message.case === "portExec") respond(background.relay, "background", message.value.id as bigint, bytes.encode("{}"));
      if (message.case === "portResponse" && message.value.result?.case === "ok") respond(tile.relay, "tile", asked, message.value.result.value as Uint8Array);
    });
    background.stage.bus.expose("notes_search", { inputSchema: { type: "object" } }, (() => {
      spans.push("Bus.#run");
      return { matches: [] };
    }) as never);
    // The pushes of the tools have spans of their own; the call's begin when those are over.
    const count = (span: string): number => spans.filter((s) => s === span).length;
    await vi.waitFor(() => expect([count("Relay.exec") > 0, count("Relay.respond")]).toEqual([true, count("Relay.exec")]));
    spans.length = 0;

    const answer = await tile.stage.bus.call({ target: "app:notes:background", name: "notes_search", arguments: {} });
    expect(answer).toEqual({ matches: [] });
    expect(spans).toEqual(rows.flatMap((r) => r.spans).filter((s) => !s.startsWith("bus.")));
    tile.stage.dispose();
    background.stage.dispose();
  });
});
