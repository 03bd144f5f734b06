// `connector work`: background work in a process of its own, as many of them as you like.
import type { OperatorCommand } from "../command.ts";
import { startWorkOnly } from "../../compose.ts";
import { stopSignal } from "./stop-signal.ts";

export const work: OperatorCommand = async ({ config }) => {
  const running = await startWorkOnly(config());
  console.log("working");
  const signal = await stopSignal();
  console.log(`${signal}: finishing what is in flight …`);
  await running.stop();
  console.log("stopped");
  process.exit(0);
};
