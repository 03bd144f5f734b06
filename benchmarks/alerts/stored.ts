// A fresh process with a million alerts in a real PostgreSQL: how long until they are in memory, and how many documents
// a second then pass the live index, with and without threads. Nine alerts in ten are made-up words, one is a word of the
// documents, one in twenty is a query that must be parsed; they belong to a thousand tenants. Run as a program it is that
// process.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import pino from "pino";
import { createLiveIndex } from "../../server/actions/alerts/background/index/live-index.ts";
import { systemClock } from "../../server/lib/clock.ts";
import { connect, type Db } from "../../server/store/db.ts";
import { testDatabase } from "../../tests/database.ts";
import { documents, wordsOf } from "./texts.ts";
import { median, round } from "./timing.ts";

interface Start {
  threads: number;
  alerts: number;
  start_s: number;
  start_cpu_s: number;
  documents_per_s: number;
  /** Processor time of the thread that has most to do: what the wall would say were a core free for each. */
  busiest_us_per_document: number;
}

const TENANTS = 1000;
const ROUNDS = 60;
const TICK_US = 10_000;

function ticksByThread(): Map<string, number> {
  const folder = "/proc/self/task";
  if (!existsSync(folder)) return new Map([["unknown", 0]]);
  return new Map(
    readdirSync(folder).map((thread) => {
      const fields = readFileSync(`${folder}/${thread}/stat`, "utf8").split(") ")[1].split(" ");
      return [thread, Number(fields[11]) + Number(fields[12])];
    }),
  );
}

if (import.meta.main) {
  const [url, threads, data] = process.argv.slice(2);
  console.log(JSON.stringify(await startOnce(url, Number(threads), data)));
  process.exit(0);
}

async function startOnce(url: string, threads: number, data: string | undefined): Promise<Start> {
  const before = process.cpuUsage();
  const db = await connect({ url, pool: 10, timeoutMs: 10_000 });
  const start = performance.now();
  const index = createLiveIndex({ db, clock: systemClock, log: pino({ level: "silent" }), threads });
  await index.start();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  const ids: number[] = (await db.sql`select id from tenants order by id`).map((r: any) => r.id);
  const texts = documents(data).slice(0, 250);
  const contents = texts.map((text) => ({ text }));
  const tenants = texts.map((_, i) => ids[(i * 7) % ids.length]);
  const times: number[] = [];
  let used = new Map<string, number>();
  for (let round = -40; round < ROUNDS; round++) {
    if (round === 0) used = ticksByThread();
    const from = performance.now();
    await index.matchForTenants(tenants, 1, contents);
    if (round >= 0) times.push(performance.now() - from);
  }
  const ticks = Math.max(...[...ticksByThread()].map(([thread, t]) => t - (used.get(thread) ?? 0)));
  return {
    threads,
    alerts: index.size,
    start_s: round(seconds),
    start_cpu_s: round((user + system) / 1e6),
    documents_per_s: Math.round((texts.length * 1000) / median(times)),
    busiest_us_per_document: round((ticks * TICK_US) / (ROUNDS * texts.length)),
  };
}

/** Starts one process after the other: three times without threads, then with two. */
export async function storedStart(size: number, data: string | undefined, say: (line: string) => void) {
  const { db, url, drop } = await testDatabase({ pool: 1 });
  try {
    await fill(db, size, wordsOf(documents(data).slice(0, 250)));
    const starts: Start[] = [];
    for (const threads of [0, 0, 0, 2]) {
      const child = Bun.spawn([process.execPath, import.meta.path, url, String(threads), ...(data ? [data] : [])], {
        stdout: "pipe",
        stderr: "inherit",
      });
      starts.push(JSON.parse(await new Response(child.stdout).text()));
    }
    const alone = starts.slice(0, 3);
    const shared = starts[3];
    const result = {
      stored: size,
      to_parse: size / 20,
      starts,
      start_s: median(alone.map((s) => s.start_s)),
      two_threads_times_one: {
        by_the_wall: round(shared.documents_per_s / median(alone.map((s) => s.documents_per_s))),
        by_the_busiest_thread: round(
          median(alone.map((s) => s.busiest_us_per_document)) / shared.busiest_us_per_document,
        ),
      },
    };
    say(`from the store: ${JSON.stringify(result)}`);
    return result;
  } finally {
    await drop();
  }
}

async function fill(db: Db, size: number, live: string[]): Promise<void> {
  await db.sql`insert into accounts (id, name, plan, created_at)
    select 'acc_' || n, 'bench', 'max', now() from generate_series(1, ${TENANTS}::int) as n`;
  await db.sql`insert into tenants (account_id, mode) select id, 'live' from accounts`;
  await db.sql`create temporary table live as
    select row_number() over () as k, w from unnest(string_to_array(${live.join(" ")}, ' ')) as w`;
  await db.sql`create index on live (k)`;
  for (let from = 1; from <= size; from += 50_000) await insert(db, from, from + 49_999, live.length);
  // What autovacuum does within a minute of such a change.
  await db.sql`vacuum analyze alerts`;
}

/** As POST /alerts/create leaves them. */
const insert = (db: Db, from: number, to: number, words: number) => db.sql`
  insert into alerts (id, tenant_id, status, term, query, sources, spec, pace, conditions, stats, created_at,
    updated_at)
  select 'alt_' || lpad(n::text, 12, '0'), 1 + (n * 7919::bigint) % ${TENANTS}::int, 'active',
    case when parsed then null else 'w:' || w end, w, 3,
    '{"name":null,"match":{},"sources":[{"type":"ingest"},{"type":"events"}],"delivery":{},"severity":"info",
      "dedupe":{"by":"auto","window_s":2592000,"on_update":"ignore"},"labels":{}}'::jsonb
      || case when parsed then jsonb_build_object('query', '(' || w || ' OR "' || w || ' news") AND acme -hiring')
        else jsonb_build_object('tag', w) end,
    '{"suppressed":{},"groups":{}}', '{}', '{}', now() - interval '1 day', now() - interval '1 day'
  from (
    select n, n % 20 = 0 as parsed, coalesce(live.w, substr(translate(md5((n % 800000)::text), '0123456789',
      'ghijklmnop'), 1, 5 + n % 6)) as w
    from generate_series(${from}::int, ${to}::int) as n
    left join live on n % 10 = 7 and live.k = 1 + (n / 10) % ${words}::int
  ) as made`;
