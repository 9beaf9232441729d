const locale = "en-GB";
const clockFormat = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
const minuteFormat = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hour12: false });
const dayFormat = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric" });
const stampFormat = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hour12: false });

/** bytes writes a size for people: 58 bytes, 1.2 KiB, 4.0 MiB. */
export function bytes(n: number | bigint): string {
  const size = Number(n);
  if (size < 1024) return size === 1 ? "1 byte" : `${size} bytes`;
  const units = ["KiB", "MiB", "GiB"];
  let value = size;
  let unit = "";
  for (const next of units) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}

/** took writes a duration in microseconds: 0 ms, 12 ms, 8.1 s, 2:05. */
export function took(us: number | bigint): string {
  const ms = Number(us) / 1000;
  if (ms < 1) return Number(us) === 0 ? "0 ms" : "<1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return countdown(ms);
}

/** countdown writes milliseconds as m:ss, rounded up, never negative. */
export function countdown(ms: number): string {
  const s = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

/** shortHash keeps what a person compares: "9f2c 41e0". Longer writes the ends: "b41c 9f0e … 77d2". */
export function shortHash(hex: string, ends = false): string {
  if (hex.length < 12) return hex;
  const start = `${hex.slice(0, 4)} ${hex.slice(4, 8)}`;
  return ends ? `${start} … ${hex.slice(-4)}` : start;
}

/** keyWords writes a key as a person compares it: its first six bytes, "5A7C 19E2 0C44", or all of it. */
export function keyWords(hex: string, whole = false): string {
  const groups = hex.toUpperCase().match(/.{1,4}/g) ?? [];
  return (whole ? groups : groups.slice(0, 3)).join(" ");
}

/** clock writes the time of day with seconds. */
export const clock = (ms: number | bigint): string => clockFormat.format(Number(ms));
/** minute writes the time of day without seconds. */
export const minute = (ms: number | bigint): string => minuteFormat.format(Number(ms));
/** day writes a date. */
export const day = (ms: number | bigint): string => dayFormat.format(Number(ms));
/** stamp writes the time of day, and the date when it is not today. */
export function stamp(ms: number | bigint, now: number = Date.now()): string {
  const then = Number(ms);
  return new Date(then).toDateString() === new Date(now).toDateString() ? minute(then) : stampFormat.format(then);
}
