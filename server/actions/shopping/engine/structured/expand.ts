// JSON-LD expansion with contexts written in the page: terms, prefixes, @vocab, @base, lists. Remote contexts are never
// fetched; frames, reverse properties and scoped contexts are not done. Enough to read a shop that names schema.org its own way.

type Json = Record<string, unknown>;
interface Term {
  id: string;
  container?: string;
  type?: string;
}
interface Context {
  terms: Map<string, Term>;
  vocab: string | null;
  base: string | null;
}

export class JsonLdError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Strict reading of one script's text, as the standard has it: anything but JSON is an error. */
export function parseStrict(code: string): unknown {
  try {
    return JSON.parse(code);
  } catch {
    throw new JsonLdError("invalid script element");
  }
}

export function expand(value: unknown, base: string | null): unknown[] {
  const out = expandNode(value, { terms: new Map(), vocab: null, base }, 0);
  const list = Array.isArray(out) ? out : out === null ? [] : [out];
  // A document that is nothing but a graph is its nodes.
  const only = list.length === 1 ? (list[0] as Json) : null;
  const keys = only ? Object.keys(only) : [];
  return (keys.length === 1 && keys[0] === "@graph" ? (only!["@graph"] as unknown[]) : list).filter((v) => v !== null);
}

function withContext(active: Context, local: unknown): Context {
  let out: Context = { terms: new Map(active.terms), vocab: active.vocab, base: active.base };
  for (const one of Array.isArray(local) ? local : [local]) {
    if (one === null) out = { terms: new Map(), vocab: null, base: active.base };
    else if (typeof one === "string") {
      if (/schema\.org/i.test(one)) out.vocab = "http://schema.org/";
    } else if (typeof one === "object") define(out, one as Json);
  }
  return out;
}

function define(context: Context, local: Json): void {
  if ("@vocab" in local) context.vocab = typeof local["@vocab"] === "string" ? local["@vocab"] : null;
  if (typeof local["@base"] === "string") context.base = resolveIri(local["@base"], context.base);
  for (const [term, value] of Object.entries(local)) {
    if (term.startsWith("@")) continue;
    if (typeof value === "string") context.terms.set(term, { id: iri(value, context, true, local) });
    else if (value && typeof value === "object") {
      const v = value as Json;
      const id = typeof v["@id"] === "string" ? v["@id"] : term;
      context.terms.set(term, {
        id: iri(id, context, true, local),
        container: typeof v["@container"] === "string" ? v["@container"] : undefined,
        type: typeof v["@type"] === "string" ? iri(v["@type"], context, true, local) : undefined,
      });
    }
  }
}

function iri(name: string, context: Context, vocab: boolean, local?: Json): string {
  if (name.startsWith("@")) return name;
  const term = vocab ? context.terms.get(name) : undefined;
  if (term) return term.id;
  const colon = name.indexOf(":");
  if (colon > 0 && !name.startsWith("//", colon + 1)) {
    const prefix = name.slice(0, colon);
    const known =
      context.terms.get(prefix)?.id ?? (typeof local?.[prefix] === "string" ? (local[prefix] as string) : null);
    return known !== null && prefix !== "_" ? known + name.slice(colon + 1) : name;
  }
  if (colon > 0) return name;
  if (vocab) return context.vocab !== null ? context.vocab + name : name;
  return resolveIri(name, context.base);
}

function resolveIri(name: string, base: string | null): string {
  try {
    return base ? new URL(name, base).href : name;
  } catch {
    return name;
  }
}

function expandNode(value: unknown, active: Context, depth: number): unknown {
  if (depth > 60) return null;
  if (Array.isArray(value)) return value.flatMap((v) => expandNode(v, active, depth + 1)).filter((v) => v !== null);
  if (value === null || typeof value !== "object") return null;
  const object = value as Json;
  const context = "@context" in object ? withContext(active, object["@context"]) : active;
  const out: Json = {};
  for (const key of Object.keys(object).sort()) {
    if (key === "@context") continue;
    const name = iri(key, context, true);
    const inner = object[key];
    if (name === "@id") out["@id"] = typeof inner === "string" ? iri(inner, context, false) : inner;
    else if (name === "@type")
      out["@type"] =
        "@value" in object
          ? iri(String(inner), context, true)
          : [inner].flat().map((t) => iri(String(t), context, true));
    else if (name === "@graph") out["@graph"] = [expandNode(inner, context, depth + 1)].flat();
    else if (name === "@value" || name === "@language" || name === "@direction") out[name] = inner;
    else if (name === "@list" || name === "@set") out[name] = expandValues(inner, context, undefined, depth);
    else if (name.includes(":")) addValues(out, name, expandProperty(inner, context, context.terms.get(key), depth));
  }
  if ("@value" in out) return out["@value"] === null ? null : out;
  if ("@set" in out) return out["@set"];
  return Object.keys(out).length === 0 ? null : out;
}

function addValues(out: Json, name: string, values: unknown[]): void {
  out[name] = [...((out[name] as unknown[] | undefined) ?? []), ...values];
}

function expandProperty(value: unknown, context: Context, term: Term | undefined, depth: number): unknown[] {
  const values = expandValues(value, context, term, depth);
  if (term?.container !== "@list") return values;
  return values.length === 1 && typeof values[0] === "object" && values[0] !== null && "@list" in values[0]
    ? values
    : [{ "@list": values }];
}

function expandValues(value: unknown, context: Context, term: Term | undefined, depth: number): unknown[] {
  return [value].flat().flatMap((v): unknown[] => {
    if (v === null || v === undefined) return [];
    if (typeof v === "object") return [expandNode(v, context, depth + 1)].flat().filter((x) => x !== null);
    if (term?.type === "@id" && typeof v === "string") return [{ "@id": iri(v, context, false) }];
    if (term?.type === "@vocab" && typeof v === "string") return [{ "@id": iri(v, context, true) }];
    return [term?.type ? { "@type": term.type, "@value": v } : { "@value": v }];
  });
}
