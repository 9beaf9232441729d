import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NeutronError } from "../../src/port/fault";
import type { ToolContext } from "../src/bus";
import { Stage, codeOf, thrown } from "./stage";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => {
  vi.useRealTimers();
  stage.dispose();
});

/** clocked is a stage whose timers are the test's: the SDK takes the platform's when it is loaded, so it is loaded anew. */
async function clocked(): Promise<Stage> {
  vi.useFakeTimers();
  vi.resetModules();
  const fresh = await import("./stage");
  return new fresh.Stage() as Stage;
}

const loose = { inputSchema: {} };
const call = { target: "app:notes:background", name: "t" };

describe("connection", () => {
  test("H7 a second connect closes the old port and fails its calls", async () => {
    const first = stage.connect();
    await first.push();
    const pending = codeOf(stage.bus.call(call));
    await first.action("tools.call");
    const second = stage.connect();
    expect(await pending).toBe("ENDPOINT_GONE");
    await first.closed;
    expect(await second.push()).toEqual([]);
    const again = stage.bus.call(call);
    const { id } = await second.action("tools.call");
    second.post({ type: "response", id, ok: "new" });
    expect(await again).toBe("new");
  });

  test("H9 a call before the port waits two seconds for it, and no longer", async () => {
    stage.dispose();
    stage = await clocked();
    const late = codeOf(stage.bus.call(call));
    const listed = codeOf(stage.bus.list("app:notes:background"));
    await vi.advanceTimersByTimeAsync(1_999);
    const soon = stage.bus.call(call);
    await vi.advanceTimersByTimeAsync(1);
    expect([await late, await listed]).toEqual(["TIMEOUT", "TIMEOUT"]);
    const line = stage.connect();
    await line.push();
    const { id } = await line.action("tools.call");
    line.post({ type: "response", id, ok: 1 });
    expect(await soon).toBe(1);
  });

  test("C2 a signal that aborts while the port is awaited ends the call", async () => {
    const control = new AbortController();
    const waiting = codeOf(stage.bus.call(call, { signal: control.signal }));
    control.abort();
    expect(await waiting).toBe("CANCELLED");
    expect(await codeOf(stage.bus.call(call, { signal: AbortSignal.abort() }))).toBe("CANCELLED");
    const line = stage.connect();
    expect(await line.push()).toEqual([]);
    line.exec("ping", {});
    expect((await line.next()).ok).toEqual({}); // nothing was sent in between
  });
});

describe("calls", () => {
  test("R8 a call carries its time, 1 to 300 s, and is patient while the owner is asked", async () => {
    const line = stage.connect();
    await line.push();
    const answer = stage.bus.call({ ...call, arguments: { q: 1 } }, { timeout: 300 });
    const sent = await line.action("tools.call");
    expect(sent.payload.payload).toEqual({ target: call.target, name: "t", arguments: { q: 1 }, timeoutMs: 300_000 });
    line.post({ type: "response", id: sent.id, ok: [1] });
    expect(await answer).toEqual([1]);
    for (const timeout of [0, 0.5, 300.1, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await codeOf(stage.bus.call(call, { timeout }))).toBe("INVALID_REQUEST");
    }
    stage.dispose();
    stage = await clocked();
    const slow = stage.connect();
    await slow.push();
    const silent = codeOf(stage.bus.call(call, { timeout: 1 }));
    await vi.advanceTimersByTimeAsync(400_999);
    const state = await Promise.race([silent, Promise.resolve("waiting")]);
    expect(state).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1);
    expect(await silent).toBe("TIMEOUT");
  });

  test("A3 a call with more than a target, a name and arguments is refused", async () => {
    const line = stage.connect();
    await line.push();
    for (const bad of [{ ...call, caller: "app:other:background" }, { target: "kernel" }, null, "x"]) {
      expect(await codeOf(stage.bus.call(bad as never))).toBe("INVALID_REQUEST");
    }
    const plain = stage.bus.call(call);
    const { id, payload } = await line.action("tools.call");
    expect(payload.payload).toEqual({ target: call.target, name: "t", arguments: {} });
    line.post({ type: "response", id, ok: null });
    expect(await plain).toBe(null);
  });

  test("C1 aborting a call sends a cancel", async () => {
    const line = stage.connect();
    await line.push();
    const control = new AbortController();
    const answer = codeOf(stage.bus.call(call, { signal: control.signal }));
    const { id } = await line.action("tools.call");
    control.abort();
    expect(await answer).toBe("CANCELLED");
    expect(await line.next()).toEqual({ type: "cancel", id });
  });

  test("P1 onProgress hears progress in order, before the result", async () => {
    const line = stage.connect();
    await line.push();
    const seen: unknown[] = [];
    const answer = stage.bus.call(call, { onProgress: (value) => seen.push(value) });
    const { id } = await line.action("tools.call");
    line.post({ type: "progress", id, value: { done: 1 } });
    line.post({ type: "progress", id, value: { done: 2 } });
    line.post({ type: "response", id, ok: "result" });
    expect(await answer).toBe("result");
    expect(seen).toEqual([{ done: 1 }, { done: 2 }]);
  });

  test("E7 a refusal keeps its code and its delay", async () => {
    const line = stage.connect();
    await line.push();
    const answer = stage.bus.call(call);
    const { id } = await line.action("tools.call");
    line.post({ type: "response", id, error: { name: "NeutronError", message: "paused", code: "APP_PAUSED", retryAfterMs: 9_000 } });
    const error = await answer.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NeutronError);
    expect(error).toMatchObject({ code: "APP_PAUSED", message: "paused", retryAfterMs: 9_000 });
  });

  test("A1 a page answers ping, and lists come out of their envelopes", async () => {
    const line = stage.connect();
    await line.push();
    line.exec("ping", {});
    expect(await line.next()).toEqual({ type: "response", id: 1, ok: {} });
    const apps = stage.bus.kernelList("apps.list", "apps");
    const sent = await line.action("tools.call");
    expect(sent.payload.payload).toEqual({ target: "kernel", name: "apps.list", arguments: {} });
    line.post({ type: "response", id: sent.id, ok: { apps: [{ id: "notes" }] } });
    expect(await apps).toEqual([{ id: "notes" }]);
    const tools = stage.bus.list("app:notes:background");
    const asked = await line.action("tools.list");
    expect(asked.payload.payload).toEqual({ target: "app:notes:background" });
    line.post({ type: "response", id: asked.id, ok: { tools: [{ name: "x" }] } });
    expect(await tools).toEqual([{ name: "x" }]);
    const wrong = codeOf(stage.bus.list("kernel"));
    line.post({ type: "response", id: (await line.action("tools.list")).id, ok: { list: [] } });
    expect(await wrong).toBe("OUTPUT_INVALID");
  });
});

describe("tools", () => {
  test("D1 the first message on every port is the whole list", async () => {
    stage.bus.expose("a", loose, () => 1);
    const early = codeOf(stage.bus.call(call));
    const line = stage.connect();
    expect(await line.push()).toEqual(["a"]);
    line.post({ type: "response", id: (await line.action("tools.call")).id, ok: 1 });
    expect(await early).toBe("ok");
    stage.bus.expose("b", loose, () => 1);
    expect(await line.push()).toEqual(["a", "b"]);
    expect(await stage.connect().push()).toEqual(["a", "b"]);
  });

  test("D2 a change is pushed before any later reply", async () => {
    stage.bus.expose("grow", loose, () => {
      stage.bus.expose("grown", loose, () => 1);
      return "after";
    });
    const line = stage.connect();
    await line.push();
    line.run("grow", {});
    expect(await line.push()).toEqual(["grow", "grown"]);
    expect((await line.next()).ok).toBe("after");
    expect(stage.bus.remove("grown")).toBe(true);
    expect(await line.push()).toEqual(["grow"]);
    expect(stage.bus.remove("grown")).toBe(false);
    line.exec("ping", {});
    expect((await line.next()).ok).toEqual({}); // removing nothing pushed nothing
  });

  test("D5 the input is judged before the handler, the output after it", async () => {
    let ran = 0;
    stage.bus.expose(
      "half",
      {
        inputSchema: { type: "object", required: ["n"], properties: { n: { type: "integer" } }, additionalProperties: false },
        outputSchema: { type: "object", required: ["half"], properties: { half: { type: "integer" } } },
      },
      ((args: { n: number }) => {
        ran++;
        return { half: args.n / 2 };
      }) as never,
    );
    const line = stage.connect();
    await line.push();
    for (const args of [{}, { n: "1" }, { n: 1, more: 1 }, { n: 0.5 }]) {
      line.run("half", args);
      expect((await line.next()).error?.code).toBe("INPUT_INVALID");
    }
    expect(ran).toBe(0);
    line.run("half", { n: 1 });
    expect((await line.next()).error?.code).toBe("OUTPUT_INVALID");
    line.run("half", { n: 4 });
    expect((await line.next()).ok).toEqual({ half: 2 });
    expect(ran).toBe(2);
  });

  test("D7 an unknown tool is TOOL_UNKNOWN, and exposing a name again replaces it", async () => {
    stage.bus.expose("t", loose, () => "old");
    stage.bus.expose("t", { inputSchema: { required: ["x"] } }, () => "new");
    const line = stage.connect();
    expect(await line.push()).toEqual(["t"]);
    line.run("t", {});
    expect((await line.next()).error?.code).toBe("INPUT_INVALID");
    line.run("t", { x: 1 });
    expect((await line.next()).ok).toBe("new");
    line.run("toString", {});
    expect((await line.next()).error?.code).toBe("TOOL_UNKNOWN");
    stage.bus.remove("t");
    await line.push();
    line.run("t", { x: 1 });
    expect((await line.next()).error?.code).toBe("TOOL_UNKNOWN");
  });

  test("D8 64 tools are taken, and the next is LIMIT", () => {
    for (let i = 0; i < 64; i++) stage.bus.expose(`t${i}`, loose, () => 1);
    expect(thrown(() => stage.bus.expose("one_more", loose, () => 1))).toBe("LIMIT");
    expect(thrown(() => stage.bus.expose("t3", loose, () => 2))).toBe("ok");
    stage.bus.remove("t3");
    expect(thrown(() => stage.bus.expose("one_more", loose, () => 1))).toBe("ok");
  });

  test("A2 an action that a page does not know is NOT_SUPPORTED", async () => {
    const line = stage.connect();
    await line.push();
    for (const action of ["probe.run", "tools.call", "tool"]) {
      line.exec(action, {});
      expect((await line.next()).error?.code).toBe("NOT_SUPPORTED");
    }
    for (const payload of [{}, { name: "t" }, { name: "t", arguments: [] }, { name: "t", arguments: {}, caller: { endpoint: 1 } }]) {
      line.exec("tool.run", payload);
      expect((await line.next()).error?.code).toBe("INVALID_REQUEST");
    }
  });

  test("C3 a handler sees who called and when to stop, reports progress, and answers once", async () => {
    let context: ToolContext | undefined;
    stage.bus.expose("slow", loose, (_, given) => {
      context = given;
      given.reportProgress({ phase: "begun" });
      given.reportProgress(new Date());
      return new Promise((resolve) => given.signal.addEventListener("abort", () => resolve("stopped")));
    });
    const line = stage.connect();
    await line.push();
    const id = line.run("slow", {});
    expect(await line.next()).toEqual({ type: "progress", id, value: { phase: "begun" } });
    expect(context?.caller).toEqual({ endpoint: "app:b:tile:main:instance:1", appId: "b", role: "tile" });
    expect(Object.isFrozen(context?.caller)).toBe(true);
    line.post({ type: "cancel", id });
    expect(await line.next()).toEqual({ type: "response", id, ok: "stopped" });
    expect((context?.signal.reason as NeutronError).code).toBe("CANCELLED");
  });

  test("E9 a handler's error keeps its code if it is a NeutronError, and never its stack", async () => {
    stage.bus.expose("fail", loose, (({ how }: { how: string }) => {
      if (how === "coded") throw new NeutronError("CONFLICT", "changed meanwhile");
      return Promise.reject(new Error("broken"));
    }) as never);
    const line = stage.connect();
    await line.push();
    line.run("fail", { how: "coded" });
    expect((await line.next()).error).toEqual({ name: "NeutronError", message: "changed meanwhile", code: "CONFLICT" });
    line.run("fail", { how: "plain" });
    expect((await line.next()).error).toEqual({ name: "NeutronError", message: "broken", code: "HANDLER_FAILED" });
  });

  test("R4 a result that cannot travel is OUTPUT_INVALID; nothing is null", async () => {
    stage.bus.expose("odd", loose, (({ kind }: { kind: string }) => (kind === "date" ? new Date() : undefined)) as never);
    const line = stage.connect();
    await line.push();
    line.run("odd", { kind: "date" });
    expect((await line.next()).error?.code).toBe("OUTPUT_INVALID");
    line.run("odd", { kind: "none" });
    expect((await line.next()).ok).toBe(null);
  });
});
