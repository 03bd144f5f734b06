// Redocly and Spectral: no errors and no warnings. What is turned off says why in its configuration.
import { join } from "node:path";
import { run } from "../../sdks/suites/report.ts";
import { type Bench, npmTools } from "./bench.ts";

const PACKAGES = ["@redocly/cli@2", "@stoplight/spectral-cli@6"];

export async function checkLinters(bench: Bench): Promise<void> {
  const tools = await npmTools(bench, PACKAGES);
  if (!tools) return;
  const configuration = (name: string) => join(import.meta.dir, name);
  const bin = (name: string) => join(tools, "node_modules/.bin", name);
  const redocly = await run([
    bin("redocly"),
    "lint",
    bench.openapi,
    "--config",
    configuration("redocly.yaml"),
    "--format=json",
  ]);
  judge(bench, "redocly", countOf(redocly.out), redocly.all);
  const spectral = await run([
    bin("spectral"),
    "lint",
    "-r",
    configuration("spectral.yaml"),
    "-F",
    "hint",
    bench.openapi,
  ]);
  judge(bench, "spectral", spectral.code, spectral.all);
}

function countOf(output: string): number {
  const start = output.indexOf("{");
  return start < 0 ? 1 : JSON.parse(output.slice(start)).problems.length;
}

function judge({ report }: Bench, name: string, problems: number, output: string): void {
  if (problems === 0) report.ok(name);
  else report.fail(name, output.slice(-4000));
  console.log(`${name}: ${problems} problems`);
}
