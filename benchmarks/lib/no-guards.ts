// For `bench overhead`: loaded ahead of a service, it takes the guards out of the modules as they are read. The service itself
// has no switch for this. OVERHEAD_WITHOUT=counting,guards,limits names what is taken out here.
import { plugin } from "bun";

type Edit = [file: RegExp, from: string | RegExp, to: string];

const EDITS: Record<string, Edit[]> = {
  // Leases, so that all is left to the triggers, which the benchmark drops.
  counting: [
    [/server\/platform\/caps\/leases\.ts$/, "if (!running) return null;", "if (running || !running) return null;"],
  ],
  guards: [
    // The watchdog of the event loop.
    [
      /server\/lib\/watchdog\.ts$/,
      "const stop = systemClock.every(BEAT_MS,",
      "const stop = ((_ms: number, _run: () => void) => () => {})(BEAT_MS,",
    ],
    // Deadlines on every wait for the store.
    [/server\/store\/db\.ts$/, "sql: bounded(sql, options.timeoutMs)", "sql"],
    [
      /server\/lib\/deadline\.ts$/,
      "return new Promise((resolve, reject) => {",
      "if (ms > 0) return promise;\n  return new Promise((resolve, reject) => {",
    ],
    // Which routes are in flight, for the log line of the watchdog.
    [/server\/http\/gate\.ts$/, /lane\.waiting(\+\+|--);/g, ""],
    // The guard of the disk.
    [
      /server\/platform\/store-health\/index\.ts$/,
      "if (!isLow()) return;",
      "if (Number.isNaN(freeBytes) || freeBytes >= 0) return;",
    ],
  ],
  // What an account stores and may store, as its profile shows it.
  limits: [
    [
      /server\/platform\/caps\/index\.ts$/,
      "usageOf(tenantId, plan, now) {",
      "usageOf(tenantId, plan, now) {\n      if (now > 0) return {} as never;",
    ],
  ],
};

const asked = (process.env.OVERHEAD_WITHOUT ?? "").split(",").flatMap((name) => EDITS[name] ?? []);

plugin({
  name: "no-guards",
  setup(build) {
    for (const file of new Set(asked.map(([pattern]) => pattern))) {
      build.onLoad({ filter: file }, async ({ path }) => {
        let contents = await Bun.file(path).text();
        for (const [pattern, from, to] of asked) {
          if (pattern !== file) continue;
          const edited = contents.replace(from, to);
          if (edited === contents) throw new Error(`${path} has no "${from}" to take out.`);
          contents = edited;
        }
        return { contents, loader: "ts" };
      });
    }
  },
});
