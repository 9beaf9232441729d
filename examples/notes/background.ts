import { exposeTool } from "@neutron/sdk";
import { notes, noteOf, putNotes, ready } from "./keep";
import { firstLine, search, textMax, titleMax, type Note } from "./model";

// The background owns the notes: every tile of Notes, and every app that was allowed to, goes through these tools.
// What a tool answered is kept: it is on the disk before the answer, and Neutron tells the tiles.

const id = { type: "string", maxLength: 40 };
const title = { type: "string", minLength: 1, maxLength: titleMax };
const text = { type: "string", maxLength: textMax };
const closed = (properties: object, required: string[] = []) => ({ type: "object", properties, required, additionalProperties: false });
const noteSchema = closed({ id, title, text, editedAt: { type: "number" }, revision: { type: "integer" } }, ["id", "title", "text", "editedAt", "revision"]);
const rowSchema = closed({ id, title, firstLine: { type: "string" }, editedAt: { type: "number" } }, ["id", "title", "firstLine", "editedAt"]);
const matchSchema = closed({ id, title, excerpt: { type: "string" } }, ["id", "title", "excerpt"]);

function find(wanted: string): Note {
  const note = noteOf(wanted);
  if (!note) throw new Error("There is no such note.");
  return note;
}

const randomId = () => Array.from(crypto.getRandomValues(new Uint8Array(10)), (b) => b.toString(16).padStart(2, "0")).join("");
const fresh = (noteTitle: string, noteText: string): Note => ({ id: randomId(), title: noteTitle, text: noteText, editedAt: Date.now(), revision: 1 });

exposeTool(
  "notes_list",
  {
    title: "List notes",
    description: "Titles and first lines of all notes, last edited first.",
    inputSchema: closed({}),
    outputSchema: closed({ notes: { type: "array", items: rowSchema } }, ["notes"]),
  },
  async () => {
    await ready();
    const rows = notes().map((n) => ({ id: n.id, title: n.title, firstLine: firstLine(n.text), editedAt: n.editedAt }));
    return { notes: rows.sort((a, b) => b.editedAt - a.editedAt) };
  },
);

exposeTool(
  "notes_get",
  {
    title: "Read a note",
    description: "One note with its whole text.",
    inputSchema: closed({ id }, ["id"]),
    outputSchema: noteSchema,
  },
  async (args: { id: string }) => {
    await ready();
    return { ...find(args.id) };
  },
);

exposeTool(
  "notes_search",
  {
    title: "Search notes",
    description: "Notes that hold all words of the query, with one line of each.",
    inputSchema: closed({ query: { type: "string", minLength: 1, maxLength: 200 }, limit: { type: "integer", minimum: 1, maximum: 50 } }, ["query"]),
    outputSchema: closed({ matches: { type: "array", items: matchSchema }, total: { type: "integer" } }, ["matches", "total"]),
  },
  async (args: { query: string; limit?: number }) => {
    await ready();
    return search(notes(), args.query, args.limit ?? 20);
  },
);

exposeTool(
  "notes_create",
  {
    title: "Create a note",
    description: "A new note. Lines may start with ## for a heading, - for a list, - [ ] for a checkbox.",
    inputSchema: closed({ title, text }, ["title", "text"]),
    outputSchema: noteSchema,
  },
  async (args: { title: string; text: string }) => {
    await ready();
    const note = fresh(args.title, args.text);
    await putNotes([note]);
    return { ...note };
  },
);

exposeTool(
  "notes_update",
  {
    title: "Change a note",
    description: "Replaces title and text. Fails when the note was changed since the given revision.",
    inputSchema: closed({ id, title, text, ifRevision: { type: "integer" } }, ["id", "title", "text", "ifRevision"]),
    outputSchema: noteSchema,
  },
  async (args: { id: string; title: string; text: string; ifRevision: number }) => {
    await ready();
    const old = find(args.id);
    if (old.revision !== args.ifRevision) throw new Error("The note was changed meanwhile.");
    const note = { ...old, title: args.title, text: args.text, editedAt: Date.now(), revision: old.revision + 1 };
    await putNotes([note]);
    return { ...note };
  },
);

exposeTool(
  "notes_import",
  {
    title: "Import notes",
    description: "Adds up to 200 notes and reports each one. Stops where it is when the caller cancels.",
    inputSchema: closed({ notes: { type: "array", minItems: 1, maxItems: 200, items: closed({ title, text }, ["title", "text"]) } }, ["notes"]),
    outputSchema: closed({ imported: { type: "integer" } }, ["imported"]),
  },
  async (args: { notes: { title: string; text: string }[] }, context) => {
    await ready();
    let imported = 0;
    for (const n of args.notes) {
      if (context.signal.aborted) break;
      await putNotes([fresh(n.title, n.text)]);
      imported += 1;
      context.reportProgress({ phase: "importing", completed: imported, total: args.notes.length });
    }
    return { imported };
  },
);
