// The launcher in a checkout of its own, with an npm and a Bun made for the test: what it installs, and when.
import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "..");
/** All that help and the launcher load: it must work before anything is installed. */
const FILES = ["tools/run.mjs", "package.json", ...new Bun.Glob("server/commands/**/*.mjs").scanSync(ROOT)];
const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A Bun that prints what it was called with. */
const FAKE_BUN = '#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "bun $*"\n';
/** Where npm puts the binary with install scripts off, and where Bun's install script moves it. */
const PLATFORM_PACKAGE = "node_modules/@oven/bun-any/bin/bun";
const BUN_PACKAGE = "node_modules/bun/bin/bun.exe";

function script(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** `brings` is where the checkout's npm puts a Bun; null for an npm that brings none. */
function checkout(options: { installed?: string[]; brings?: string | null }) {
  const folder = mkdtempSync(join(tmpdir(), "connector checkout "));
  made.push(folder);
  for (const file of FILES) cpSync(join(ROOT, file), join(folder, file));
  writeFileSync(join(folder, "package-lock.json"), "{}");
  utimesSync(join(folder, "package-lock.json"), new Date(0), new Date(1_000_000));
  if (options.installed) {
    for (const path of options.installed) script(join(folder, path), FAKE_BUN);
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    writeFileSync(join(folder, "node_modules", ".package-lock.json"), "{}");
  }
  const bring = options.brings
    ? `mkdir -p "${dirname(options.brings)}" && cp bun.txt "${options.brings}" && chmod 755 "${options.brings}"`
    : ":";
  writeFileSync(join(folder, "bun.txt"), FAKE_BUN);
  script(
    join(folder, "bin", "npm"),
    `#!/bin/sh\necho "$*" >> npm.log\nmkdir -p node_modules\necho {} > node_modules/.package-lock.json\n${bring}\n`,
  );
  return folder;
}

function run(folder: string, words: string[], nodeFlags: string[] = []) {
  const node = Bun.which("node")!;
  const ran = Bun.spawnSync([node, ...nodeFlags, join(folder, "tools", "run.mjs"), ...words], {
    env: { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}` },
    cwd: tmpdir(),
  });
  const log = join(folder, "npm.log");
  return {
    code: ran.exitCode,
    out: ran.stdout.toString(),
    err: ran.stderr.toString(),
    installs: existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0,
  };
}

describe("the launcher", () => {
  test("answers help and version without installing anything", () => {
    const folder = checkout({ brings: BUN_PACKAGE });
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    for (const words of [[], ["help"], ["-h"], ["--help"], ["help", "keys"], ["keys", "--help"], ["help", "config"]])
      expect([words, run(folder, words)]).toEqual([words, expect.objectContaining({ code: 0, err: "", installs: 0 })]);
    expect(run(folder, ["--version"])).toMatchObject({ code: 0, out: `connector ${version}\n`, installs: 0 });
    expect(run(folder, ["help", "kyes"])).toMatchObject({ code: 2, installs: 0 });
  });

  test("installs once when nothing is installed, then hands over", () => {
    const folder = checkout({ brings: PLATFORM_PACKAGE });
    const first = run(folder, ["start"]);
    expect([first.code, first.installs]).toEqual([0, 1]);
    expect(first.out).toContain("server/main.ts start");
    expect(run(folder, ["start"]).installs).toBe(1);
  });

  test.each([PLATFORM_PACKAGE, BUN_PACKAGE])("finds Bun in %s", (path) => {
    const ran = run(checkout({ installed: [path] }), ["start"]);
    expect([ran.code, ran.installs]).toEqual([0, 0]);
  });

  test("reinstalls once without being asked when Bun is in neither place", () => {
    const ran = run(checkout({ installed: [], brings: BUN_PACKAGE }), ["keys", "list"]);
    expect([ran.code, ran.installs]).toEqual([0, 1]);
    expect(ran.out).toContain("server/main.ts keys list");
  });

  test("gives up with one line when the reinstall brings no Bun either", () => {
    const ran = run(checkout({ installed: [], brings: null }), ["start"]);
    expect([ran.code, ran.installs]).toEqual([1, 1]);
    expect(ran.err.trimEnd().split("\n")).toEqual([
      expect.stringContaining("Installing again"),
      expect.stringMatching(/^npm brought no Bun .* Hint: /),
    ]);
  });

  test("an old Node is refused with one line", () => {
    const folder = checkout({});
    const preload = join(folder, "old.cjs");
    writeFileSync(preload, 'Object.defineProperty(process.versions, "node", { value: "16.20.2" });');
    const ran = run(folder, ["start"], ["--require", preload]);
    expect(ran).toMatchObject({
      code: 1,
      installs: 0,
      err: "Node 16.20.2 is too old. Hint: install Node 18 or newer.\n",
    });
  });
});
