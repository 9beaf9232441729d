import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Tests run in node. A file that needs a document says `// @vitest-environment jsdom` in its first line.
export default defineConfig({
  plugins: [react()],
  test: {
    environment: "node",
    include: ["*.test.ts", "src/**/*.test.{ts,tsx}", "sdk/**/*.test.ts"],
    exclude: ["node_modules/**", "dist/**", "e2e/**"],
    testTimeout: 10_000,
    // A suite that was filtered down to nothing is a mistake, not a pass.
    passWithNoTests: false,
  },
});
