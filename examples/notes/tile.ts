import { callTool, onAppStateChange } from "@neutron/sdk";
import { textMax, titleMax, toggle, wordCount, type Match, type Note } from "./model";
import { el, renderText, when } from "./view";

const target = "app:notes:background";
const list = document.querySelector<HTMLUListElement>("#list")!;
const main = document.querySelector<HTMLElement>("#note")!;
const count = document.querySelector<HTMLElement>("#count")!;
const query = document.querySelector<HTMLInputElement>("#query")!;

interface Row {
  id: string;
  title: string;
  line: string;
  time: string;
}

let current: Note | undefined;
let editing = false;
let asked = 0;

const call = <T>(name: string, args: object = {}) => callTool({ target, name, arguments: args as Record<string, never> }) as Promise<T>;
const sentence = (e: unknown) => (e instanceof Error ? e.message : String(e));

/** Asks the background for what the list shows. A slower, older answer never replaces a newer one. */
async function refresh(): Promise<void> {
  const turn = ++asked;
  const words = query.value.trim();
  try {
    let rows: Row[];
    if (words) {
      const { matches } = await call<{ matches: Match[]; total: number }>("notes_search", { query: words, limit: 50 });
      rows = matches.map((m) => ({ id: m.id, title: m.title, line: m.excerpt, time: "" }));
    } else {
      const { notes } = await call<{ notes: { id: string; title: string; firstLine: string; editedAt: number }[] }>("notes_list");
      rows = notes.map((n) => ({ id: n.id, title: n.title, line: n.firstLine, time: when(n.editedAt) }));
    }
    if (turn !== asked) return;
    drawList(rows, words);
    if (!current && rows[0]) await open(rows[0].id);
  } catch (e) {
    if (turn === asked) count.textContent = sentence(e);
  }
}

function drawList(rows: Row[], words: string): void {
  list.replaceChildren(
    ...rows.map((r) => {
      const b = el("button", "row", el("span", "title cut", r.title), el("span", "time num", r.time), el("span", "line cut", r.line));
      b.type = "button";
      b.dataset["id"] = r.id;
      if (current?.id === r.id) b.setAttribute("aria-current", "true");
      b.addEventListener("click", () => void open(r.id));
      return el("li", "", b);
    }),
  );
  const n = `${rows.length} ${rows.length === 1 ? "note" : "notes"}`;
  count.textContent = words ? `${n} with “${words}”` : n;
}

async function open(id: string): Promise<void> {
  try {
    current = await call<Note>("notes_get", { id });
    editing = false;
    drawNote();
  } catch (e) {
    main.replaceChildren(el("p", "empty", el("b", "", "This note cannot be shown"), sentence(e)));
  }
  for (const b of list.querySelectorAll<HTMLElement>(".row")) {
    if (b.dataset["id"] === current?.id) b.setAttribute("aria-current", "true");
    else b.removeAttribute("aria-current");
  }
}

function drawNote(): void {
  const note = current;
  if (!note) return;
  const edit = el("button", "button", "Edit");
  edit.type = "button";
  edit.addEventListener("click", () => drawForm(note));
  const words = wordCount(note.text);
  main.replaceChildren(
    el(
      "article",
      "",
      el("div", "head", el("h1", "", note.title), edit),
      el("p", "meta num", `Edited ${when(note.editedAt)} · ${words} ${words === 1 ? "word" : "words"}`),
      ...renderText(note.text, (n) => void save(note, note.title, toggle(note.text, n))),
    ),
  );
}

/** The form for a note, or for a new one. */
function drawForm(note?: Note): void {
  editing = true;
  const title = el("input");
  Object.assign(title, { value: note?.title ?? "", placeholder: "Title", maxLength: titleMax });
  title.setAttribute("aria-label", "Title");
  const text = el("textarea");
  Object.assign(text, { value: note?.text ?? "", maxLength: textMax, placeholder: "## Heading, - list, - [ ] checkbox, **bold**" });
  text.setAttribute("aria-label", "Text");
  const done = el("button", "button primary", "Save");
  done.type = "button";
  const cancel = el("button", "button", "Cancel");
  cancel.type = "button";
  const error = el("span", "error");
  error.setAttribute("role", "alert");
  const form = el("div", "form", title, text, el("div", "actions", done, cancel, error));
  const leave = () => {
    editing = false;
    drawNote();
  };
  // No form: a sandboxed page gets no submit event.
  const store = () => {
    if (!title.value.trim()) {
      error.textContent = "A note needs a title.";
      title.focus();
      return;
    }
    void save(note, title.value.trim(), text.value).catch((reason) => (error.textContent = sentence(reason)));
  };
  cancel.addEventListener("click", leave);
  form.addEventListener("keydown", (e) => {
    if (e.key === "Escape") leave();
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) store();
  });
  done.addEventListener("click", store);
  main.replaceChildren(form);
  (note ? text : title).focus();
}

async function save(note: Note | undefined, title: string, text: string): Promise<void> {
  current = note
    ? await call<Note>("notes_update", { id: note.id, title, text, ifRevision: note.revision })
    : await call<Note>("notes_create", { title, text });
  editing = false;
  drawNote();
  await refresh();
}

// Another tile or app changed something. However often that is told, one look at a time and not more than two a second:
// an import changes much, and each look is a call in the owner's audit. What is being edited stays as it is.
let looking = false;
let again = false;
async function look(): Promise<void> {
  again = looking;
  if (looking) return;
  looking = true;
  do {
    again = false;
    await refresh();
    if (current && !editing) await open(current.id);
    await new Promise((done) => setTimeout(done, 500));
  } while (again);
  looking = false;
}
onAppStateChange("store", () => void look());

document.querySelector("#new")!.addEventListener("click", () => drawForm());
query.addEventListener("input", () => void refresh());
void refresh();
