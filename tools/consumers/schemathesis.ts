// Schemathesis against the running service: every check, every phase. Exclusions stand in schemathesis.toml, each with
// its reason; schemathesis_hooks.py teaches it what a schema cannot say.
import { join } from "node:path";
import { run } from "../../sdks/suites/report.ts";
import { type Bench, pythonTools } from "./bench.ts";

const PACKAGES = ["schemathesis==4.32.5"];
const RUN_MS = 3_600_000;

/** `parts` are the first words of paths (delivery, stock); none means the whole API. */
export async function checkSchemathesis(bench: Bench, parts: string[] = []): Promise<void> {
  const tools = await pythonTools(bench, PACKAGES);
  if (!tools) return;
  const { report, service, cache } = bench;
  const command = [join(tools, "bin/schemathesis"), "--config-file", join(import.meta.dir, "schemathesis.toml")];
  const only = parts.length > 0 ? ["--include-path-regex", `^/api/v1/(${parts.join("|")})(/|$)`] : [];
  const env = {
    SCHEMATHESIS_HOOKS: "schemathesis_hooks",
    PYTHONPATH: import.meta.dir,
    PYTHONDONTWRITEBYTECODE: "1",
    CONSUMER_URL: service.url,
    CONSUMER_KEY: service.key,
  };
  // Run in the cache: the tool keeps what it found before in its working folder, and a run must not depend on that.
  const options = { env, cwd: cache, timeoutMs: RUN_MS };
  const ran = await run([...command, "run", `${service.url}/openapi.json`, ...only], options);
  console.log(ran.all.slice(-5000));
  if (ran.code === 0) report.ok("schemathesis");
  else report.fail("schemathesis", ran.all.slice(-20_000));
}
