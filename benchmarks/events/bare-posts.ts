// The bare loop: the same signed POSTs, by the same number of senders, with no outbox behind them.
// Run as its own process: bun bare-posts.ts '<json>'
import { systemClock } from "../../server/lib/clock.ts";
import { createGuardFetch } from "../../server/lib/guard-fetch/index.ts";
import { webhookHeaders } from "../../server/lib/sign.ts";

const { port, senders, each, client, body } = JSON.parse(process.argv[2]) as {
  port: number;
  senders: number;
  each: number;
  client: "guard" | "fetch";
  body: string;
};
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const guard = createGuardFetch({ clock: systemClock, userAgent: "bench", allowLoopback: [`127.0.0.1:${port}`] });

async function post(url: string, id: string): Promise<void> {
  const signed = webhookHeaders([secret], { id, timestamp: Math.floor(Date.now() / 1000), body });
  const headers = { "content-type": "application/json", ...signed };
  if (client === "fetch") await (await fetch(url, { method: "POST", headers, body })).arrayBuffer();
  else
    await guard.fetch(url, {
      method: "POST",
      headers,
      body,
      idempotent: true,
      polite: false,
      skipBody: true,
      redirects: 0,
    });
}

const started = performance.now();
await Promise.all(
  Array.from({ length: senders }, async (_, sender) => {
    for (let n = 0; n < each; n++) await post(`http://127.0.0.1:${port}/${sender}`, `evt_${sender}_${n}`);
  }),
);
console.log(JSON.stringify({ perSecond: (senders * each) / ((performance.now() - started) / 1000) }));
process.exit(0);
