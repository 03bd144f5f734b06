// The same service written the usual way: Node, Fastify, @fastify/rate-limit, Ajv, postgres.js; a hashed key looked up
// and held in memory, a body validated, delivery, event and idempotency record in one transaction.
import Fastify from "fastify";
import rateLimit from "@fastify/rate-limit";
import postgres from "postgres";
import { createHash, randomUUID } from "node:crypto";

const sql = postgres(process.env.STORE_URL, { max: 10, onnotice: () => {} });
await sql`create table if not exists usual_keys (hash text primary key, account text not null)`;
await sql`create table if not exists usual_deliveries (id text primary key, account text not null, view jsonb not null, created_at timestamptz not null default now())`;
await sql`create table if not exists usual_events (seq bigint generated always as identity primary key, account text not null, type text not null, data jsonb not null)`;
await sql`create table if not exists usual_idempotency (key text primary key, body jsonb not null, created_at timestamptz not null default now())`;
const hash = (key) => createHash("sha256").update(key).digest("hex");
for (const key of JSON.parse(process.env.KEYS))
  await sql`insert into usual_keys values (${hash(key)}, ${key.slice(-8)}) on conflict do nothing`;

const known = new Map();
const app = Fastify();
await app.register(rateLimit, {
  max: 1e9,
  timeWindow: "1 minute",
  keyGenerator: (request) => request.headers.authorization ?? request.ip,
});
app.addHook("preHandler", async (request, reply) => {
  const key = (request.headers.authorization ?? "").slice(7);
  let account = known.get(key);
  if (!account) {
    const [row] = await sql`select account from usual_keys where hash = ${hash(key)}`;
    if (!row) return reply.code(401).send({ success: false });
    known.set(key, (account = row.account));
  }
  request.account = account;
});
const profile = JSON.parse(process.env.PROFILE);
app.get("/api/v1/user/profile", async () => ({ success: true, data: profile }));

const point = {
  type: "object",
  required: ["address"],
  additionalProperties: false,
  properties: {
    address: { type: "string", minLength: 3, maxLength: 500 },
    time: { type: "string", format: "date-time" },
  },
};
const schema = {
  body: {
    type: "object",
    required: ["pickup", "dropoff"],
    additionalProperties: false,
    properties: { pickup: { ...point, required: ["address", "time"] }, dropoff: point },
  },
};
app.post("/api/v1/delivery/schedule", { schema }, async (request) => {
  const { pickup, dropoff } = request.body;
  const id = randomUUID();
  const arrival = new Date(Date.parse(pickup.time) + 3_600_000).toISOString();
  const data = {
    delivery_id: id,
    status: "scheduled",
    pickup: { address: pickup.address, scheduled_time: pickup.time },
    dropoff: { address: dropoff.address, estimated_arrival: arrival },
  };
  const key = request.headers["idempotency-key"];
  await sql.begin(async (tx) => {
    if (key) {
      const [before] = await tx`select body from usual_idempotency where key = ${request.account + key}`;
      if (before) return before.body;
      await tx`insert into usual_idempotency (key, body) values (${request.account + key}, ${tx.json(data)})`;
    }
    await tx`insert into usual_deliveries (id, account, view) values (${id}, ${request.account}, ${tx.json(data)})`;
    await tx`insert into usual_events (account, type, data) values (${request.account}, 'delivery.scheduled', ${tx.json(data)})`;
  });
  return { success: true, data };
});
await app.listen({ host: "127.0.0.1", port: 0 });
console.log(`ready ${app.server.address().port}`);
