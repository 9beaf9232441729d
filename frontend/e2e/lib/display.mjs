// A virtual display with a window manager, and the hands on it.
import { execFileSync } from "node:child_process";
import { firstLine, start, stop } from "./process.mjs";

/** Starts Xvfb on a display number that it chooses itself, and openbox in it. */
export async function openDisplay({ width = 1400, height = 1000 } = {}) {
  const server = start("xvfb", "Xvfb", ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp"], { stdout: "ignore", extra: ["pipe"] });
  const number = (await firstLine(server, server.stdio[3])).trim();
  const name = `:${number}`;
  const env = { ...process.env, DISPLAY: name };
  const manager = start("openbox", "openbox", [], { env: { DISPLAY: name }, stdout: "ignore" });
  const xdotool = (...args) => execFileSync("xdotool", args.map(String), { env, stdio: ["ignore", "pipe", "ignore"] }).toString().trim();
  return {
    name,
    env: { DISPLAY: name },
    xdotool,
    /** The visible windows whose title matches. */
    windows(title) {
      try {
        return xdotool("search", "--onlyvisible", "--name", title).split("\n").filter(Boolean);
      } catch {
        return [];
      }
    },
    shot: (file, window = "root") => execFileSync("import", ["-window", window, file], { env }),
    async close() {
      await stop(manager, 1000);
      await stop(server, 1000);
    },
  };
}
