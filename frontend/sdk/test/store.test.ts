import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Store, createStore } from "../src/store";
import { type Line, Stage, codeOf } from "./stage";

let stage: Stage;
let store: Store;
let line: Line;
beforeEach(async () => {
  stage = new Stage();
  store = createStore(stage.bus);
  line = stage.connect();
  await line.push();
});
afterEach(() => stage.dispose());

/** serve answers the next exec, which must have this action, and gives its payload. */
async function serve(action: string, ok: unknown): Promise<unknown> {
  const { id, payload } = await line.action(action);
  line.post({ type: "response", id, ok });
  return payload.payload;
}

async function refuse(action: string, code: string): Promise<void> {
  const { id } = await line.action(action);
  line.post({ type: "response", id, error: { name: "NeutronError", code, message: code } });
}

describe("store", () => {
  test("sends each action as it is and reads the answer", async () => {
    const put = store.put({ key: "a", value: { n: [1] }, ifRevision: "0" });
    expect(await serve("store.put", { revision: "1" })).toEqual({ key: "a", value: { n: [1] }, ifRevision: "0" });
    expect(await put).toBe("1");
    const got = store.get("a");
    expect(await serve("store.get", { entry: { value: { n: [1] }, revision: "1" }, revision: "9" })).toEqual({ key: "a" });
    expect(await got).toEqual({ value: { n: [1] }, revision: "1" });
    const none = store.get("b");
    await serve("store.get", { entry: null, revision: "9" });
    expect(await none).toBe(null);
    const gone = store.delete({ key: "a" });
    expect(await serve("store.delete", { revision: "2", deleted: true })).toEqual({ key: "a" });
    expect(await gone).toEqual({ revision: "2", deleted: true });
    const changes = [{ key: "a", value: 1 }, { key: "b", delete: true as const }];
    const batch = store.batch(changes);
    expect(await serve("store.batch", { revision: "3" })).toEqual({ changes });
    expect(await batch).toBe("3");
    const list = store.list({ prefix: "a", limit: 1, values: true });
    expect(await serve("store.list", { entries: [], next: "a", revision: "3" })).toEqual({ prefix: "a", limit: 1, values: true });
    expect((await list).next).toBe("a");
  });

  test("passes refusals on and does not believe an answer of another form", async () => {
    const conflict = codeOf(store.put({ key: "a", value: 1, ifRevision: "7" }));
    await refuse("store.put", "CONFLICT");
    expect(await conflict).toBe("CONFLICT");
    for (const [ask, action] of [
      [(): Promise<unknown> => store.put({ key: "a", value: 1 }), "store.put"],
      [(): Promise<unknown> => store.get("a"), "store.get"],
      [(): Promise<unknown> => store.list(), "store.list"],
      [(): Promise<unknown> => store.getBlob("a"), "store.blob.read"],
    ] as const) {
      const answer = codeOf(ask());
      await serve(action, { strange: 1 });
      expect([action, await answer]).toEqual([action, "OUTPUT_INVALID"]);
    }
    expect(await codeOf(store.put({ key: "a", value: () => 1 }))).toBe("INVALID_REQUEST");
  });

  test("a page's own change reaches its watch of the store", async () => {
    let fetches = 0;
    const watch = stage.bus.states.watch("store", () => Promise.resolve({ value: ++fetches, revision: fetches }));
    await watch.refresh();
    const before = fetches;
    const put = store.put({ key: "a", value: 1 });
    await serve("store.put", { revision: "50" });
    await put;
    expect(fetches).toBeGreaterThan(before);
  });
});

describe("blobs", () => {
  const bytes = Uint8Array.from({ length: 1_200_000 }, (_, n) => (n * 7 + (n >> 9)) & 255);

  test("go in chunks and come back whole", async () => {
    for (const data of [bytes, bytes.buffer, new Blob([bytes])]) {
      const put = store.putBlob({ key: "p", data, ifRevision: "0" });
      expect(await serve("store.blob.begin", { upload: "u" })).toEqual({ key: "p", ifRevision: "0", size: bytes.length });
      let received = "";
      for (let offset = 0; offset < bytes.length; ) {
        const chunk = (await serve("store.blob.append", { received: 0 })) as { upload: string; offset: number; data: string };
        expect([chunk.upload, chunk.offset]).toEqual(["u", offset]);
        const part = atob(chunk.data);
        received += part;
        offset += part.length;
      }
      expect(await serve("store.blob.commit", { revision: "4" })).toEqual({ upload: "u" });
      expect(await put).toBe("4");
      expect(Buffer.from(received, "latin1").equals(bytes)).toBe(true);
    }
    const got = store.getBlob("p");
    for (const offset of [0, 500_000, 1_000_000]) {
      const data = Buffer.from(bytes.subarray(offset, offset + 500_000)).toString("base64");
      const asked = await serve("store.blob.read", { blob: { revision: "4", size: bytes.length, data }, revision: "4" });
      expect(asked).toEqual(offset === 0 ? { key: "p" } : { key: "p", offset, ifRevision: "4" });
    }
    expect(Buffer.from((await got) ?? []).equals(bytes)).toBe(true);
  });

  test("that fail on the way are given up, and one that changes while it is read is read again", async () => {
    const put = codeOf(store.putBlob({ key: "p", data: bytes }));
    await serve("store.blob.begin", { upload: "u" });
    await refuse("store.blob.append", "LIMIT");
    expect(await serve("store.blob.abort", {})).toEqual({ upload: "u" });
    expect(await put).toBe("LIMIT");
    const got = store.getBlob("p");
    await serve("store.blob.read", { blob: { revision: "1", size: 2, data: btoa("a") }, revision: "1" });
    await refuse("store.blob.read", "CONFLICT");
    await serve("store.blob.read", { blob: { revision: "2", size: 1, data: btoa("b") }, revision: "2" });
    expect(await got).toEqual(new Uint8Array([98]));
    const none = store.getBlob("q");
    await serve("store.blob.read", { blob: null, revision: "2" });
    expect(await none).toBe(null);
  });
});
