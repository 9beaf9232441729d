import { exposeTool } from "@neutron/sdk";
import { schema } from "./payload.js";

exposeTool("bench_echo", { title: "Echo", description: "Gives back its arguments.", inputSchema: schema, outputSchema: schema }, (args) => args);
