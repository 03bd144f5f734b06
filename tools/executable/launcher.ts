// What the single executable runs first: it answers help and version at once and runs the commands for users itself. For all
// others it unpacks the service, when it is new here, and runs it with the Bun that the executable is.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { version } from "../../package.json";
import { quickAnswer } from "../../server/commands/help.mjs";
import { runCommand } from "../../server/commands/run.ts";
import { isUserCommand } from "../../server/commands/user.ts";

/** `stamp` names what is packed, so that another build unpacks beside it. */
export async function launch(payload: string, stamp: string): Promise<void> {
  const argv = process.argv.slice(2);
  const answer = quickAnswer(argv, version);
  if (answer) {
    (answer.code === 0 ? console.log : console.error)(answer.text);
    process.exitCode = answer.code;
    return;
  }
  if (isUserCommand(argv[0])) {
    process.exitCode = await runCommand(argv, () => Promise.reject(new Error("The service is not in here.")));
    return;
  }
  const app = await unpack(payload, `${version}-${stamp}`);
  const words = ["run", "--no-install", "--max-http-header-size=65536", join(app, "server", "main.ts"), ...argv];
  const child = spawn(process.execPath, words, { stdio: "inherit", env: { ...process.env, BUN_BE_BUN: "1" } });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

/** The folder with the unpacked service; the first that can be written wins. */
async function unpack(payload: string, name: string): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const folders = [cache, join(tmpdir(), `cache-${process.getuid?.() ?? ""}`)].map((f) =>
    join(f, "action-connector", name),
  );
  const known = folders.find((folder) => existsSync(folder));
  if (known) return known;
  for (const folder of folders) {
    const unfinished = `${folder}.${process.pid}`;
    try {
      mkdirSync(dirname(folder), { recursive: true, mode: 0o755 });
      await new Bun.Archive(await Bun.file(payload).bytes()).extract(unfinished);
      renameSync(unfinished, folder);
      return folder;
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      if (existsSync(folder)) return folder;
      if (!/EACCES|EROFS|EPERM|ENOENT|ENOTDIR/.test(String((error as NodeJS.ErrnoException).code ?? error)))
        throw error;
    }
  }
  console.error(
    `The service cannot be unpacked into ${folders.join(" or ")}. Hint: set XDG_CACHE_HOME to a folder that can be written.`,
  );
  process.exit(2);
}
