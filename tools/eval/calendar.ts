// Session tables (open, close, breaks in UTC) against the market calendar that serves requests.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { claimedMics, marketCalendar } from "../../server/actions/stock/engine/calendar/index.ts";
import { DataError, type EvalOptions, type Suite } from "../eval.ts";

interface Table {
  mic: string;
  text: string;
}

export default {
  help: "calendar: rows of session tables that differ from our calendar; --from YYYY --to YYYY",
  run(options) {
    const from = options.flags.from ?? "2000";
    const to = options.flags.to ?? "9999";
    const exchanges: Record<string, { rows: number; differ: number }> = {};
    const unclaimed: string[] = [];
    const examples: string[] = [];
    const tables = readTables(options);
    tables.forEach(({ mic, text }, i) => {
      options.progress(i + 1, tables.length);
      if (!claims(mic)) return void unclaimed.push(mic);
      const found = compare(mic, text, from, to, examples);
      const known = exchanges[mic] ?? { rows: 0, differ: 0 };
      if (found.rows > 0) exchanges[mic] = { rows: known.rows + found.rows, differ: known.differ + found.differ };
    });
    const differ_total = Object.values(exchanges).reduce((sum, e) => sum + e.differ, 0);
    const rows_total = Object.values(exchanges).reduce((sum, e) => sum + e.rows, 0);
    return { claimed: claimedMics(), exchanges, differ_total, rows_total, unclaimed, examples: examples.slice(0, 40) };
  },
  table(result) {
    const lines = Object.entries(result.exchanges as Record<string, { rows: number; differ: number }>)
      .sort(([, a], [, b]) => b.differ - a.differ)
      .map(([mic, e]) => `${mic}  ${String(e.rows).padStart(6)} rows  ${String(e.differ).padStart(5)} differ`);
    return [
      ...lines,
      ...result.examples,
      `not claimed: ${result.unclaimed.join(" ") || "none"}`,
      `${result.rows_total} rows, ${result.differ_total} differ`,
    ].join("\n");
  },
} satisfies Suite;

/** An alias is claimed with the exchange whose calendar it keeps. */
const claims = (mic: string): boolean => {
  const calendar = marketCalendar(mic);
  return calendar !== null && calendar.exchange.unclaimed === undefined;
};

/** Rows that are absent, extra or at other times, between the first and the last date of the table. */
function compare(mic: string, text: string, from: string, to: string, examples: string[]) {
  const calendar = marketCalendar(mic)!;
  const theirs = new Map<string, string>();
  const [header, ...lines] = text.split(/\r?\n/);
  const names = header.toLowerCase().split(",");
  const columns = [/open/, /close/, /break_start/, /break_end/].map((name) => names.findIndex((n) => name.test(n)));
  for (const line of lines) {
    const cells = line.split(",");
    const day = cells[0].slice(0, 10);
    if (day && day.slice(0, 4) >= from && day.slice(0, 4) <= to)
      theirs.set(day, columns.map((c) => stamp(c < 0 ? "" : cells[c])).join(" "));
  }
  const days = [...theirs.keys()].sort();
  if (days.length === 0) return { rows: 0, differ: 0 };
  const ours = new Map(
    calendar
      .sessions(days[0], days[days.length - 1])
      .map(
        (s) =>
          [s.date, [s.open, s.close, s.breakStart, s.breakEnd].map((t) => (t === null ? "-" : t)).join(" ")] as const,
      ),
  );
  let differ = 0;
  for (const day of new Set([...days, ...ours.keys()])) {
    if (theirs.get(day) === ours.get(day)) continue;
    differ++;
    const say = (row?: string) =>
      row
        ? row
            .split(" ")
            .map((t) => (t === "-" ? t : new Date(+t).toISOString().slice(11, 16)))
            .join(" ")
        : "closed";
    examples.push(`${mic} ${day}: table ${say(theirs.get(day))}; ours ${say(ours.get(day))}`);
  }
  return { rows: days.length, differ };
}

/** "2026-11-03T14:30:00Z", "2026-11-03 14:30:00+00:00" or without a zone, which means UTC; anything else is no time. */
function stamp(text: string | undefined): number | "-" {
  if (!text || !/^\d{4}-/.test(text)) return "-";
  const tidy = text.trim().replace(" ", "T");
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(tidy) ? tidy : `${tidy}Z`);
}

function readTables({ data, limit }: EvalOptions): Table[] {
  const tables = findTables(data).filter((t) => !["TEST", "24-5", "24-7"].includes(t.mic));
  if (tables.length === 0) throw new DataError(`no session tables (*.csv with open and close) under ${data}`);
  return tables.sort((a, b) => a.mic.localeCompare(b.mic)).slice(0, limit);
}

function findTables(path: string): Table[] {
  if (statSync(path).isFile())
    return /\.t?gz$/.test(path) ? readTar(gunzipSync(readFileSync(path))) : readCsv(path, readFileSync(path, "utf8"));
  return readdirSync(path).flatMap((name) => {
    const inner = join(path, name);
    if (statSync(inner).isDirectory()) return findTables(inner);
    if (/calendars.*\.(tar\.gz|tgz)$/.test(name)) return readTar(gunzipSync(readFileSync(inner)));
    return name.endsWith(".csv") ? readCsv(inner, readFileSync(inner, "utf8")) : [];
  });
}

function readCsv(path: string, text: string): Table[] {
  const header = text.slice(0, text.indexOf("\n"));
  const mic = path.split("/").pop()!.slice(0, -4).toUpperCase();
  return /open/i.test(header) && /close/i.test(header) && !/high|low/i.test(header) ? [{ mic, text }] : [];
}

function readTar(bytes: Uint8Array): Table[] {
  const tables: Table[] = [];
  const decoder = new TextDecoder();
  const field = (at: number, length: number) =>
    decoder
      .decode(bytes.subarray(at, at + length))
      .replace(/\0.*$/s, "")
      .trim();
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0; ) {
    const name = field(at, 100);
    const size = parseInt(field(at + 124, 12), 8) || 0;
    if (name.endsWith(".csv")) tables.push(...readCsv(name, decoder.decode(bytes.subarray(at + 512, at + 512 + size))));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return tables;
}
