// Renders what make bench measured into docs/bench.md.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { out, root } from "../lib/process.mjs";
import { median, records } from "../lib/record.mjs";

const rows = records();
try {
  const text = readFileSync(join(out, "share.txt"), "utf8");
  const ratios = [...text.matchAll(/([\d.]+) ratio/g)].map((m) => Number(m[1]));
  if (ratios.length > 0) rows.push({ name: "Kernel's share of a call, 1 KiB, processor time", floor: "decoder and validator alone", floorValue: "1", value: "", ratio: median(ratios), goal: 1.4 });
} catch {
  /* not measured in this run */
}
if (rows.length === 0) throw new Error("nothing was measured");

const version = (command, ...args) => {
  try {
    return execFileSync(command, args).toString().trim().split("\n")[0];
  } catch {
    return "?";
  }
};
const line = (r) => `| ${r.name} | ${r.floor} | ${r.floorValue} | ${r.value} | **${r.ratio.toFixed(2)}** | ${r.goal} | ${r.ratio <= r.goal ? "met" : "missed"} |`;
writeFileSync(
  join(root, "docs/bench.md"),
  `# Measured

\`make bench\` writes this page. Every number is a ratio to a floor of the same run, on the same machine, measured turn about with
it; the times beside them are there to judge the noise, not to be compared with yours. A ratio of 1 would mean that Neutron is free.

| What | Floor | Floor's value | Neutron's | Ratio | Goal, at most | |
|---|---|---|---|---|---|---|
${rows.map(line).join("\n")}

- A routed call goes tile, shell, kernel, shell, background and back, judged at each boundary. Its floor is the same engine's bare
  \`MessagePort\` echo twice and bare WebSocket echo to Go twice, with the same payload and nothing of ours between
  (\`examples/bench/floor\`). Median of seven rounds, in each the median over groups of eight calls.
- The kernel's share runs without an engine (\`go test -bench KernelShare ./kernel/bus\`); its floor is the same decoder and the same
  validator alone.
- Start: from the start of the process to the shell's attachment, against a Wails window whose empty page asks for its first file
  (\`examples/bench/testdata/empty\`). Median of seven.
- Memory: PSS of the whole process tree, idle, against Chromium in \`--app\` mode with the same sixteen pages.

${cpus().length} × ${cpus()[0].model.trim()}; ${version("go", "version").replace("go version ", "")}; Node ${process.version}; ${version("chromium", "--version")}.
Load average at the end of the run: ${loadavg()[0].toFixed(1)}. Above the number of cores, others were at work, and ratios of short calls are too high.
`,
);
console.log("docs/bench.md is written");
