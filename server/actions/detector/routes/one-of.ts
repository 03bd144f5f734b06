// Refuses a request that does not say exactly what to judge.
import type { Fault } from "../../../contract/errors.ts";
import { invalid } from "../../../contract/registry.ts";
import type { AnalyzeRequest } from "../contract.ts";
import type { Item } from "../judge.ts";

/** Exactly one thing to judge, at the top or in each item. */
export function refuseAmbiguous(body: AnalyzeRequest): void {
  const faults = body.items ? faultsOfItems(body) : faultsOf(body, "");
  if (faults.length > 0) throw invalid(faults);
}

function faultsOfItems(body: AnalyzeRequest): Fault[] {
  if (countGiven(body) > 0) return [oneOf("/items", "Send items or a single thing, not both.", "Move it into items.")];
  return body.items!.flatMap((item, i) => faultsOf(item, `/items/${i}`));
}

function faultsOf(item: Item, pointer: string): Fault[] {
  if (countGiven(item) !== 1)
    return [oneOf(pointer, "Exactly one of content, url and media is needed.", 'Send e.g. {"content":"…"}.')];
  if (item.type === "image" && item.content !== undefined)
    return [oneOf(`${pointer}/type`, "content is text, not an image.", "Send an image as media.")];
  if (item.type === "text" && item.media !== undefined)
    return [oneOf(`${pointer}/type`, "media is an image, not text.", "Send a text as content.")];
  return [];
}

function countGiven(item: Item): number {
  return [item.content, item.url, item.media].filter((x) => x !== undefined).length;
}

function oneOf(pointer: string, detail: string, hint: string): Fault {
  return { pointer, code: "one_of", detail, hint };
}
