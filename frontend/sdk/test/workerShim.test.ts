import { afterEach, describe, expect, test, vi } from "vitest";
import { classicSource, installWorkerShim, moduleSource } from "../src/workerShim";

afterEach(() => vi.unstubAllGlobals());

describe("worker shim", () => {
  test("starts files through a classic blob and leaves blobs alone", async () => {
    const started: [string, WorkerOptions][] = [];
    class Native {
      constructor(url: string, options: WorkerOptions) {
        started.push([String(url), options]);
      }
    }
    const blobs: Blob[] = [];
    vi.stubGlobal("location", { href: "http://label.localhost:1/index.html" });
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}` }));
    const scope = { Worker: Native as unknown as typeof Worker };
    installWorkerShim(scope);
    new scope.Worker("./w.js", { type: "module", name: "w" });
    new scope.Worker(new URL("http://label.localhost:1/c.js"));
    new scope.Worker("blob:null/1", { type: "module" });
    expect(started).toEqual([["blob:1", { name: "w" }], ["blob:2", {}], ["blob:null/1", { type: "module" }]]);
    expect(await blobs[0]?.text()).toBe(moduleSource("http://label.localhost:1/w.js"));
    expect(await blobs[1]?.text()).toBe(classicSource("http://label.localhost:1/c.js"));
    expect(scope.Worker.prototype).toBeInstanceOf(Native);
  });

  test("does nothing where there are no workers", () => {
    const scope = {};
    installWorkerShim(scope);
    expect(scope).toEqual({});
  });

  test("an address cannot break out of the source", () => {
    expect(classicSource('http://x/");alert(1);("')).toBe('importScripts("http://x/\\");alert(1);(\\"")');
  });
});
