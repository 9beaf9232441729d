import { describe, expect, test } from "vitest";
import { create } from "@bufbuild/protobuf";
import type { FrameHandle } from "../broker/signature";
import { FrameStateSchema, FrameStatus } from "../wire/neutron/link/v1/link_pb";
import { tileView } from "./tileView";

const handle = { frameId: "f" } as FrameHandle;
const open = { is: "open", handle } as const;
const base = { name: "Notes", installed: true, life: open, frame: undefined, connected: true, gateOpen: true, online: true, textOf: (code: string) => (code === "THEFT" ? "It took the keyboard." : "") } as const;
const frame = (status: FrameStatus, code = "", reason = "") => create(FrameStateSchema, { status, code, reason });

describe("what a tile shows", () => {
  test("the frame alone, once its port is open", () => {
    expect(tileView(base)).toBeNull();
    expect(tileView({ ...base, connected: false })?.state).toBe("starting");
    expect(tileView({ ...base, life: { is: "opening" }, connected: false })?.state).toBe("starting");
  });

  test("the kernel's word outweighs what the shell saw", () => {
    const ended = { is: "ended", end: { code: "CLOSED", reason: "" } } as const;
    expect(tileView({ ...base, life: ended, frame: frame(FrameStatus.QUARANTINED, "QUARANTINED") })?.state).toBe("quarantined");
    expect(tileView({ ...base, life: ended, frame: frame(FrameStatus.BLOCKED, "NOT_READY", "Twice.") })).toMatchObject({ state: "blocked", text: "Twice.", code: "NOT_READY" });
    expect(tileView({ ...base, frame: frame(FrameStatus.HELD) })?.state).toBe("held");
  });

  test("a frame that ended says why, and can be tried again", () => {
    const view = tileView({ ...base, life: { is: "ended", end: { code: "NAVIGATED", reason: "The page left its address." } }, connected: false });
    expect(view).toMatchObject({ state: "ended", code: "NAVIGATED", retry: "Try again" });
    expect(view?.text).toContain("The page left its address.");
    expect(tileView({ ...base, life: { is: "ended", end: { code: "THEFT", reason: "" } } })?.text).toMatch(/^It took the keyboard\. /);
  });

  test("an updated app loses what its pages had in memory, and is opened anew", () => {
    const view = tileView({ ...base, life: { is: "ended", end: { code: "SUPERSEDED", reason: "The app was updated." } }, connected: false });
    expect(view).toMatchObject({ state: "ended", retry: "Open again" });
    expect(view?.text).toMatch(/^The app was updated\. .*in memory is gone\.$/);
    expect(view?.text).not.toContain("untouched");
  });

  test("a closed gate holds what is not open yet", () => {
    expect(tileView({ ...base, life: { is: "opening" }, connected: false, gateOpen: false })).toMatchObject({ state: "held", retry: "" });
  });

  test("a lost link is no fault of the app: the tile waits", () => {
    const lost = { is: "ended", end: { code: "NO_SHELL", reason: "" } } as const;
    expect(tileView({ ...base, life: lost, online: false, frame: frame(FrameStatus.READY) })).toMatchObject({ state: "held", retry: "" });
    expect(tileView({ ...base, life: lost, frame: frame(FrameStatus.READY) })).toMatchObject({ state: "ended", code: "NO_SHELL" });
  });

  test("an app that is gone offers nothing to try", () => {
    expect(tileView({ ...base, installed: false })).toMatchObject({ state: "gone", retry: "" });
  });
});
