// The courier's form is bounded before it is read: it needs no key.
import { describe, expect, test } from "bun:test";
import { readCourierForm } from "./form.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const multipart = "multipart/form-data; boundary=b";
const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

describe("the form of the courier's page", () => {
  test("is read as text and as parts", async () => {
    const fields = "do=delivered&delivery=dlv_1&lat=41.9&lon=-87.6";
    const asText = await readCourierForm({ contentType: "application/x-www-form-urlencoded", bytes: bytes(fields) });
    expect(asText).toMatchObject({ action: "delivered", delivery: "dlv_1", lat: 41.9, lon: -87.6 });
    const body = `${part("do", "delivered")}${part("delivery", "dlv_1")}--b--\r\n`;
    expect(await readCourierForm({ contentType: multipart, bytes: bytes(body) })).toMatchObject({
      action: "delivered",
      delivery: "dlv_1",
    });
  });

  test.each([
    ["3,000,000 empty fields", "application/x-www-form-urlencoded", "&a".repeat(3_000_000)],
    ["100,000 parts", multipart, part("a", "b").repeat(100_000)],
    ["2,000,000 boundaries", multipart, "\n--".repeat(2_000_000)],
  ])("of %s is refused", async (_, contentType, body) => {
    await expect(readCourierForm({ contentType, bytes: bytes(body) })).rejects.toThrow("more than a form");
  });
});
