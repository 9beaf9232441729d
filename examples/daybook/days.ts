/** The roastery's days. Day 0 is today, 1 is yesterday. */
export interface Entry {
  time: string;
  what: string;
  more?: string;
}

export const days: Entry[][] = [
  [
    { time: "07:40", what: "Roast 1, Sidama, 12 kg", more: "Drop 9:52 at 204 °C. Even colour, slow start." },
    { time: "08:35", what: "Roast 2, Sidama, 12 kg", more: "Drop 9:41 at 205 °C." },
    { time: "10:05", what: "Cupped lot 44 with Mira", more: "86.5. Jasmine, lemon peel. Take all nine bags." },
    { time: "11:20", what: "Café Brücke wants 16 kg from January" },
  ],
  [
    { time: "08:10", what: "Roast 1, house, 15 kg", more: "Drop 10:38 at 211 °C." },
    { time: "09:20", what: "Roast 2, house, 15 kg", more: "Drop 10:41 at 211 °C. Damper at 80 % too late." },
    { time: "13:30", what: "Forwarder confirmed two pallets", more: "Heights 118 and 121 cm." },
    { time: "16:00", what: "Belt tightened, 6 mm of play" },
  ],
  [
    { time: "07:55", what: "Roast 1, decaf, 8 kg", more: "Second crack 20 s early again." },
    { time: "11:00", what: "Huila offers 4 % for three bags" },
    { time: "15:15", what: "Labels: 42 left on the roll" },
  ],
  [
    { time: "08:00", what: "Roast 1, Sidama, 12 kg", more: "Drop 9:48 at 204 °C." },
    { time: "09:00", what: "Roast 2, Yirgacheffe, 10 kg", more: "First crack 8:06." },
    { time: "12:10", what: "Jonas: side gate from ten on Thursday" },
    { time: "17:20", what: "Hygrometer in the back: 58 %" },
  ],
  [
    { time: "08:20", what: "Roast 1, filter, 12 kg", more: "RoR flat after 7:30." },
    { time: "14:00", what: "Tasting set for Saturday the 12th", more: "Twelve seats at 11 and at 15." },
  ],
];

/** The kilos a day's roasts add up to. */
export function kilos(entries: readonly Entry[]): number {
  return entries.reduce((sum, e) => sum + (/^Roast/.test(e.what) ? Number(/(\d+) kg/.exec(e.what)?.[1] ?? 0) : 0), 0);
}

export function dateOf(day: number, now = new Date()): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - day);
}

export function heading(day: number, now = new Date()): string {
  const d = dateOf(day, now);
  return `${d.toLocaleDateString("en-GB", { weekday: "long" })}, ${d.toLocaleDateString("en-GB", { day: "numeric", month: "long" })}`;
}

/** Every entry of every day as a note, the oldest first, so that the newest ends on top. */
export function asNotes(now = new Date()): { title: string; text: string }[] {
  return days
    .flatMap((entries, day) =>
      entries.toReversed().map((e) => ({
        title: `${e.what}, ${dateOf(day, now).toLocaleDateString("en-GB", { day: "numeric", month: "long" })}`.slice(0, 120),
        text: `${e.time}${e.more ? `. ${e.more}` : ""}`,
      })),
    )
    .reverse();
}
