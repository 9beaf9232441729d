import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));

// Builds the gallery as the release is built, so that what the release's policy refuses is refused here too.
// eslint-disable-next-line import/no-default-export -- Vite reads the default export.
export default defineConfig({
  root,
  logLevel: "warn",
  publicDir: false,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: fileURLToPath(new URL("../../../build/out/gallery", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rollupOptions: { input: fileURLToPath(new URL("../../gallery.html", import.meta.url)) },
  },
});
