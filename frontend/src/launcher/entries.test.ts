import { describe, expect, test } from "vitest";
import { search, type Entry } from "./entries";

const entry = (group: string, label: string, sub = ""): Entry => ({ id: `${group}/${label}`, group, label, sub, right: "", app: "", run: () => undefined });
const all = [entry("tiles", "December shipment", "notes"), entry("apps", "Notes"), entry("apps", "Café Brücke"), entry("commands", "Show the audit"), entry("commands", "Audit nothing")];
const labels = (text: string): string[] => search(all, text).map((m) => m.entry.label);

describe("the launcher", () => {
  test("nothing typed shows everything, unmarked", () => {
    expect(labels("  ")).toHaveLength(all.length);
    expect(search(all, "").every((m) => m.inLabel < 0)).toBe(true);
  });

  test("groups keep their order; in a group the start of a label comes first", () => {
    expect(labels("not")).toEqual(["December shipment", "Notes", "Audit nothing"]);
    expect(labels("audit")).toEqual(["Audit nothing", "Show the audit"]);
  });

  test("the match is marked where it stands", () => {
    expect(search(all, "SHIP")[0]).toMatchObject({ inLabel: 9, inSub: -1 });
    expect(search(all, "notes")[0]).toMatchObject({ inLabel: -1, inSub: 0 });
  });

  test("accents and case do not matter", () => {
    expect(labels("cafe bru")).toEqual(["Café Brücke"]);
  });

  test("nothing found is nothing", () => {
    expect(labels("zebra")).toEqual([]);
  });
});
