// The official Python client against a service of its own: tests/conformance/python-client.py.
import { join } from "node:path";
import { startHarness } from "../harness.ts";
import { pythonWith, ROOT } from "./cache.ts";

const CLIENT_VERSION = "2.3.0";

export async function run(): Promise<boolean> {
  const python = pythonWith(`mcp==${CLIENT_VERSION}`);
  const app = await startHarness();
  try {
    const script = join(ROOT, "tests", "conformance", "python-client.py");
    const child = Bun.spawn([python, script, app.url, app.key], { stdout: "inherit", stderr: "inherit" });
    return (await child.exited) === 0;
  } finally {
    await app.stop();
  }
}
