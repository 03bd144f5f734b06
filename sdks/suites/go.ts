// The Go SDK: formatted, vetted, put through the stories, and built into a program of another module.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, type Place, type Report, run } from "./report.ts";

export async function findGo(report: Report): Promise<boolean> {
  const { code, out } = await run(["go", "version"]);
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(out) ?? [];
  if (code === 0 && (Number(major) > 1 || Number(minor) >= 21)) return true;
  report.skip(
    `GO IS MISSING: no Go 1.21 or newer on this machine${out ? ` (found ${out.trim()})` : ""}, so its SDK was NOT tested.`,
  );
  return false;
}

export async function runGo(report: Report, place: Place): Promise<void> {
  const { root, cache, hostUrl, stories } = place;
  const sdk = join(root, "sdks/go");
  const format = await run(["gofmt", "-l", "."], { cwd: sdk });
  if (format.code === 0 && format.out === "") report.ok("gofmt");
  else report.fail("gofmt", format.all);
  await check(report, "go vet", ["go", "vet", "./..."], { cwd: sdk });
  await checkModule(report, sdk, join(cache, "go"));

  const ran = await run(["go", "test", "-count=1", "-json", "./..."], {
    cwd: sdk,
    env: { ACTION_CONNECTOR_STORIES: hostUrl },
  });
  const output = new Map<string, string>();
  let told = 0;
  for (const line of ran.out.split("\n").filter((l) => l.startsWith("{"))) {
    const { Action, Test, Output } = JSON.parse(line);
    if (!Test) continue;
    if (Output) output.set(Test, (output.get(Test) ?? "") + Output);
    const isStory = Test.startsWith("TestStories/");
    if (isStory && (Action === "pass" || Action === "fail")) told++;
    if (Test === "TestStories") continue;
    if (Action === "pass") report.ok(Test);
    if (Action === "fail") report.fail(Test, output.get(Test) ?? "");
    if (Action === "skip") report.skip(`${Test}: ${(output.get(Test) ?? "").trim()}`);
  }
  if (told !== stories) report.fail("stories", `${told} of ${stories} stories were told\n${ran.all.slice(-3000)}`);
}

/** Another module uses this one through a replace, as one does before a release. */
async function checkModule(report: Report, sdk: string, clean: string): Promise<void> {
  rmSync(clean, { recursive: true, force: true });
  mkdirSync(clean, { recursive: true });
  const module = "github.com/action-connector/action-connector-go";
  writeFileSync(
    join(clean, "go.mod"),
    `module example.com/use\n\ngo 1.21\n\nrequire ${module} v1.0.0\n\nreplace ${module} => ${JSON.stringify(sdk)}\n`,
  );
  const main = [
    "package main",
    "",
    "import (",
    '\t"fmt"',
    "",
    `\tac "${module}"`,
    ")",
    "",
    "func main() {",
    '\tclient, err := ac.New(ac.WithAPIKey("acn_test_x"), ac.WithBaseURL("https://x.example"))',
    "\tfmt.Println(client, err)",
    "}",
    "",
  ];
  writeFileSync(join(clean, "main.go"), main.join("\n"));
  await check(report, "is used by another module", ["go", "run", "."], { cwd: clean });
}
