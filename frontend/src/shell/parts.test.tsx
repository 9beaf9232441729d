// @vitest-environment jsdom
import { act, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPart } from "./parts";

let root: Root;
beforeEach(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  root = createRoot(document.body.appendChild(document.createElement("main")));
});
afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
  vi.useRealTimers();
});

const Name = ({ name }: { readonly name: string }): ReactNode => <b>{name}</b>;
const shows = (): string => document.querySelector("main")?.innerHTML ?? "";

test("a part shows its place until it has come, and afterwards never again", async () => {
  let come: (view: typeof Name) => void = () => undefined;
  const load = vi.fn(() => new Promise<typeof Name>((resolve) => (come = resolve)));
  const part = createPart(load);
  act(() => root.render(<part.View name="a" place={<i />} />));
  expect(shows()).toBe("<i></i>");
  await act(async () => come(Name));
  expect(shows()).toBe("<b>a</b>");
  act(() => root.render(null));
  act(() => root.render(<part.View name="b" place={<i />} />));
  expect([shows(), load.mock.calls.length]).toEqual(["<b>b</b>", 1]);
});

test("a part that was fetched before renders in the first pass", async () => {
  const part = createPart(() => Promise.resolve(Name));
  part.fetch();
  await Promise.resolve();
  await Promise.resolve();
  const passes: string[] = [];
  act(() => {
    root.render(<part.View name="a" place={<i ref={() => void passes.push("place")} />} />);
  });
  expect([shows(), passes]).toEqual(["<b>a</b>", []]);
});

test("what failed is fetched again while it is shown", async () => {
  vi.useFakeTimers();
  let fail = true;
  const load = vi.fn(() => (fail ? Promise.reject(new Error("away")) : Promise.resolve(Name)));
  const part = createPart(load);
  await act(async () => root.render(<part.View name="a" place={<i />} />));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect([shows(), load.mock.calls.length]).toEqual(["<i></i>", 2]);
  fail = false;
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect([shows(), load.mock.calls.length]).toEqual(["<b>a</b>", 3]);
  await act(() => vi.advanceTimersByTimeAsync(9_000));
  expect(load.mock.calls.length).toBe(3);
});
