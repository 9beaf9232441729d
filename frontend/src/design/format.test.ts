import { expect, test } from "vitest";
import { bytes, countdown, shortHash, took } from "./format";

test("sizes", () => {
  expect([0, 1, 58, 1023, 1024, 1536, 70 * 1024, 5 * 1024 * 1024].map((n) => bytes(n))).toEqual(["0 bytes", "1 byte", "58 bytes", "1023 bytes", "1.0 KiB", "1.5 KiB", "70 KiB", "5.0 MiB"]);
  expect(bytes(1_258_291n)).toBe("1.2 MiB");
});

test("durations", () => {
  expect([0, 400, 9_000, 402_000, 8_100_000, 125_000_000].map((n) => took(n))).toEqual(["0 ms", "<1 ms", "9 ms", "402 ms", "8.1 s", "2:05"]);
});

test("a countdown rounds up and stops at zero", () => {
  expect([60_000, 59_001, 59_000, 1, 0, -5].map(countdown)).toEqual(["1:00", "1:00", "0:59", "0:01", "0:00", "0:00"]);
});

test("hashes", () => {
  expect(shortHash("9f2c41e0b7d85a33")).toBe("9f2c 41e0");
  expect(shortHash("b41c9f0e000077d2", true)).toBe("b41c 9f0e … 77d2");
  expect(shortHash("abc")).toBe("abc");
});
