// Builds every example app into examples/build/<id>: node examples/build.mjs [id ...]
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const frontend = resolve(here, "../frontend");
const modules = join(frontend, "node_modules");
const require = createRequire(join(frontend, "package.json"));
const { build } = await import(pathToFileURL(join(dirname(require.resolve("vite/package.json")), "dist/node/index.js")));

const wanted = process.argv.slice(2);
const apps = readdirSync(here, { withFileTypes: true })
  .filter((d) => d.isDirectory() && d.name !== "build" && existsSync(join(here, d.name, "neutron.json")))
  .map((d) => d.name)
  .filter((name) => wanted.length === 0 || wanted.includes(name));

for (const app of apps) {
  const root = join(here, app);
  const outDir = join(here, "build", app);
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const pages = readdirSync(root).filter((f) => f.endsWith(".html"));
  await build({
    configFile: false,
    logLevel: "warn",
    root,
    base: "./",
    publicDir: false,
    resolve: {
      alias: [
        { find: "@neutron/sdk", replacement: join(frontend, "sdk/src/index.ts") },
        { find: /^@fontsource-variable\//, replacement: `${join(modules, "@fontsource-variable")}/` },
      ],
    },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2023",
      // Older targets make variables of light-dark(), which then follow the computer and not the theme that the SDK sets.
      cssTarget: ["chrome123", "safari17.5"],
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rollupOptions: { input: pages.map((p) => join(root, p)) },
    },
  });
  for (const file of ["neutron.json", "icon.svg"]) if (existsSync(join(root, file))) cpSync(join(root, file), join(outDir, file));
  console.log(`built ${app}`);
}
