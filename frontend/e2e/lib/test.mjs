// What one test has at hand.
import assert from "node:assert/strict";
import { join } from "node:path";
import { openControl } from "./control.mjs";
import { openDriver } from "./driver.mjs";
import { binaries, cli, dataDirectory, serve } from "./neutron.mjs";
import { out, until } from "./process.mjs";
import { workspace } from "./workspace.mjs";

const sizes = [[1280, 800], [800, 600]];

export class Test {
  #cleanup = [];
  #steps = [];
  assert = assert;
  until = until;

  constructor(bed, name) {
    this.engine = bed.engine;
    this.display = bed.display;
    this.shared = bed.shared;
    this.name = name;
    this.theme = "light";
  }

  /** Runs when the test ends, last first. */
  later(fn) {
    this.#cleanup.push(fn);
  }

  async step(what, fn) {
    this.#steps.push(what);
    const value = await fn();
    this.#steps[this.#steps.length - 1] += ": ok";
    return value;
  }
  trail() {
    return this.#steps.map((s) => `      ${s}`).join("\n");
  }

  /** A data directory of this test's own. */
  data() {
    if (!this.dir) {
      const d = dataDirectory();
      this.dir = d.dir;
      this.later(d.remove);
    }
    return this.dir;
  }
  cli(...args) {
    return cli(this.data(), ...args);
  }

  /** Starts Neutron on the data directory and shows its workspace in this run's engine. */
  async open({ theme = this.theme, env } = {}) {
    this.theme = theme;
    if (this.engine === "window") {
      this.driver = await openDriver("window", this.display, { binary: binaries.window, data: this.data(), theme, env });
    } else {
      this.neutron = await serve(this.data(), { env });
      this.later(() => this.neutron.stop());
      if (!this.driver || this.driver.theme0 !== theme) {
        await this.driver?.close();
        this.driver = await openDriver(this.engine, this.display, { theme, url: this.neutron.workspace });
        this.driver.theme0 = theme;
      } else {
        await this.driver.goto("about:blank");
        await this.driver.goto(this.neutron.workspace);
      }
    }
    this.workspace = workspace(this.driver);
    await this.workspace.up();
    return this.driver;
  }

  /** Ends Neutron, as its owner would; the browser stays open. */
  async quit() {
    if (this.engine === "window") {
      await this.driver.close();
      this.driver = undefined;
    } else {
      const how = await this.neutron.stop();
      this.assert.equal(how.code, 0, `serve ended with ${JSON.stringify(how)}`);
    }
  }

  async control() {
    const c = await openControl();
    this.later(() => c.close());
    return c;
  }

  /** Pictures of what is on screen: every size, and every theme that the engine can change while it runs. */
  async picture(name) {
    const d = this.driver;
    const themes = this.engine === "chromium" ? ["light", "dark"] : [this.theme];
    for (const theme of themes) {
      await d.theme(theme);
      for (const [w, h] of sizes) {
        await d.size(w, h);
        await d.eval(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 250))));
        await d.shot(join(out, "pictures", this.engine, `${name}-${theme}-${w}x${h}.png`));
      }
    }
    await d.theme(this.theme);
    await d.size(...sizes[0]);
  }

  async failed() {
    const file = join(out, "pictures", this.engine, `failed-${this.name}.png`);
    try {
      this.display.shot(file);
      console.log(`      picture: ${file}`);
      const driver = this.driver ?? this.shared.driver;
      if (driver) console.log(`      keyboard: ${JSON.stringify(await driver.eval(() => [document.activeElement?.outerHTML.slice(0, 120), document.hasFocus()]))}`);
      if (driver) console.log(`      frames: ${JSON.stringify(await driver.frameTitles())}; says: ${(await driver.text()).replace(/\s+/g, " ").slice(0, 800)}`);
    } catch (e) {
      console.log(`      no picture: ${e.message}`);
    }
  }

  async end() {
    await this.driver?.close().catch(() => undefined);
    for (const fn of this.#cleanup.reverse()) await fn();
  }
}
