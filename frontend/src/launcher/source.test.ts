import { describe, expect, test } from "vitest";
import { sourceOf } from "./source";

describe("what is typed into the launcher", () => {
  test("an https address is one, with the host as it is asked", () => {
    expect(sourceOf("  HTTPS://Apps.Example/x.neutron ")).toEqual({ is: "address", url: "https://apps.example/x.neutron", host: "apps.example" });
    expect(sourceOf("https://аpple.example/x")).toMatchObject({ host: "xn--pple-43d.example" });
    expect(sourceOf("https://good.example@evil.example/")).toMatchObject({ host: "evil.example" });
  });

  test("http is an address that is not fetched", () => {
    expect(sourceOf("http://a.example/x")).toEqual({ is: "insecure" });
  });

  test("a whole path is a folder", () => {
    expect(sourceOf("/home/a/app")).toEqual({ is: "folder", path: "/home/a/app" });
  });

  test.each(["", "notes", "https://", "https:", "/", "//host/x", "ftp://a/b", "https://[", "see https://a.example"])("%j is neither", (text) => {
    expect(sourceOf(text)).toBeNull();
  });
});
