import { callTool } from "@neutron/sdk";
import { asNotes, days, heading, kilos } from "./days";

const target = "app:notes:background";
const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const answer = byId("answer");
const status = byId("status");
const query = byId<HTMLInputElement>("query");
const go = byId<HTMLButtonElement>("go");
const copy = byId<HTMLButtonElement>("copy");
const earlier = byId<HTMLButtonElement>("earlier");
const later = byId<HTMLButtonElement>("later");

interface Match {
  id: string;
  title: string;
  excerpt: string;
}

let day = 0;
let running: AbortController | undefined;

function el<K extends keyof HTMLElementTagNameMap>(tag: K, className = "", ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...children);
  return e;
}

function drawDay(): void {
  const entries = days[day] ?? [];
  const roasted = kilos(entries);
  byId("date").textContent = heading(day);
  byId("sum").textContent = `${entries.length} entries${roasted ? ` · ${roasted} kg roasted` : ""}`;
  byId("entries").replaceChildren(
    ...entries.map((e) => el("li", "", el("time", "", e.time), el("div", "", e.what, ...(e.more ? [el("small", "", e.more)] : [])))),
  );
  earlier.disabled = day === days.length - 1;
  later.disabled = day === 0;
}

/** The text with every word of the query marked. */
function marked(text: string, words: string): (Node | string)[] {
  const escaped = words.trim().split(/\s+/).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return text.split(new RegExp(`(${escaped.join("\\s+")}|${escaped.join("|")})`, "gi")).map((part, i) => (i % 2 === 1 ? el("mark", "", part) : part));
}

function card(title: string, detail: string, n: string, ...body: Node[]): void {
  answer.replaceChildren(el("div", "card", el("header", "", el("b", "", title), el("span", "dim cut", detail), el("span", "n num", n)), ...body));
}

/** What happened, what was kept, what to do; the code beside it. */
function failure(e: unknown): void {
  const code = (e as { code?: string }).code ?? "";
  const wait = (e as { retryAfterMs?: number }).retryAfterMs;
  const advice: Record<string, string> = {
    DENIED: "You refused. Nothing was read and nothing was changed.",
    APP_PAUSED: `Daybook may not ask again yet${wait ? ` (${Math.ceil(wait / 1000)} s)` : ""}.`,
    REQUEST_EXPIRED: "The question was not answered in time. Ask again when it suits you.",
    ENDPOINT_GONE: "Notes is not running. Install it, or open it again.",
    APP_UNKNOWN: "Notes is not installed.",
    CANCELLED: "Stopped. What was copied until then stays in Notes.",
  };
  const text = advice[code] ?? (e instanceof Error ? e.message : String(e));
  card("No answer", "", "", el("p", "", text, " ", el("code", "", code)));
  status.textContent = text;
}

const now = () => new Date().toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

async function ask(words: string): Promise<void> {
  go.disabled = true;
  status.textContent = "Asking Notes";
  card("From Notes", `“${words}”`, "", el("p", "", "Waiting for Notes, or for your answer."));
  try {
    const { matches, total } = (await callTool({ target, name: "notes_search", arguments: { query: words, limit: 6 } }, { timeout: 120 })) as {
      matches: Match[];
      total: number;
    };
    const rows = matches.map((m) => el("li", "", el("b", "", ...marked(m.title, words)), el("span", "dim", ...marked(m.excerpt, words))));
    card("From Notes", `“${words}”`, String(total), rows.length ? el("ul", "", ...rows) : el("p", "", "No note says anything about it."));
    status.textContent = `Searched Notes at ${now()}`;
  } catch (e) {
    failure(e);
  } finally {
    go.disabled = false;
  }
}

/** Copies every entry, shows how far it is, and stops on wish. */
async function copyAll(): Promise<void> {
  const notes = asNotes();
  running = new AbortController();
  copy.disabled = true;
  const fill = el("i");
  const stop = el("button", "button", "Stop");
  const line = el("p", "num", "Waiting for Notes, or for your answer.");
  stop.type = "button";
  stop.addEventListener("click", () => running?.abort());
  card("To Notes", `${notes.length} entries`, "", line, el("div", "bar", fill), el("footer", "", stop));
  try {
    const { imported } = (await callTool(
      { target, name: "notes_import", arguments: { notes } },
      {
        timeout: 120,
        signal: running.signal,
        onProgress(value) {
          const { completed, total } = value as { completed: number; total: number };
          line.textContent = `${completed} of ${total} copied`;
          fill.style.width = `${(100 * completed) / total}%`;
        },
      },
    )) as { imported: number };
    card("To Notes", "done", String(imported), el("p", "num", `${imported} entries are in Notes now.`));
    status.textContent = `Copied to Notes at ${now()}`;
  } catch (e) {
    failure(e);
  } finally {
    copy.disabled = false;
    running = undefined;
  }
}

earlier.addEventListener("click", () => {
  day += 1;
  drawDay();
});
later.addEventListener("click", () => {
  day -= 1;
  drawDay();
});
// No form: a sandboxed page gets no submit event.
const askNow = () => {
  const words = query.value.trim();
  if (words) void ask(words);
};
go.addEventListener("click", askNow);
query.addEventListener("keydown", (e) => {
  if (e.key === "Enter") askNow();
});
copy.addEventListener("click", () => void copyAll());
drawDay();
