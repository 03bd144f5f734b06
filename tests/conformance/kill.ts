// The full form of tests/chaos/agent.test.ts: 20 × kill -9 during tool calls.
import { ROOT } from "./cache.ts";

const KILLS = 20;

export async function run(): Promise<boolean> {
  const child = Bun.spawn([process.execPath, "test", "./tests/chaos/agent.test.ts"], {
    cwd: ROOT,
    env: { ...process.env, CONNECTOR_TEST_KILLS: String(KILLS) },
    stdout: "inherit",
    stderr: "inherit",
  });
  return (await child.exited) === 0;
}
