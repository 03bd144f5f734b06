// For worker.test.ts alone: a worker that takes one job, says so, and never finishes it.
import pino from "pino";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { connect } from "../store/db.ts";
import { startWorker } from "./worker.ts";

const db = await connect({ url: process.argv[2], pool: 2, timeoutMs: 10_000 });
const job = {
  name: "t.orphan",
  run: () => {
    console.log("taken");
    return new Promise<void>(() => {});
  },
};
const log = pino({ level: "silent" });
await startWorker({ db, jobs: [job], concurrency: 1, clock: systemClock, random: systemRandom, log });
