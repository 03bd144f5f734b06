// Ours beside Stripe's and OpenAI's SDKs: the same questions put to the installed packages. The table of docs/sdks.md must
// say what they did; where it does not, the right table is printed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check, run } from "../../sdks/suites/report.ts";
import { type Bench, npmTools, pythonTools } from "./bench.ts";

const NPM = ["stripe@23", "openai@6"];
const PYPI = ["stripe==16.*", "openai==3.*", "httpx"];
/** What our Python package needs: httpx. */
const OUR_PYTHON_DEPENDENCIES = "1";

interface Seen {
  stripe: string;
  openai: string;
  rows: { question: string; ours: string; stripe: string; openai: string }[];
}

/** Question → the checks of `npm run sdks` that hold ours to it. Stories run in all three languages. */
export const shownBy: Record<string, string[]> = {
  "nested resources": ["every call reaches its route with every field"],
  "attempts while the service answers 503": ["it gives up after two retries", "the wait doubles up to eight seconds"],
  "429 with `Retry-After: 1`": ["Retry-After in seconds is obeyed", "Retry-After as a date is obeyed"],
  "a success cut in half": ["an answer cut in half leaves exactly one delivery"],
  "idempotency key on a write": ["an answer lost on the way leaves exactly one delivery"],
  "a redirect to another host": ["a redirect is not followed, so the key goes nowhere else"],
  "a limit for the whole call": ["the whole call ends in time, waits included"],
  "a list as an iterator over all pages": ["a list is walked page by page"],
  "a stream whose connection breaks": ["a cut stream goes on behind the last event"],
  "the class of a 404, and its request id": ["an unknown id is a not-found error"],
  "error codes as a type": ["all faults of a request are told together, each with its hint"],
  "the headers of an answer": ["a first call schedules a delivery"],
  "what is left of the quota": ["a paced client waits for the quota instead of being refused"],
  "any route by hand": ["any route can be called by hand"],
  "webhooks: several secrets": ["a webhook of the service proves itself, also while its secret is rolled"],
  "webhooks signed for your tests": ["a signed webhook passes, and webhook.test is a known type"],
  "a fake service in the package": ["a fake answers, refuses and remembers"],
  "a request log by an environment variable": ["ACTION_CONNECTOR_LOG turns the log on"],
  "the key when the client is printed": ["no way of printing shows the key"],
  "times of an answer": ["dates are sent as times, and the times of an answer become dates"],
  dependencies: ["installs in a clean folder"],
  "a generated list of all calls in the package": ["npm run check (generated)"],
  "Python: attempts of a write while the service answers 503": ["it gives up after two retries"],
  "Python: idempotency key on a write": ["an answer lost on the way leaves exactly one delivery"],
  "Python: the key in `repr` and `vars` of the client": ["test_no_print_shows_the_key"],
  "Python: dependencies": ["installs from the wheel"],
};

export async function checkPeers(bench: Bench): Promise<void> {
  const { root, report } = bench;
  const [npm, python] = [await npmTools(bench, NPM), await pythonTools(bench, PYPI)];
  if (!npm || !python) return;
  const sdk = join(root, "sdks/typescript");
  if (
    !existsSync(join(sdk, "dist/esm/index.js")) &&
    !(await check(report, "our SDK builds", ["npm", "run", "build"], { cwd: sdk }))
  )
    return;
  const typescript = await ask(bench, ["node", join(import.meta.dir, "peers.mjs"), npm, sdk]);
  const scripts = [join(import.meta.dir, "peers.py"), join(root, "sdks/python/src"), OUR_PYTHON_DEPENDENCIES];
  const pythonic = await ask(bench, [join(python, "bin/python"), ...scripts]);
  if (!typescript || !pythonic) return;
  const table = render(typescript, pythonic);
  if (readFileSync(join(root, "docs/sdks.md"), "utf8").includes(table)) report.ok("peers");
  else report.fail("peers", `docs/sdks.md does not say what was seen. Hint: put this table there.\n\n${table}`);
}

async function ask({ report }: Bench, command: string[]): Promise<Seen | null> {
  const { code, out, all } = await run(command, { env: { ACTION_CONNECTOR_LOG: "off" } });
  const line = out.trim().split("\n").at(-1) ?? "";
  if (code === 0 && line.startsWith("{")) return JSON.parse(line);
  report.fail("peers", all.slice(-3000));
  return null;
}

function render(typescript: Seen, python: Seen): string {
  const versions = (name: "stripe" | "openai") => `npm ${typescript[name]}, PyPI ${python[name]}`;
  const rows = [...typescript.rows, ...python.rows].map(
    ({ question, ours, stripe, openai }) =>
      `| ${question} | ${ours} | ${stripe} | ${openai} | ${(shownBy[question] ?? []).map((name) => `"${name}"`).join(", ")} |`,
  );
  return `| | Action Connector | Stripe (${versions("stripe")}) | OpenAI (${versions("openai")}) | ours is held to it by |\n|---|---|---|---|---|\n${rows.join("\n")}\n`;
}
