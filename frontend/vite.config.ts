import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Two builds: `vite build` makes the shell that Go embeds (dist/), and
// `vite build --mode sdk` makes the one file that app authors import (sdk/dist/).
export default defineConfig(({ mode }) =>
  mode === "sdk"
    ? {
        publicDir: false,
        build: {
          outDir: "sdk/dist",
          emptyOutDir: true,
          target: "es2022",
          lib: { entry: "sdk/src/index.ts", formats: ["es"], fileName: () => "neutron-sdk.js" },
        },
      }
    : {
        plugins: [react(), tailwindcss()],
        build: {
          outDir: "dist",
          emptyOutDir: true,
          target: "es2022",
          // The shell's policy has no data: for fonts and styles, so nothing is inlined.
          assetsInlineLimit: 0,
          modulePreload: { polyfill: false },
        },
      },
);
