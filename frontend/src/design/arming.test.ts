import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Arming, armMs } from "./arming";

function shown(): Arming {
  const a = new Arming();
  a.painted(1000);
  a.sawEnd();
  return a;
}

describe("arming", () => {
  test("nothing acts before the paint, whatever the time", () => {
    const a = new Arming();
    a.sawEnd();
    expect(a.pressed(1e9)).toBe(false);
    expect(a.mayRefuse || a.mayAllow).toBe(false);
    expect(a.remaining(1e9)).toBeNull();
  });

  test("a press counts from 700 ms after the paint, not before", () => {
    expect(shown().pressed(1000 + armMs - 1)).toBe(false);
    expect(shown().pressed(1000 + armMs)).toBe(true);
  });

  test("a press that came too early starts the wait anew", () => {
    const a = shown();
    a.pressed(1600);
    expect(a.armed(1700)).toBe(false);
    expect(a.armed(1600 + armMs)).toBe(true);
  });

  test("an early press never turns into a late answer", () => {
    const a = shown();
    a.pressed(1600);
    // The pointer stays down until the buttons look armed; letting go is the click.
    expect(a.armed(3000)).toBe(true);
    expect(a.mayRefuse).toBe(false);
    expect(a.mayAllow).toBe(false);
  });

  test("a theft disarms again, also between press and click", () => {
    const a = shown();
    expect(a.pressed(2000)).toBe(true);
    a.disturbed(2010);
    expect(a.mayRefuse || a.mayAllow).toBe(false);
    expect(a.armed(2010 + armMs - 1)).toBe(false);
  });

  test("a hidden page must be painted again", () => {
    const a = shown();
    a.concealed();
    expect(a.pressed(9000)).toBe(false);
    a.painted(10_000);
    expect(a.pressed(10_000 + armMs)).toBe(true);
  });

  test("allowing waits for the end of the content, refusing does not", () => {
    const a = new Arming();
    a.painted(0);
    a.pressed(armMs);
    expect(a.mayRefuse).toBe(true);
    expect(a.mayAllow).toBe(false);
    a.sawEnd();
    a.pressed(3 * armMs);
    expect(a.mayAllow).toBe(true);
  });

  test("one press gives one answer", () => {
    const a = shown();
    a.pressed(5000);
    a.spent();
    expect(a.mayAllow || a.mayRefuse).toBe(false);
  });

  test("whatever happens, an answer means 700 quiet ms before its press", () => {
    const step = fc.record({ what: fc.constantFrom("press", "disturb", "paint", "conceal"), wait: fc.integer({ min: 0, max: 1500 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const a = new Arming();
        a.sawEnd();
        let now = 0;
        let last = Number.POSITIVE_INFINITY; // the last thing that must reset the wait
        for (const { what, wait } of steps) {
          now += wait;
          if (what === "press") {
            const quiet = now - last >= armMs;
            expect(a.pressed(now)).toBe(quiet);
            expect(a.mayAllow).toBe(quiet);
            if (Number.isFinite(last)) last = now;
          } else if (what === "disturb") {
            a.disturbed(now);
            expect(a.mayRefuse).toBe(false);
            if (Number.isFinite(last)) last = now;
          } else if (what === "paint") {
            a.painted(now);
            last = now;
          } else {
            a.concealed();
            last = Number.POSITIVE_INFINITY;
          }
        }
      }),
    );
  });
});
