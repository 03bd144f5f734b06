// The operator's commands: import a directory of securities, load recorded prices for a tenant.
import { openCalendars } from "./engine/calendar/index.ts";
import { readReplay } from "./engine/feed/replay.ts";
import { importDirectory } from "./engine/symbols/import.ts";
import { createSecurities } from "./securities.ts";
import { createStore } from "./store.ts";
import type { Db } from "../../store/db.ts";

export interface ImportReport {
  rows: number;
  imported: number;
  /** How many imported securities there were before; they are gone. */
  replaced: number;
  skipped: { row: number; why: string }[];
}

/**
 * Replaces the imported directory by what these files hold together. A running service sees it within a minute.
 * Files without a single valid row change nothing: `imported` is then 0.
 */
export async function importInstruments(db: Db, texts: string[]): Promise<ImportReport> {
  const parts = texts.map(importDirectory);
  const instruments = parts.flatMap((p) => p.instruments);
  const store = createStore(db);
  const replaced = await store.countInstruments();
  if (instruments.length > 0) await store.replaceInstruments(instruments);
  return {
    rows: parts.reduce((n, p) => n + p.rows, 0),
    imported: instruments.length,
    replaced: instruments.length > 0 ? replaced : 0,
    skipped: parts.flatMap((p) => p.skipped).slice(0, 50),
  };
}

/** Puts a recorded file in front of a tenant's quotes, as delivery "replay" with its own dates. */
export async function replayFile(
  db: Db,
  tenantId: number,
  text: string,
  options: { name: string; currency: string | null },
  now: number,
) {
  const store = createStore(db);
  const securities = createSecurities();
  securities.use(await store.instruments());
  const calendars = openCalendars();
  const securityOf = (symbol: string) => securities.of(symbol, null);
  const report = readReplay(
    text,
    (symbol) => {
      const { mic } = securityOf(symbol);
      return mic ? calendars.get(mic) : null;
    },
    now,
  );
  const terms = { source: options.name, currency: options.currency, delivery: "replay" as const, delaySeconds: null };
  await store.saveBooks(
    report.books.map(({ symbol, state }) => {
      const { key, mic, symbol: canonical } = securityOf(symbol);
      return { tenantId, key, symbol: canonical, mic, terms, state };
    }),
    now,
    "replay",
  );
  return { rows: report.rows, symbols: report.books.map((b) => b.symbol), skipped: report.skipped.slice(0, 50) };
}
