import { createMsgBusClient, exposeTool } from "@neutron/sdk";
import { firstLine, search, textMax, titleMax, type Note } from "./model";
import { seeds } from "./seed";

// The background owns the notes: every tile of Notes, and every app that was allowed to, goes through these tools.
// They live in its memory, so they last as long as the page does.

const start = Date.now();
const notes: Note[] = seeds.map((s, i) => ({
  id: `n${i + 1}`,
  title: s.title,
  text: s.text,
  editedAt: start - s.age * 3_600_000,
  revision: 1,
}));
let next = notes.length + 1;
const bus = createMsgBusClient();

const id = { type: "string", maxLength: 40 };
const title = { type: "string", minLength: 1, maxLength: titleMax };
const text = { type: "string", maxLength: textMax };
const closed = (properties: object, required: string[] = []) => ({ type: "object", properties, required, additionalProperties: false });
const noteSchema = closed({ id, title, text, editedAt: { type: "number" }, revision: { type: "integer" } }, ["id", "title", "text", "editedAt", "revision"]);
const rowSchema = closed({ id, title, firstLine: { type: "string" }, editedAt: { type: "number" } }, ["id", "title", "firstLine", "editedAt"]);
const matchSchema = closed({ id, title, excerpt: { type: "string" } }, ["id", "title", "excerpt"]);

function find(wanted: string): Note {
  const note = notes.find((n) => n.id === wanted);
  if (!note) throw new Error("There is no such note.");
  return note;
}

function add(noteTitle: string, noteText: string): Note {
  const note: Note = { id: `n${next++}`, title: noteTitle, text: noteText, editedAt: Date.now(), revision: 1 };
  notes.unshift(note);
  return note;
}

/** Tells the open tiles that something changed. A tile that is gone meanwhile has nothing to miss. */
async function tellTiles(): Promise<void> {
  const endpoints = await bus.listEndpoints();
  const tiles = endpoints.filter((e) => e.id.startsWith("app:notes:tile:"));
  await Promise.allSettled(tiles.map((t) => bus.callTool({ target: t.id, name: "notes_changed", arguments: {} })));
}
const changed = () => void tellTiles().catch(() => undefined);

exposeTool(
  "notes_list",
  {
    title: "List notes",
    description: "Titles and first lines of all notes, last edited first.",
    inputSchema: closed({}),
    outputSchema: closed({ notes: { type: "array", items: rowSchema } }, ["notes"]),
  },
  () => ({
    notes: [...notes]
      .sort((a, b) => b.editedAt - a.editedAt)
      .map((n) => ({ id: n.id, title: n.title, firstLine: firstLine(n.text), editedAt: n.editedAt })),
  }),
);

exposeTool(
  "notes_get",
  {
    title: "Read a note",
    description: "One note with its whole text.",
    inputSchema: closed({ id }, ["id"]),
    outputSchema: noteSchema,
  },
  (args: { id: string }) => ({ ...find(args.id) }),
);

exposeTool(
  "notes_search",
  {
    title: "Search notes",
    description: "Notes that hold all words of the query, with one line of each.",
    inputSchema: closed({ query: { type: "string", minLength: 1, maxLength: 200 }, limit: { type: "integer", minimum: 1, maximum: 50 } }, ["query"]),
    outputSchema: closed({ matches: { type: "array", items: matchSchema }, total: { type: "integer" } }, ["matches", "total"]),
  },
  (args: { query: string; limit?: number }) => search(notes, args.query, args.limit ?? 20),
);

exposeTool(
  "notes_create",
  {
    title: "Create a note",
    description: "A new note. Lines may start with ## for a heading, - for a list, - [ ] for a checkbox.",
    inputSchema: closed({ title, text }, ["title", "text"]),
    outputSchema: noteSchema,
  },
  (args: { title: string; text: string }) => {
    const note = add(args.title, args.text);
    changed();
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
  (args: { id: string; title: string; text: string; ifRevision: number }) => {
    const note = find(args.id);
    if (note.revision !== args.ifRevision) throw new Error("The note was changed meanwhile.");
    Object.assign(note, { title: args.title, text: args.text, editedAt: Date.now(), revision: note.revision + 1 });
    changed();
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
    let imported = 0;
    for (const n of args.notes) {
      if (context.signal.aborted) break;
      add(n.title, n.text);
      imported += 1;
      context.reportProgress({ phase: "importing", completed: imported, total: args.notes.length });
      // One note a task: a long import must not keep the page from answering others, or from hearing a cancel.
      await new Promise((done) => setTimeout(done, 0));
    }
    changed();
    return { imported };
  },
);
