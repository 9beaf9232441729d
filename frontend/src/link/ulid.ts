const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** ulid makes an id of 26 characters that sorts by its time: 48 bits of milliseconds, 80 random bits. */
export function ulid(now: number = Date.now()): string {
  let out = "";
  for (let time = now, i = 0; i < 10; i++) {
    out = (digits[time % 32] ?? "0") + out;
    time = Math.floor(time / 32);
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) out += digits[byte % 32] ?? "0";
  return out;
}
