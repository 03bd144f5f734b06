// Schemathesis against the running service: every check, every phase. Exclusions stand in schemathesis.toml, each with
// its reason; schemathesis_hooks.py teaches it what a schema cannot say.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, pythonTools } from "./bench.ts";

const PACKAGES = ["schemathesis==4.32.5"];
const RUN_MS = 3_600_000;
/** Another seed than that of schemathesis.toml: `CONSUMERS_SEED=2 npm run consumers -- schemathesis`. */
const SEED = process.env.CONSUMERS_SEED;

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
  // The log is written as the run goes, so that one that is cut short still says what it found.
  const log = join(cache, `schemathesis${parts.length > 0 ? `-${parts.join("-")}` : ""}.log`);
  // An earlier log would show below a shorter one.
  rmSync(log, { force: true });
  console.log(`schemathesis writes ${log}`);
  const whole = [...command, "run", `${service.url}/openapi.json`, ...only, ...(SEED ? ["--seed", SEED] : [])];
  const child = Bun.spawn(whole, {
    cwd: cache,
    env: { ...process.env, ...env },
    stdout: Bun.file(log),
    stderr: "inherit",
    timeout: RUN_MS,
  });
  const code = await child.exited;
  const text = readFileSync(log, "utf8");
  console.log(text.slice(text.lastIndexOf("= SUMMARY =")));
  if (code === 0) report.ok("schemathesis");
  else report.fail("schemathesis", text.slice(-20_000));
}
