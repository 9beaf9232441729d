import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FrameSchema, GestureKind, GestureSchema } from "../wire/neutron/link/v1/link_pb";
import { Activation, type Page, type Stamp } from "./activation";
import { Bucket } from "./bucket";
import type { Frame } from "./frame";
import { Heartbeat, type Beating } from "./heartbeat";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("bucket", () => {
  test("B1 takes the burst at once, then refills at its rate, and never beyond the burst", () => {
    const bucket = new Bucket(400, 2_400, 0);
    const burst = (now: number): number => {
      let n = 0;
      while (bucket.take(1, now)) n++;
      return n;
    };
    expect([burst(0), burst(1_000), burst(1_001), burst(100_000)]).toEqual([2_400, 400, 0, 2_400]);
    expect([bucket.take(2, 100_002.5), bucket.take(1, 100_002.5)]).toEqual([false, true]);
  });
});

describe("heartbeat", () => {
  function port(): { beat: Beating; pings: (() => void)[]; silent: number } {
    const seen = { pings: [] as (() => void)[], silent: 0 };
    const beat: Beating = {
      ping: () => new Promise<void>((resolve) => seen.pings.push(resolve)),
      silent: () => seen.silent++,
    };
    return Object.assign(seen, { beat });
  }
  const seconds = (heart: Heartbeat, n: number, gap = 1_000): void => {
    for (let i = 0; i < n; i++) heart.tick(gap);
  };

  test("B3 ends a port that is silent for ten seconds while the shell runs, and no other", async () => {
    const heart = new Heartbeat();
    const [dead, live] = [port(), port()];
    heart.watch(dead.beat);
    heart.watch(live.beat);
    seconds(heart, 5);
    live.pings[0]?.();
    await Promise.resolve();
    seconds(heart, 9);
    expect([dead.pings.length, dead.silent]).toEqual([1, 0]);
    live.pings[1]?.();
    seconds(heart, 1);
    expect([dead.silent, live.silent, live.pings.length]).toEqual([1, 0, 2]);
    seconds(heart, 60);
    expect(dead.silent).toBe(1);
    heart.dispose();
  });

  test("B3 accuses nobody after the shell itself was stopped", () => {
    const heart = new Heartbeat();
    const one = port();
    heart.watch(one.beat);
    seconds(heart, 5);
    seconds(heart, 9);
    heart.tick(60_000);
    seconds(heart, 9);
    expect(one.silent).toBe(0);
    seconds(heart, 1);
    expect(one.silent).toBe(1);
    heart.dispose();
  });

  test("B3 forgets a port that is gone", () => {
    const heart = new Heartbeat();
    const one = port();
    heart.watch(one.beat);
    seconds(heart, 5);
    heart.unwatch(one.beat);
    seconds(heart, 60);
    expect([one.pings.length, one.silent]).toEqual([1, 0]);
    heart.dispose();
  });
});

describe("activation", () => {
  const [mine, other, shell] = ["mine", "other", "shell"].map((id) => ({ id }) as Element) as [Element, Element, Element];
  const frame = { iframe: mine, over: false, row: create(FrameSchema, { appId: "daybook" }) } as unknown as Frame;
  let world: { focus: boolean; active: Element; user: boolean; hovered: Element | null; at: Element };
  let native: boolean;
  let activation: Activation;
  beforeEach(() => {
    world = { focus: true, active: shell, user: false, hovered: null, at: shell };
    native = false;
    const page: Page = {
      hasFocus: () => world.focus,
      active: () => world.active,
      userActive: () => world.user,
      hovered: () => world.hovered,
      at: () => world.at,
      now: () => performance.now(),
    };
    activation = new Activation(page, () => native);
    activation.look();
  });
  const foreign = { target: "app:notes:background", name: "notes_search" };
  /** judged is the stamp, once it is there. */
  function judged(payload: object = foreign, action = "tools.call"): { stamp: Stamp | null } {
    const out: { stamp: Stamp | null } = { stamp: null };
    activation.judge(frame, action, payload, (stamp) => {
      out.stamp = stamp;
    });
    return out;
  }
  const click = (): void => {
    activation.over(mine);
    world.hovered = mine;
    activation.look();
    world.active = mine;
    world.user = true;
  };
  const button = (element: Element): void => {
    world.at = element;
    activation.gesture(create(GestureSchema, { key: false }));
  };
  const key = (keyval = 0): void => activation.gesture(create(GestureSchema, { key: true, keyval }));
  const yes = (gesture: GestureKind): Stamp => ({ focused: true, activated: true, gesture });
  const no = (focused: boolean): Stamp => ({ focused, activated: false, gesture: GestureKind.UNSPECIFIED });

  test("browser: a click in the frame activates it", () => {
    click();
    expect(judged().stamp).toEqual(yes(GestureKind.POINTER));
  });

  test("browser: a frame that takes the focus after a click elsewhere is not activated", () => {
    world.hovered = other;
    activation.look();
    world.active = other;
    world.user = true;
    activation.look();
    world.active = mine; // focus(), within the five seconds of the other's activation
    const out = judged();
    expect(out.stamp).toBe(null);
    vi.advanceTimersByTime(150);
    expect(out.stamp).toEqual(no(true));
    world.hovered = mine; // the pointer comes over it later: the focus was not earned by that
    vi.advanceTimersByTime(5_000);
    expect(judged().stamp).toBe(null);
    vi.advanceTimersByTime(150);
  });

  test("browser: a gesture while the frame has pointer and keyboard is its own, however it got the keyboard", () => {
    world.active = mine; // by its own focus()
    activation.look();
    activation.over(mine);
    world.hovered = mine;
    activation.look();
    world.user = true; // then the person clicks in it
    expect(judged().stamp).toEqual(yes(GestureKind.POINTER));
  });

  test("browser: the pointer that left takes the judgement with it", () => {
    click();
    activation.look();
    world.hovered = other;
    const out = judged();
    vi.advanceTimersByTime(150);
    expect(out.stamp).toEqual(no(true));
  });

  test("the engines' lag is waited for, no longer than 150 ms", () => {
    activation.over(mine);
    world.hovered = mine;
    activation.look();
    const out = judged(); // pointerdown: the focus is not there yet
    vi.advanceTimersByTime(20);
    expect(out.stamp).toBe(null);
    world.active = mine;
    world.user = true;
    vi.advanceTimersByTime(10);
    expect(out.stamp).toEqual(yes(GestureKind.POINTER));
  });

  test("nobody waits where a stamp cannot matter, or cannot come", () => {
    click();
    world.user = false;
    expect(judged({ target: "app:daybook:background", name: "x" }).stamp).toEqual(no(true));
    expect(judged({ target: "kernel", name: "apps.list" }).stamp).toEqual(no(true));
    expect(judged({ tools: [] }, "tools.push").stamp).toEqual(no(true));
    expect(judged({ target: "kernel", name: "permissions.request" }).stamp).toBe(null);
    vi.advanceTimersByTime(150);
    expect(judged().stamp).toEqual(no(true)); // a fruitless wait is not repeated at once
    world.active = other;
    world.hovered = other;
    expect(judged().stamp).toEqual(no(false));
    world.active = mine;
    world.hovered = mine;
    world.focus = false;
    expect(judged().stamp).toEqual(no(false));
  });

  test("window: a button is for the frame under it", () => {
    native = true;
    button(mine);
    world.active = mine;
    world.user = true;
    expect(judged().stamp).toEqual(yes(GestureKind.POINTER));
    vi.advanceTimersByTime(1_001);
    expect(judged().stamp).toBe(null);
    vi.advanceTimersByTime(150);
    button(other);
    const out = judged();
    vi.advanceTimersByTime(200);
    expect(out.stamp).toEqual(no(true));
  });

  test("window: keys count only for a frame that came to the focus fairly", () => {
    native = true;
    world.user = true;
    button(mine);
    world.active = mine;
    activation.look();
    key(0xff0d);
    expect(judged().stamp).toEqual(yes(GestureKind.CONFIRM_KEY));
    key();
    expect(judged().stamp).toEqual(yes(GestureKind.TYPING));
    world.active = shell;
    activation.look();
    world.active = mine; // stolen
    key(0xff0d);
    const out = judged();
    vi.advanceTimersByTime(150);
    expect(out.stamp).toEqual(no(true));
  });

  test("window: a Tab that the shell saw, or the shell's own focus(), lets keys count", () => {
    native = true;
    world.user = true;
    activation.tab();
    vi.advanceTimersByTime(100);
    world.active = mine;
    key(0x20);
    expect(judged().stamp).toEqual(yes(GestureKind.CONFIRM_KEY));
    world.active = shell;
    activation.look();
    activation.given(mine);
    world.active = mine;
    key(0x20);
    expect(judged().stamp).toEqual(yes(GestureKind.CONFIRM_KEY));
    world.active = shell;
    activation.look();
    activation.tab();
    vi.advanceTimersByTime(151);
    world.active = mine;
    key(0x20);
    const out = judged();
    vi.advanceTimersByTime(150);
    expect(out.stamp).toEqual(no(true));
  });
});
