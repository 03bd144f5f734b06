// Schemathesis against the running service: every check, every phase. Exclusions stand in schemathesis.toml, each with
// its reason; hooks.py teaches it the string formats of the contract.
import { join } from "node:path";
import { run } from "../../sdks/suites/report.ts";
import { type Bench, pythonTools } from "./bench.ts";

const PACKAGES = ["schemathesis==4.32.5"];
const RUN_MS = 3_600_000;

export async function checkSchemathesis(bench: Bench): Promise<void> {
  const tools = await pythonTools(bench, PACKAGES);
  if (!tools) return;
  const { report, service } = bench;
  const command = [join(tools, "bin/schemathesis"), "--config-file", join(import.meta.dir, "schemathesis.toml")];
  const env = {
    SCHEMATHESIS_HOOKS: "schemathesis_hooks",
    PYTHONPATH: import.meta.dir,
    CONSUMER_URL: service.url,
    CONSUMER_KEY: service.key,
  };
  const ran = await run([...command, "run", `${service.url}/openapi.json`], { env, timeoutMs: RUN_MS });
  console.log(ran.all.slice(-3000));
  if (ran.code === 0) report.ok("schemathesis");
  else report.fail("schemathesis", ran.all.slice(-20_000));
}
