// What every measurement sends: a list such as a real tool takes, of about so many bytes as JSON.

export const schema = {
  type: "object",
  required: ["items"],
  additionalProperties: false,
  properties: {
    items: {
      type: "array",
      maxItems: 4000,
      items: {
        type: "object",
        required: ["id", "title"],
        additionalProperties: false,
        properties: {
          id: { type: "string", pattern: "^[a-z]{2}-[0-9]{1,8}$" },
          title: { type: "string", maxLength: 200 },
          body: { type: "string" },
          done: { type: "boolean" },
          weight: { type: "number" },
        },
      },
    },
  },
};

export function payload(bytes) {
  const items = [];
  for (let length = 12, i = 0; ; i++) {
    const item = { id: `nt-${i}`, title: `Roadmap item ${i}`, body: "What is left to do before the next shipment leaves", done: i % 2 === 0, weight: i + 0.5 };
    length += JSON.stringify(item).length + 1;
    if (length > bytes && items.length > 0) return { items };
    items.push(item);
  }
}

/**
 * The typical time of one call in microseconds: the median over groups of eight calls in a row, for about `ms`. An engine's clock may
 * be coarse, so a group is timed as one; the median leaves out what happens now and then (a collection, another program's turn).
 */
export async function batch(call, ms) {
  const end = performance.now() + ms;
  const groups = [];
  while (performance.now() < end || groups.length < 5) {
    const start = performance.now();
    for (let i = 0; i < 8; i++) await call();
    groups.push((1000 * (performance.now() - start)) / 8);
  }
  groups.sort((a, b) => a - b);
  return groups[groups.length >> 1];
}
