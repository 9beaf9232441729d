import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { protocolHash } from "../wire/hash";
import { KernelError } from "./kernelError";
import { OUTBOX_MAX } from "./outbox";
import type { Link, LinkStatus } from "./signature";
import { BOOT, Kernel, Store, openLink, until } from "./test/kernel";
import { uploadPackage } from "./upload";

let kernel: Kernel;
let storage: Store;
let links: Link[];
beforeEach(async () => {
  kernel = await Kernel.open();
  storage = new Store();
  links = [];
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const link of links) link.close();
  kernel.close();
});

function open(secret: string | null = BOOT): Link {
  const link = openLink(kernel, storage, secret);
  links.push(link);
  return link;
}
const phase = (link: Link, wanted: string): Promise<LinkStatus> => until(link, (status) => status.phase === wanted);
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "ok",
    (error: unknown) => (error instanceof KernelError ? error.code : String(error)),
  );
const remove = { case: "removeApp", value: { appId: "notes", uid: 7n } } as const;
const grants = { case: "listGrants", value: {} } as const;

describe("attaching", () => {
  test("sends the boot secret once, and keeps only the resume secret", async () => {
    const link = open();
    const hello = await kernel.welcome({ limits: [{ name: "thefts", value: 3n, unit: "" }], codes: [{ code: "DENIED", text: "No." }] } as never);
    expect(hello).toMatchObject({ protocolHash, secret: BOOT, client: "" });
    expect((await phase(link, "open")).welcome?.resume).toBe("resume-1");
    expect([...storage.map]).toEqual([["neutron.resume", "resume-1"], ["neutron.client", "CLIENT"]]);
    expect([link.limit("thefts", 2), link.limit("none", 2), link.text("DENIED"), link.text("NEW")]).toEqual([3, 2, "No.", "NEW"]);
  });

  test("resumes with the newest secret after a lost link, and after a reload", async () => {
    const link = open();
    await kernel.welcome();
    await phase(link, "open");
    kernel.socket.close(1011);
    const lost = await phase(link, "lost");
    expect([lost.attempt, lost.welcome?.resume]).toEqual([1, "resume-1"]);
    expect(await kernel.welcome()).toMatchObject({ secret: "resume-1", client: "CLIENT" });
    expect((await phase(link, "open")).attempt).toBe(0);
    link.close();
    open(null);
    expect(await kernel.welcome()).toMatchObject({ secret: "resume-2", client: "CLIENT" });
  });

  test.each([
    [4401, "refused", null],
    [4403, "locked", null],
    [4400, "mismatch", "resume-1"],
    [4409, "refused", "resume-1"],
  ])("close code %i ends in %s for good", async (code, wanted, kept) => {
    const link = open();
    await kernel.welcome();
    await phase(link, "open");
    const pending = codeOf(link.request(grants));
    kernel.socket.close(code);
    await phase(link, wanted);
    expect(await pending).toBe(wanted === "locked" ? "LOCKED" : "CANCELLED");
    expect(await codeOf(link.request(grants))).toBe(wanted === "locked" ? "LOCKED" : "CANCELLED");
    expect([storage.getItem("neutron.resume"), kernel.connections]).toEqual([kept, 1]);
  });

  test("a page without any secret is refused without a try", async () => {
    await phase(open(null), "refused");
    expect(kernel.connections).toBe(0);
  });

  test("reads nothing before the welcome, and closes on what it cannot read", async () => {
    const link = open();
    await kernel.hear("hello");
    const notices: string[] = [];
    link.on("notice", (notice) => notices.push(notice.text));
    kernel.say({ frame: { case: "notice", value: { text: "too early" } } });
    kernel.say({ frame: { case: "welcome", value: { resume: "r", client: "c" } } });
    await phase(link, "open");
    kernel.say({ frame: { case: "notice", value: { text: "now" } } });
    kernel.socket.send(new Uint8Array([0xff, 0xff, 0xff]));
    await phase(link, "mismatch");
    expect(notices).toEqual(["now"]);
  });

  test("answers a ping from the message handler, and ignores what it does not know", async () => {
    const link = open();
    await kernel.welcome();
    await phase(link, "open");
    const reported = vi.fn();
    vi.stubGlobal("reportError", reported);
    link.on("ping", () => {
      throw new Error("a listener's mistake, on purpose");
    });
    kernel.socket.send(new Uint8Array([0xf2, 0x3f, 0x01, 0x00])); // a member of the oneof that this page does not know
    kernel.say({ frame: { case: "ping", value: { seq: 41n } } });
    expect(await kernel.hear("pong")).toMatchObject({ seq: 41n });
    expect(reported).toHaveBeenCalledOnce();
  });
});

describe("requests", () => {
  test("pairs replies by id, in whatever order they come", async () => {
    const link = open();
    const [a, b] = [link.request(grants), link.request({ case: "endpointTools", value: { endpointId: "kernel" } })];
    await kernel.welcome();
    const [first, second] = [await kernel.hear("request"), await kernel.hear("request")];
    expect([first.what.case, second.what.case, first.submission]).toEqual(["listGrants", "endpointTools", ""]);
    kernel.say({ frame: { case: "reply", value: { id: second.id, what: { case: "tools", value: { tools: [{ name: "t" }] } } } } });
    kernel.say({ frame: { case: "reply", value: { id: first.id, what: { case: "grants", value: {} } } } });
    kernel.say({ frame: { case: "reply", value: { id: 999n, what: { case: "done", value: {} } } } });
    expect((await b).tools[0]?.name).toBe("t");
    expect((await a).grants).toEqual([]);
  });

  test("rejects with the kernel's code, its sentence and its delay", async () => {
    const link = open();
    await kernel.welcome({ codes: [{ code: "BUSY", text: "Too many." }] } as never);
    const failed = link.request(grants);
    const { id } = await kernel.hear("request");
    kernel.say({ frame: { case: "reply", value: { id, what: { case: "error", value: { code: "BUSY", message: "", retryAfterMs: 50n } } } } });
    await expect(failed).rejects.toMatchObject({ code: "BUSY", message: "Too many.", retryAfterMs: 50 });
  });

  test("a lost link ends what was under way, and keeps what had not left", async () => {
    const link = open();
    await kernel.welcome();
    const under = codeOf(link.request(grants));
    await kernel.hear("request");
    kernel.socket.close(1011);
    await phase(link, "lost");
    expect(await under).toBe("CANCELLED");
    expect(link.send({ case: "questionShown", value: { id: "q" } })).toBe(false);
    const later = link.request(grants);
    await kernel.welcome();
    const { id } = await kernel.hear("request");
    kernel.say({ frame: { case: "reply", value: { id, what: { case: "grants", value: {} } } } });
    await later;
  });
});

describe("outbox", () => {
  test("resends a submission with the same id after a lost link, once", async () => {
    const link = open();
    await kernel.welcome();
    const done = link.request(remove);
    const first = await kernel.hear("request");
    expect(first.submission).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(link.status().pending).toBe(1);
    kernel.socket.close(1011);
    await kernel.welcome();
    const again = await kernel.hear("request");
    expect([again.submission, again.what]).toEqual([first.submission, first.what]);
    kernel.say({ frame: { case: "reply", value: { id: again.id, what: { case: "done", value: {} } } } });
    await done;
    expect([link.status().pending, storage.getItem("neutron.outbox")]).toEqual([0, null]);
    kernel.socket.close(1011);
    await kernel.welcome();
    void link.request(grants).catch(() => undefined);
    expect((await kernel.hear("request")).what.case).toBe("listGrants"); // the answered one was not sent again
  });

  test("resends over a reload, and drops it when its reply came", async () => {
    const link = open();
    await kernel.welcome();
    void link.request(remove).catch(() => undefined);
    const first = await kernel.hear("request");
    link.close();
    const fresh = open(null);
    expect(fresh.status().pending).toBe(1);
    await kernel.welcome();
    const again = await kernel.hear("request");
    expect([again.submission, again.what]).toEqual([first.submission, first.what]);
    kernel.say({ frame: { case: "reply", value: { id: again.id, what: { case: "error", value: { code: "APP_UNKNOWN" } } } } });
    await until(fresh, (status) => status.pending === 0);
    expect(storage.getItem("neutron.outbox")).toBe(null);
  });

  test("a copied tab sends nothing of the tab it was copied from", async () => {
    const link = open();
    await kernel.welcome();
    void link.request(remove).catch(() => undefined);
    await kernel.hear("request");
    link.close();
    const copy = open(null);
    await kernel.welcome({ client: "ANOTHER" });
    expect((await phase(copy, "open")).pending).toBe(0);
    void copy.request(grants).catch(() => undefined);
    expect((await kernel.hear("request")).what.case).toBe("listGrants");
  });

  test("holds 64 submissions and refuses the next", async () => {
    const link = open();
    for (let i = 0; i < OUTBOX_MAX; i++) void link.request(remove).catch(() => undefined);
    expect(await codeOf(link.request(remove))).toBe("BUSY");
    expect(link.status().pending).toBe(64);
  });

  test("starts empty over storage that is not its own writing", async () => {
    for (const text of ["{", "1", '[["c"]]', '[["c","!!"]]', '[["c","//79"]]', "null"]) {
      storage.setItem("neutron.outbox", text);
      const link = open();
      expect(link.status().pending).toBe(0);
      link.close();
    }
  });
});

describe("upload", () => {
  test("sends a file in chunks, in order, the last one marked", async () => {
    const link = open();
    await kernel.welcome({ limits: [{ name: "uploadChunk", value: 4n }, { name: "packageBytes", value: 10n }] } as never);
    await phase(link, "open");
    const progress: number[] = [];
    const id = await uploadPackage(link, new Blob(["0123456789"]), (sent) => progress.push(sent));
    const chunks = [await kernel.hear("uploadChunk"), await kernel.hear("uploadChunk"), await kernel.hear("uploadChunk")];
    expect(chunks.map((chunk) => [chunk.uploadId === id, chunk.offset, new TextDecoder().decode(chunk.data), chunk.last])).toEqual([
      [true, 0n, "0123", false],
      [true, 4n, "4567", false],
      [true, 8n, "89", true],
    ]);
    expect(progress).toEqual([4, 8, 10]);
    expect(await codeOf(uploadPackage(link, new Blob(["01234567890"])))).toBe("PACKAGE_TOO_LARGE");
    const empty = await uploadPackage(link, new Blob([]));
    expect(await kernel.hear("uploadChunk")).toMatchObject({ uploadId: empty, offset: 0n, last: true });
  });
});
