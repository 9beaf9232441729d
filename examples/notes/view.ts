/** Draws a note. Text becomes nodes, never markup. */

type Child = Node | string;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, className = "", ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...children);
  return e;
}

/** The text's **bold** parts as elements. */
function inline(text: string): Child[] {
  return text.split(/\*\*(.+?)\*\*/g).map((part, i) => (i % 2 === 1 ? el("b", "", part) : part));
}

/** The note's text as headings, paragraphs, lists and checkboxes; `onToggle` gets the checkbox's number. */
export function renderText(text: string, onToggle: (n: number) => void): Node[] {
  const out: Node[] = [];
  let list: HTMLUListElement | undefined;
  let boxes = 0;
  const item = (node: HTMLLIElement) => {
    if (!list) out.push((list = el("ul")));
    list.append(node);
  };
  for (const line of text.split("\n")) {
    const heading = /^#+\s+(.*)/.exec(line);
    const todo = /^\s*-\s+\[([ x])\]\s+(.*)/.exec(line);
    const dot = /^\s*-\s+(.*)/.exec(line);
    if (todo) {
      const box = el("input");
      const n = boxes++;
      box.type = "checkbox";
      box.checked = todo[1] === "x";
      box.addEventListener("change", () => onToggle(n));
      item(el("li", "todo", el("label", "", box, el("span", "", ...inline(todo[2] ?? "")))));
      continue;
    }
    if (dot) {
      item(el("li", "dot", ...inline(dot[1] ?? "")));
      continue;
    }
    list = undefined;
    if (heading) out.push(el("h2", "", heading[1] ?? ""));
    else if (line.trim()) out.push(el("p", "", ...inline(line)));
  }
  return out;
}

/** Today's time, this week's day, or the date. */
export function when(at: number, now = Date.now()): string {
  const d = new Date(at);
  const days = (now - at) / 86_400_000;
  if (d.toDateString() === new Date(now).toDateString()) return d.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (days < 6) return d.toLocaleDateString("en-GB", { weekday: "short" });
  return d.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}
