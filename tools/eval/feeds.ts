// Scores the feed reader on feeds with expected values: every *.jsonl under feeds/ whose rows have xml (or xml_base64)
// and assertions. A row counts as right only if all its assertions hold.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readFeed } from "../../server/actions/alerts/engine/feed/read.ts";
import { DataError, type Suite } from "../eval.ts";
import { asFeedparser } from "./views/feedparser.ts";

interface Assertion {
  path?: (string | number)[];
  op: string;
  value?: unknown;
  of?: Assertion[][];
}

export default {
  help: "feeds: the feed reader against expected values (DIR = alerts)",
  run({ data, limit, progress }) {
    const folder = join(data, "feeds");
    const rows = readdirSync(folder)
      .filter((f) => f.endsWith(".jsonl"))
      .flatMap((f) => rowsOf(join(folder, f)));
    const failures: string[] = [];
    let ok = 0;
    let threw = 0;
    let assertions = 0;
    let assertionsOk = 0;
    const total = Math.min(rows.length, limit);
    for (const row of rows.slice(0, total)) {
      const bytes = row.xml_base64 ? Buffer.from(row.xml_base64, "base64") : Buffer.from(row.xml, "utf8");
      let held: boolean[];
      try {
        const type = Object.entries(row.headers ?? {}).find(([k]) => k.toLowerCase() === "content-type")?.[1] as
          | string
          | undefined;
        const view = asFeedparser(readFeed(bytes, { contentType: type ?? null }));
        held = row.assertions.map((a: Assertion) => holds(view, a));
      } catch (error) {
        threw++;
        held = row.assertions.map(() => false);
        failures.push(`${row.id}: threw ${(error as Error).message}`);
      }
      assertions += held.length;
      assertionsOk += held.filter(Boolean).length;
      if (held.every(Boolean)) ok++;
      else failures.push(`${row.id}: ${row.expect_raw}`);
      progress(ok, total);
    }
    return { n: total, ok, threw, assertions, assertions_ok: assertionsOk, failures: failures.slice(0, 20) };
  },
  table: (r) =>
    `feeds: ${r.ok} of ${r.n} right (${((100 * r.ok) / r.n).toFixed(1)} %), ${r.assertions_ok} of ${r.assertions} ` +
    `assertions, ${r.threw} threw\n${r.failures.map((f: string) => `  ${f.slice(0, 200)}`).join("\n")}`,
} satisfies Suite;

function rowsOf(file: string): any[] {
  const rows = readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line, i) => {
      try {
        return JSON.parse(line);
      } catch {
        throw new DataError(`${file} line ${i + 1} is not JSON`);
      }
    });
  return rows.filter((r) => (r.xml !== undefined || r.xml_base64 !== undefined) && Array.isArray(r.assertions));
}

function holds(view: unknown, a: Assertion): boolean {
  if (a.op === "any") return a.of!.some((all) => all.every((one) => holds(view, one)));
  const got = a.path!.reduce<any>((at, key) => (at === null || at === undefined ? undefined : at[key]), view);
  switch (a.op) {
    case "eq":
      return same(got, a.value);
    case "ne":
      return !same(got, a.value);
    case "truthy":
      return isTruthy(got);
    case "falsy":
      return !isTruthy(got);
    case "len_eq":
      return got?.length === a.value;
    default:
      throw new DataError(`unknown assertion ${a.op}`);
  }
}

function isTruthy(value: any): boolean {
  return Boolean(value) && !(Array.isArray(value) && value.length === 0);
}

function same(got: any, expected: any): boolean {
  const tuple = expected?.$tuple ?? expected;
  if (tuple === null) return got === null || got === undefined;
  if (Array.isArray(tuple))
    return Array.isArray(got) && got.length === tuple.length && tuple.every((v, i) => same(got[i], v));
  if (typeof tuple === "object") {
    return (
      typeof got === "object" &&
      got !== null &&
      Object.keys(got).length === Object.keys(tuple).length &&
      Object.keys(tuple).every((k) => same(got[k], tuple[k]))
    );
  }
  return got === tuple;
}
