// Refuses a request that does not say exactly what to judge.
import { type Fault, invalidFields } from "../../../contract/errors.ts";
import type { Item } from "../background/judge.ts";

/** Exactly one thing to judge, at the top or in each item. */
export function refuseAmbiguous(body: Item & { items?: Item[] }): void {
  const faults = body.items ? faultsOfItems(body, body.items) : faultsOf(body, "");
  if (faults.length > 0) throw invalidFields(faults);
}

function faultsOfItems(body: Item, items: Item[]): Fault[] {
  if (countGiven(body) > 0) return [oneOf("/items", "Send items or a single thing, not both.", "Move it into items.")];
  return items.flatMap((item, i) => faultsOf(item, `/items/${i}`));
}

function faultsOf(item: Item, pointer: string): Fault[] {
  if (countGiven(item) !== 1)
    return [oneOf(pointer, "Exactly one of content, url, media and file is needed.", 'Send e.g. {"content":"…"}.')];
  if (item.type === "image" && item.content !== undefined)
    return [oneOf(`${pointer}/type`, "content is text, not an image.", "Send an image as media.")];
  if (item.type === "text" && item.media !== undefined)
    return [oneOf(`${pointer}/type`, "media is an image, not text.", "Send a text as content.")];
  if (item.type === "image" && item.file !== undefined)
    return [oneOf(`${pointer}/type`, "file is a document, not an image.", "Send an image as media.")];
  return [];
}

function countGiven(item: Item): number {
  return [item.content, item.url, item.media, item.file].filter((x) => x !== undefined).length;
}

function oneOf(pointer: string, detail: string, hint: string): Fault {
  return { pointer, code: "one_of", detail, hint };
}
