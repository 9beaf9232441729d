import { callTool } from "@neutron/sdk";
import { batch, payload } from "./payload.js";

const echo = (args) => callTool({ target: "app:bench:background", name: "bench_echo", arguments: args });

/** Microseconds of one routed call with a payload of that size. */
globalThis.bench = async (bytes, ms) => {
  const args = payload(bytes);
  return batch(() => echo(args), ms);
};
globalThis.ready = echo(payload(64)).then(() => true);
