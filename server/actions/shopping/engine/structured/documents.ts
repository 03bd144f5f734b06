// A page as a JSON-LD document (JSON-LD 1.1 §7): which script, which base, one or all. For the standard's own tests and for strict readers.
import { attribute, rawOf } from "../html/query.ts";
import type { Tree } from "../html/tree.ts";
import { tag } from "../html/tags.ts";
import { JsonLdError, expand, parseStrict } from "./expand.ts";
import { isJsonLdType, scriptsOf } from "./json-ld.ts";

export interface DocumentOptions {
  /** The address of the page. */
  url: string;
  /** Overrides the address as the base. */
  base?: string | null;
  fragment?: string | null;
  all?: boolean;
}

export function expandDocument(tree: Tree, options: DocumentOptions): unknown[] {
  const base = baseOf(tree, options.base ?? options.url);
  const scripts = scriptsOf(tree).filter((node) => isJsonLdType(attribute(tree, node, "type")));
  if (options.fragment) {
    const target = scripts.find((node) => attribute(tree, node, "id") === options.fragment);
    if (target === undefined) throw new JsonLdError("loading document failed");
    return expand(parseStrict(rawOf(tree, target)), base);
  }
  if (options.all) {
    return scripts.flatMap((node) => {
      const value = parseStrict(rawOf(tree, node));
      const out = expand(value, base);
      const isGraph =
        !Array.isArray(value) &&
        value !== null &&
        typeof value === "object" &&
        "@graph" in value &&
        Object.keys(value).every((k) => k === "@graph" || k === "@context");
      return isGraph ? [{ "@graph": out }] : out;
    });
  }
  if (scripts.length === 0) throw new JsonLdError("loading document failed");
  return expand(parseStrict(rawOf(tree, scripts[0]!)), base);
}

/** `<base href>` resolved against the address. */
export function baseOf(tree: Tree, url: string): string {
  const BASE = tag("base");
  for (let i = 0; i < tree.count; i++) {
    const href = tree.tag[i] === BASE ? attribute(tree, i, "href") : null;
    if (href === null) continue;
    try {
      return new URL(href, url).href;
    } catch {
      return url;
    }
  }
  return url;
}
