// The background: a hidden page that runs while Neutron does. What it exposes,
// this app's tiles may call at once, and other apps once the owner allows it.
import { exposeTool } from "./sdk.js";

const lines = [];

exposeTool(
  "add",
  {
    title: "Add a line",
    description: "Adds a line to the end of the list.",
    inputSchema: {
      type: "object",
      required: ["line"],
      properties: { line: { type: "string", minLength: 1, maxLength: 500 } },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      required: ["count"],
      properties: { count: { type: "integer" } },
      additionalProperties: false,
    },
  },
  ({ line }) => ({ count: lines.push(line) }),
);

exposeTool(
  "list",
  {
    title: "List the lines",
    description: "Gives every line, the oldest first.",
    inputSchema: { type: "object", additionalProperties: false },
    outputSchema: {
      type: "object",
      required: ["lines"],
      properties: { lines: { type: "array", items: { type: "string" } } },
      additionalProperties: false,
    },
  },
  () => ({ lines }),
);
