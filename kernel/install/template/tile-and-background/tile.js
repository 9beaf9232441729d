// The tile: a page that the owner opens. It keeps nothing; the background does.
import { callTool } from "./sdk.js";

const background = "app:{{id}}:background";
const byId = (id) => document.getElementById(id);
const text = byId("text");

async function call(name, args) {
  byId("error").textContent = "";
  try {
    return await callTool({ target: background, name, arguments: args });
  } catch (error) {
    // Every failure has a code; the message is for a person.
    byId("error").textContent = `${error.message} (${error.code})`;
    return undefined;
  }
}

async function show() {
  const result = await call("list", {});
  if (result === undefined) return;
  byId("empty").hidden = result.lines.length > 0;
  byId("list").replaceChildren(
    ...result.lines.map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      return item;
    }),
  );
}

async function add() {
  const line = text.value.trim();
  if (line === "") return;
  if ((await call("add", { line })) === undefined) return;
  text.value = "";
  await show();
}

// A frame submits no form, and Chromium sends no submit event: handle the click and Enter.
byId("add").addEventListener("click", add);
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter") add();
});
show();
