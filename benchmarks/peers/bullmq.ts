// The peer: BullMQ on Redis doing the same job: every delivery is a job, a worker signs and posts it.
// Run as its own process: bun bullmq.ts '<json>'
import { webhookHeaders } from "../../server/lib/sign.ts";
import { Queue, Worker } from "bullmq";

const { port, redis, senders, each, body } = JSON.parse(process.argv[2]) as {
  port: number;
  redis: number;
  senders: number;
  each: number;
  body: string;
};
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const connection = { host: "127.0.0.1", port: redis, maxRetriesPerRequest: null };
const name = `deliveries-${Date.now()}`;
const queue = new Queue(name, { connection });
let left = senders * each;
const done = Promise.withResolvers<void>();
const worker = new Worker(
  name,
  async (job: { data: { id: string; sender: number; body: string } }) => {
    const { id, sender, body: text } = job.data;
    const signed = webhookHeaders([secret], { id, timestamp: Math.floor(Date.now() / 1000), body: text });
    const headers = { "content-type": "application/json", ...signed };
    await (await fetch(`http://127.0.0.1:${port}/${sender}`, { method: "POST", headers, body: text })).arrayBuffer();
    if (--left === 0) done.resolve();
  },
  { connection, concurrency: senders },
);
await worker.waitUntilReady();
const started = performance.now();
const options = { attempts: 10, backoff: { type: "exponential", delay: 5000 }, removeOnComplete: true };
for (let n = 0; n < each; n += 100) {
  const jobs = [];
  for (let i = n; i < Math.min(each, n + 100); i++) {
    for (let sender = 0; sender < senders; sender++)
      jobs.push({ name: "post", data: { id: `evt_${i}`, sender, body }, opts: options });
  }
  await queue.addBulk(jobs);
}
await done.promise;
console.log(JSON.stringify({ perSecond: (senders * each) / ((performance.now() - started) / 1000) }));
process.exit(0);
