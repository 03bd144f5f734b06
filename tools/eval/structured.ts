// Scores the readers of structured data: extruct's cases, schema.org's examples in three syntaxes, W3C's JSON-LD in HTML.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scan } from "../../server/actions/shopping/engine/html/scan.ts";
import { expandDocument } from "../../server/actions/shopping/engine/structured/documents.ts";
import { JsonLdError } from "../../server/actions/shopping/engine/structured/expand.ts";
import {
  hasType,
  isItem,
  text,
  walk,
  type Item,
  type Value,
} from "../../server/actions/shopping/engine/structured/item.ts";
import { jsonLdItems, jsonLdValues } from "../../server/actions/shopping/engine/structured/json-ld.ts";
import { openGraph } from "../../server/actions/shopping/engine/structured/metas.ts";
import { microdataItems } from "../../server/actions/shopping/engine/structured/microdata.ts";
import { rdfaItems } from "../../server/actions/shopping/engine/structured/rdfa.ts";
import { parsePrice } from "../../server/actions/shopping/engine/price/parse.ts";
import { DataError, type EvalOptions, type Suite } from "../eval.ts";

interface Score {
  n: number;
  ok: number;
  failures: string[];
}
const score = (): Score => ({ n: 0, ok: 0, failures: [] });

function count(into: Score, name: string, right: boolean): void {
  into.n++;
  if (right) into.ok++;
  else if (into.failures.length < 20) into.failures.push(name);
}

/** Order of keys never matters; order of values does. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, v) =>
    v && typeof v === "object" && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );

/** Items as extruct writes them: single values bare, unless asked for lists. */
function plain(item: Item, lists: boolean, base: string | null): unknown {
  const one = (v: Value): unknown =>
    isItem(v)
      ? v.types.length === 0 && v.props.has("valueRequired")
        ? Object.fromEntries([...v.props].map(([k, x]) => [k, x[0]]))
        : plain(v, lists, base)
      : base && typeof v === "string"
        ? v
        : v;
  const properties = Object.fromEntries(
    [...item.props].map(([name, values]) => [name, !lists && values.length === 1 ? one(values[0]!) : values.map(one)]),
  );
  const out: Record<string, unknown> = { properties };
  if (item.types.length > 0) out.type = !lists && item.types.length === 1 ? item.types[0] : item.types;
  if (item.id) out.id = item.id;
  return out;
}

function extruct(rows: any[]): { main: Score; rdfa: Score } {
  const main = score(),
    rdfa = score();
  for (const row of rows) {
    const tree = scan(row.html);
    if (row.syntax === "json-ld") count(main, row.name, canonical(jsonLdValues(tree)) === canonical(row.expected));
    else if (row.syntax === "microdata") {
      const lists = row.options?.strict === true;
      const got = microdataItems(tree).map((item) => plain(item, lists, row.baseUrl));
      count(
        main,
        row.name,
        canonical(got) === canonical(row.expected) || sameButBase(got, row.expected, row.baseUrl ?? null),
      );
    } else if (row.syntax === "opengraph") {
      const got = openGraph(tree);
      count(main, row.name, canonical(got ? [got] : []) === canonical(row.expected));
    } else if (row.syntax === "rdfa")
      count(
        rdfa,
        row.name,
        rdfaLiterals(row.expected).every((v) => rdfaGot(tree).has(v)),
      );
  }
  return { main, rdfa };
}

/** Equal, where an address may also be given resolved against the page's base (or one that the row does not state). */
function sameButBase(got: unknown, expected: unknown, base: string | null): boolean {
  if (typeof got === "string" && typeof expected === "string") {
    if (got === expected) return true;
    if (base && URL.canParse(got, base) && new URL(got, base).href === expected) return true;
    return !base && /^https?:/.test(expected) && expected.endsWith(`/${got}`);
  }
  if (Array.isArray(got) && Array.isArray(expected))
    return got.length === expected.length && got.every((value, i) => sameButBase(value, expected[i], base));
  if (got && expected && typeof got === "object" && typeof expected === "object") {
    const keys = new Set([...Object.keys(got), ...Object.keys(expected)]);
    return [...keys].every((key) => sameButBase((got as any)[key], (expected as any)[key], base));
  }
  return got === expected;
}

const rdfaGot = (tree: ReturnType<typeof scan>) =>
  new Set(
    rdfaItems(tree)
      .flatMap((top) => [...walk(top)])
      .flatMap((item) =>
        [...item.props.values()]
          .flat()
          .filter((v) => !isItem(v))
          .map(String),
      ),
  );
const rdfaLiterals = (expected: any[]): string[] =>
  expected.flatMap((node) =>
    Object.entries(node).flatMap(([key, values]) =>
      key.startsWith("@") || key.endsWith("usesVocabulary")
        ? []
        : (values as any[]).map((v) => String(v["@value"] ?? v["@id"])),
    ),
  );

const PRICE_KEYS = ["price", "lowPrice", "highPrice", "minPrice", "maxPrice"];
function pricesIn(items: Item[]): string[] {
  const found = new Set<number>();
  for (const top of items)
    for (const item of walk(top))
      for (const key of PRICE_KEYS) {
        for (const value of item.props.get(key) ?? []) {
          const amount = isItem(value) ? null : parsePrice(String(value), { decimalSeparator: "." }).amount;
          if (amount !== null) found.add(Number(amount));
        }
      }
  return [...found].sort((a, b) => a - b).map(String);
}

function schemaOrg(rows: any[]): Score {
  const out = score();
  for (const row of rows) {
    const readers: Record<string, (html: string) => Item[]> = {
      jsonld: (html) => jsonLdItems(jsonLdValues(scan(html))),
      microdata: (html) => microdataItems(scan(html)),
      rdfa: (html) => rdfaItems(scan(html)),
    };
    const wrong = Object.entries(row.pricesBySyntax as Record<string, number[]>).filter(([syntax, prices]) => {
      const got = pricesIn(readers[syntax]!(row.html[syntax] ?? ""));
      return canonical(got) !== canonical([...new Set(prices)].sort((a, b) => a - b).map(String));
    });
    const names = new Set(
      jsonLdItems(jsonLdValues(scan(row.html.jsonld ?? "")))
        .flatMap((top) => [...walk(top)])
        .filter((i) => hasType(i, "Product", "ProductModel", "Car"))
        .map((i) => text(i, "name")),
    );
    const missing = row.jsonldValid
      ? row.expectedFromJsonLd.products.filter((p: any) => p.name && !names.has(p.name))
      : [];
    count(
      out,
      `${row.id}: ${wrong.map(([s]) => s).join(" ")}${missing.length ? " products" : ""}`,
      wrong.length === 0 && missing.length === 0,
    );
  }
  return out;
}

function jsonLdHtml(rows: any[]): Score {
  const out = score();
  for (const row of rows) {
    const url = `https://w3c.github.io/json-ld-api/tests/html/${row.id.slice(2)}-in.html`;
    let got: unknown;
    try {
      got = expandDocument(scan(row.html), {
        url,
        base: row.option?.base,
        fragment: row.fragment,
        all: row.option?.extractAllScripts,
      });
    } catch (error) {
      if (!(error instanceof JsonLdError)) throw error;
      got = error.code;
    }
    count(out, row.id, canonical(got) === canonical(row.expectedError ?? row.expectedExpanded));
  }
  return out;
}

export default {
  help: "structured data: JSON-LD, microdata, RDFa, Open Graph (DIR/extruct.json, schemaorg-examples.json, jsonld-html.json)",
  run({ data, limit }: EvalOptions) {
    const read = (name: string): any[] =>
      existsSync(join(data, name)) ? JSON.parse(readFileSync(join(data, name), "utf8")).slice(0, limit) : [];
    const files = ["extruct.json", "schemaorg-examples.json", "jsonld-html.json"];
    if (!files.some((f) => existsSync(join(data, f)))) throw new DataError(`none of ${files.join(", ")} in ${data}`);
    const { main, rdfa } = extruct(read(files[0]!));
    return {
      files: {
        extruct: main,
        extruct_rdfa: rdfa,
        schemaorg: schemaOrg(read(files[1]!)),
        jsonld_html: jsonLdHtml(read(files[2]!)),
      },
    };
  },
  table: (r) =>
    Object.entries(r.files as Record<string, Score>)
      .map(
        ([name, s]) =>
          `${name.padEnd(14)} ${s.ok}/${s.n}${s.failures.length ? `   not: ${s.failures.join(", ")}` : ""}`,
      )
      .join("\n"),
} satisfies Suite;
