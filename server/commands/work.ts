// `connector work`: background work in a process of its own, as many of them as you like.
import { startWorkOnly } from "../compose.ts";
import type { Command } from "./index.ts";
import { stopSignal } from "./stop-signal.ts";

export const work: Command = {
  usage: "work",
  summary: "Do the background work (jobs, webhook deliveries) without serving HTTP.",
  async run({ config }) {
    const running = await startWorkOnly(config());
    console.log("working");
    const signal = await stopSignal();
    console.log(`${signal}: finishing what is in flight …`);
    await running.stop();
    console.log("stopped");
    process.exit(0);
  },
};
