// A mistyped or shortened word finds the one that was meant, and no other.
import { expect, test } from "bun:test";
import { nearest } from "./nearest.ts";

test("letters swapped, missing or changed", () => {
  expect(nearest("delivred", ["delivered", "canceled"])).toBe("delivered");
  expect(nearest("DATA_DRI", ["DATA_DIR", "PORT"])).toBe("DATA_DIR");
  expect(nearest("zebra", ["delivered", "canceled"])).toBeNull();
});

test("the beginning of a word, where only one begins so", () => {
  expect(nearest("DATA", ["DATA_DIR", "PORT"])).toBe("DATA_DIR");
  expect(nearest("retention", ["RETENTION_EVENTS_DAYS", "RETENTION_AUDIT_DAYS"])).toBeNull();
  expect(nearest("pi", ["pickup"])).toBeNull();
});
