// Writes dist/neutron-sdk.d.ts, so that the one-file build and its types stand side by side.
import { writeFileSync } from "node:fs";

writeFileSync(new URL("dist/neutron-sdk.d.ts", import.meta.url), 'export * from "./types/sdk/src/index.js";\n');
