import { afterEach, describe, expect, test, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

let changed: () => void = () => undefined;

async function load(hash: string): Promise<{ taken: (string | null)[]; replaced: unknown[][] }> {
  const replaced: unknown[][] = [];
  vi.stubGlobal("location", { hash, pathname: "/" });
  vi.stubGlobal("history", { replaceState: (...args: unknown[]) => replaced.push(args) });
  vi.stubGlobal("addEventListener", (kind: string, fn: () => void) => {
    if (kind === "hashchange") changed = fn;
  });
  vi.resetModules();
  const { takeBoot } = await import("./boot");
  return { taken: [takeBoot(), takeBoot()], replaced };
}

describe("the boot secret", () => {
  test("leaves the address when the module is loaded, and is given once", async () => {
    expect(await load(`#boot=${"0f".repeat(32)}`)).toEqual({ taken: ["0f".repeat(32), null], replaced: [[null, "", "/"]] });
  });

  test("a fresh link that is pasted into the page's own tab loads the page anew, and nothing else does", async () => {
    await load("");
    const reload = vi.fn();
    for (const [hash, times] of [["#/settings", 0], ["#boot=short", 0], [`#boot=${"0f".repeat(32)}`, 1]] as const) {
      vi.stubGlobal("location", { hash, pathname: "/", reload });
      changed();
      expect(reload).toHaveBeenCalledTimes(times);
    }
  });

  test("whatever else stands in the fragment is erased too, and is no secret", async () => {
    for (const hash of ["#boot=short", `#boot=${"0F".repeat(32)}`, `#x&boot=${"0f".repeat(32)}`, "#/settings"]) {
      expect(await load(hash)).toEqual({ taken: [null, null], replaced: [[null, "", "/"]] });
    }
    expect(await load("")).toEqual({ taken: [null, null], replaced: [] });
  });
});
