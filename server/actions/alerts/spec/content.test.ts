// An event as content: what a reader of the alert sees.
import { expect, test } from "bun:test";
import { contentFromEvent } from "./content.ts";

const contentOf = (type: string, data: unknown) =>
  contentFromEvent({ id: "evt_1", type, tags: ["ZZCO"], data, atMs: Date.parse("2026-11-16T15:00:00Z") });

test("an event that brings its own sentence is shown by it, once", () => {
  const title = "ZZCO rose to 300.10 USD, above your level of 300.00.";
  const content = contentOf("stock.level_crossed", { title, direction: "up", level: { symbol: "ZZCO" } });
  expect(content.title).toBe(title);
  expect(content.summary).toBe("direction up, symbol ZZCO");
  expect(content.text).toContain("rose to 300.10 USD");
});

test("any other event is shown by its type and the name of what it is about", () => {
  expect(contentOf("shopping.price_changed", { product: { name: "Kettle" } }).title).toBe(
    "shopping.price_changed: Kettle",
  );
  expect(contentOf("delivery.delivered", { status: "delivered" }).title).toBe("delivery.delivered");
});
