// Public data that lies beside the checkout and is never copied into it; a suite that needs it skips loudly without it.
import { describe } from "bun:test";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

export const sharedData = resolve(import.meta.dir, "../../shared/data");

/** `describe`, or a loud skip when the named file or folder of ../shared/data is absent. */
export function describeWithData(path: string, title: string, body: () => void): void {
  if (existsSync(resolve(sharedData, path))) return describe(title, body);
  console.warn(`SKIPPED "${title}": ../shared/data/${path} is not beside this checkout.`);
  describe.skip(title, body);
}
