// Refuses a request whose type contradicts what it holds. That exactly one thing is given, its schema says.
import { type Fault, invalidFields } from "../../../contract/errors.ts";
import type { Item } from "../background/judge.ts";

/** The type of the one thing to judge, at the top or in each item, fits the thing. */
export function refuseContradiction(body: Item & { items?: Item[] }): void {
  const faults = body.items ? body.items.flatMap((item, i) => faultsOf(item, `/items/${i}`)) : faultsOf(body, "");
  if (faults.length > 0) throw invalidFields(faults);
}

function faultsOf(item: Item, pointer: string): Fault[] {
  if (item.type === "image" && item.content !== undefined)
    return [contradiction(pointer, "content is text, not an image.", "Send an image as media.")];
  if (item.type === "text" && item.media !== undefined)
    return [contradiction(pointer, "media is an image, not text.", "Send a text as content.")];
  if (item.type === "image" && item.file !== undefined)
    return [contradiction(pointer, "file is a document, not an image.", "Send an image as media.")];
  return [];
}

const contradiction = (pointer: string, detail: string, hint: string): Fault => ({
  pointer: `${pointer}/type`,
  code: "contradiction",
  detail,
  hint,
});
