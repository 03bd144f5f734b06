// How long a fresh process takes to have a million stored alerts in memory: a real PostgreSQL, alerts of one word and,
// one in twenty, queries that must be parsed. Run as a program with an address it is that process.
import pino from "pino";
import { createLiveIndex } from "../../server/actions/alerts/work/index/live-index.ts";
import { systemClock } from "../../server/lib/clock.ts";
import { connect, type Db } from "../../server/store/db.ts";
import { testDatabase } from "../../tests/database.ts";
import { round } from "./timing.ts";

if (import.meta.main) {
  const before = process.cpuUsage();
  const db = await connect({ url: process.argv[2], pool: 10, timeoutMs: 10_000 });
  const start = performance.now();
  const index = createLiveIndex({ db, clock: systemClock, log: pino({ level: "silent" }) });
  await index.start();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ alerts: index.size, seconds: round(seconds), cpu_s: round((user + system) / 1e6) }));
  process.exit(0);
}

/** The starts of three processes, one after the other. */
export async function storedStart(size: number, say: (line: string) => void): Promise<Record<string, unknown>> {
  const { db, url, drop } = await testDatabase();
  try {
    await fill(db, size);
    const runs = [];
    for (let k = 0; k < 3; k++) {
      const child = Bun.spawn([process.execPath, import.meta.path, url], { stdout: "pipe", stderr: "inherit" });
      runs.push(JSON.parse(await new Response(child.stdout).text()));
    }
    const result = { stored: size, with_parsing: size / 20, starts: runs };
    say(`start with ${size} stored: ${JSON.stringify(result)}`);
    return result;
  } finally {
    await drop();
  }
}

export async function fill(db: Db, size: number): Promise<void> {
  await db.sql`insert into accounts (id, name, plan, created_at) values ('acc_bench', 'bench', 'max', now())`;
  await db.sql`insert into tenants (account_id, mode) values ('acc_bench', 'live')`;
  for (let from = 1; from <= size; from += 100_000) {
    await db.sql`
      insert into alerts (id, tenant_id, status, term, query, sources, spec, pace, conditions, stats, created_at, updated_at)
      select 'alt_' || lpad(n::text, 12, '0'), (select id from tenants where account_id = 'acc_bench'), 'active', case when q then null else 'w:' || w end, w, 3,
        jsonb_build_object('name', null, 'match', '{}'::jsonb, 'sources', '[{"type":"ingest"},{"type":"events"}]'::jsonb,
          'delivery', '{}'::jsonb, 'dedupe', '{"by":"auto","window_s":2592000}'::jsonb, 'severity', 'info', 'labels', '{}'::jsonb)
          || case when q then jsonb_build_object('query', '(' || w || ' OR "' || w || ' news") AND acme -hiring')
             else jsonb_build_object('tag', w) end,
        '{"suppressed":{},"groups":{}}', '{}', '{}', now(), now() - interval '1 day'
      from (select n, n % 20 = 0 as q, substr(translate(md5((n % 800000)::text), '0123456789', 'ghijklmnop'), 1, 5 + n % 6) as w
        from generate_series(${from}::int, ${from + 99_999}::int) as n) as made`;
  }
  await db.sql`analyze alerts`;
}
