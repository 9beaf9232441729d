import "../../src/design/index.css";
import "./gallery.css";
import { createRoot } from "react-dom/client";
import { App } from "../../src/shell/app";
import type { FixtureBroker, FixtureLink } from "../../src/shell/fixtureLink";
import { screens } from "../../src/shell/screens";

// Shows one screen of the registry, named by the hash: #question. Never part of the release.
declare global {
  interface Window {
    gallery: readonly { readonly id: string; readonly steps: readonly unknown[] }[];
    refused: string[];
    fixture: { readonly link: FixtureLink; readonly broker: FixtureBroker };
  }
}

window.gallery = screens.map(({ id, steps }) => ({ id, steps }));
window.refused = [];
document.addEventListener("securitypolicyviolation", (e) => window.refused.push(`${e.violatedDirective}: ${e.blockedURI} ${e.sample}`));

const root = document.getElementById("root");
const layer = document.getElementById("frames");
if (root === null || layer === null) throw new Error("the gallery page is broken");
const wanted = location.hash.slice(1);
const screen = screens.find((s) => s.id === wanted);
if (screen) {
  if (screen.rtl) document.documentElement.dir = "rtl";
  const model = screen.load(layer);
  window.fixture = { link: model.link as FixtureLink, broker: model.broker as FixtureBroker };
  createRoot(root).render(<App model={model} />);
} else root.textContent = wanted === "" ? "" : `There is no screen ${wanted}.`;
