// Every listed symbol, from each of its three conventions to the other two.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertSymbol, type Convention } from "../../server/actions/stock/engine/symbols/conventions.ts";
import { readDelimited } from "../../server/actions/stock/engine/symbols/delimited.ts";
import { DataError, type Suite } from "../eval.ts";

const COLUMNS: [Convention, string][] = [
  ["act", "ACT Symbol"],
  ["cqs", "CQS Symbol"],
  ["nasdaq", "NASDAQ Symbol"],
];

export default {
  help: "symbols: rows of a listing (ACT, CQS and NASDAQ columns) that convert between all conventions",
  run({ data, limit }) {
    const rows = findListings(data)
      .flatMap((file) => readDelimited(readFileSync(file, "utf8")))
      .filter((r) => r["ACT Symbol"]);
    if (rows.length === 0) throw new DataError(`no listing with the columns ACT, CQS and NASDAQ Symbol under ${data}`);
    let round_trip_ok = 0;
    let ambiguous = 0;
    const failures: string[] = [];
    const sample = rows.slice(0, limit);
    for (const row of sample) {
      const verdict = check(row);
      if (verdict === "ok") round_trip_ok++;
      else if (verdict === "ambiguous") ambiguous++;
      else failures.push(verdict);
    }
    return { n: sample.length, round_trip_ok, ambiguous, wrong: failures.length, failures: failures.slice(0, 20) };
  },
  table: (r) =>
    `${r.n} rows: ${r.round_trip_ok} convert both ways, ${r.ambiguous} report the ambiguity, ${r.wrong} wrong\n${r.failures.join("\n")}`,
} satisfies Suite;

function check(row: Record<string, string>): string {
  const name = row["Security Name"] || row["Company Name"] || undefined;
  let ambiguous = false;
  for (const [from, source] of COLUMNS) {
    for (const [to, target] of COLUMNS) {
      const found = convertSymbol(row[source], from, to, name);
      if (found.ok && found.symbol === row[target]) continue;
      if (!found.ok && found.candidates.includes(row[target])) ambiguous = true;
      else
        return `${from} ${row[source]} → ${to} ${row[target]}: ${found.ok ? found.symbol : found.candidates.join(" | ") || "cannot be read"}`;
    }
  }
  return ambiguous ? "ambiguous" : "ok";
}

function findListings(path: string): string[] {
  const folder = existsSync(join(path, "symbols")) ? join(path, "symbols") : path;
  return readdirSync(folder)
    .filter((f) => f.endsWith(".csv") || f.endsWith(".txt"))
    .map((f) => join(folder, f))
    .filter((file) => /ACT Symbol.*CQS Symbol.*NASDAQ Symbol/i.test(readFileSync(file, "utf8").slice(0, 400)));
}
