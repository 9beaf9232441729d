import "./link/boot";
import "./design/index.css";
import { createRoot } from "react-dom/client";
import { createBroker } from "./broker/broker";
import { connectLink } from "./link/link";
import { App } from "./shell/app";
import { createModel } from "./shell/model";

// The order matters: the boot module above takes the one-time secret out of the address before anything else runs.
const root = document.getElementById("root");
const layer = document.getElementById("frames");
if (root === null || layer === null) throw new Error("the page has no place for the shell");

const link = connectLink();
const model = createModel(link, createBroker(link, layer));
createRoot(root).render(<App model={model} />);
