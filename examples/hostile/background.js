import { answerExecs, exec, knock, ready } from "./port.js";

// Holds the tools that a test's attack needs a target for. `hostile_hang` never answers; `hostile_push` pushes
// whatever descriptor it is given and says what the kernel answered.
const object = { type: "object" };
const tools = [
  { name: "hostile_echo", description: "Gives back its arguments.", inputSchema: object },
  { name: "hostile_hang", description: "Never answers.", inputSchema: object },
  { name: "hostile_push", description: "Pushes one more descriptor.", inputSchema: object },
];

answerExecs(async ({ id, payload }) => {
  const { name, arguments: args } = payload.payload ?? {};
  if (payload.action !== "tool.run") return { type: "response", id, error: { name: "Error", message: "no", code: "NOT_SUPPORTED" } };
  if (name === "hostile_hang") return undefined;
  if (name === "hostile_push") {
    const pushed = await exec("tools.push", { tools: [...tools, args.descriptor] });
    return { type: "response", id, ok: { pushed: pushed ?? null } };
  }
  return { type: "response", id, ok: { arguments: args, caller: payload.payload.caller } };
});

knock();
await ready;
await exec("tools.push", { tools });
