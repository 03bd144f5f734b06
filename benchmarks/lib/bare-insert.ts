// The bare limit for writing: Hono and Bun.sql, one row a request, grouped into one insert per turn. No key, no quota,
// no validation, no idempotency, no event.
import { SQL } from "bun";
import { Hono } from "hono";

const sql = new SQL(process.env.STORE_URL!, { max: 10 });
await sql`create table if not exists bare_rows (id text primary key, body jsonb not null, created_at timestamptz not null default now())`;
let queue: { id: string; body: string; done(): void; fail(error: unknown): void }[] = [];
let running = 0;

function pump(): void {
  while (running < 2 && queue.length > 0) {
    const group = queue;
    queue = [];
    running++;
    sql`insert into bare_rows (id, body) select id, body::jsonb from unnest(${group.map((g) => g.id)}::text[], ${group.map((g) => g.body)}::text[]) as r (id, body)`
      .then(
        () => group.forEach((g) => g.done()),
        (error) => group.forEach((g) => g.fail(error)),
      )
      .finally(() => {
        running--;
        pump();
      });
  }
}

const app = new Hono();
app.post("/api/v1/delivery/schedule", async (c) => {
  const body = await c.req.text();
  const parsed = JSON.parse(body);
  const id = crypto.randomUUID();
  await new Promise<void>((done, fail) => {
    queue.push({ id, body, done, fail });
    if (queue.length === 1) setImmediate(pump);
  });
  return c.json({
    success: true,
    data: { delivery_id: id, status: "scheduled", pickup: parsed.pickup, dropoff: parsed.dropoff },
  });
});
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch });
console.log(`ready ${server.port}`);
