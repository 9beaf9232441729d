// Builds the gallery, serves it on loopback and starts Chromium. GALLERY_BUILT=1 takes the last build.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const built = here("../../../build/out/gallery");
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2", ".svg": "image/svg+xml" };

export async function openGallery() {
  if (!process.env.GALLERY_BUILT) await build({ configFile: here("vite.config.ts") });
  const server = createServer(async (req, res) => {
    const path = normalize(join(built, decodeURIComponent(new URL(req.url, "http://x").pathname)));
    const found = path.startsWith(built) && (await stat(path).catch(() => null));
    if (!found || !found.isFile()) return void res.writeHead(404).end();
    res.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" });
    createReadStream(path).pipe(res);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  return {
    base: `http://127.0.0.1:${server.address().port}/gallery.html`,
    browser,
    async close() {
      await browser.close();
      server.close();
    },
  };
}
