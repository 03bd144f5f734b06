// One of several processes behind one port: it is given its settings by the first process, answers requests, and ends when
// the first one asks, or is gone.
import { type Service, startService } from "../../compose.ts";
import { systemUptimeOffsetMs } from "../../lib/clock.ts";
import type { FromMember, MemberStart, Scraped, ToMember } from "../../compose/processes.ts";

const tell = (message: FromMember) => void process.send!(message);

/** Never returns: the process ends with the group. */
export function runMember(): Promise<never> {
  const asked = new Map<number, (scraped: Scraped) => void>();
  let service: Service | null = null;
  let lastId = 0;

  /** The first process knows all others. */
  const scrapeAll = (): Promise<Scraped> =>
    new Promise((done) => {
      const id = ++lastId;
      asked.set(id, done);
      tell({ type: "scrape_all", id });
    });

  async function start({ config, limitsFile, ...shared }: MemberStart): Promise<void> {
    const limits = { file: limitsFile, offsetMs: systemUptimeOffsetMs() };
    service = await startService(config, { group: { ...shared, limits, scrapeAll } });
    tell({ type: "ready" });
  }

  async function receive(message: ToMember): Promise<void> {
    if (message.type === "start") return start(message.start);
    if (message.type === "scrape") {
      const scraped = await service?.scrape();
      return tell({ type: "scraped", id: message.id, text: scraped?.text ?? "" });
    }
    if (message.type === "scraped_all") {
      asked.get(message.id)?.({ contentType: PROMETHEUS_TEXT, text: message.text });
      return void asked.delete(message.id);
    }
    await service?.stop({ drain: message.drain });
    process.exit(0);
  }

  // A signal to the whole group reaches the first process too, which then asks us to stop.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => {});
  process.on("disconnect", () => process.exit(1));
  process.on("message", (message: ToMember) => {
    receive(message).catch((error) => {
      console.error(error);
      process.exit(1);
    });
  });
  tell({ type: "hello" });
  return new Promise<never>(() => {});
}

const PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
