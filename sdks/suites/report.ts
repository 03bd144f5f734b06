// Counts what the suites did and says what failed. Runs commands; decides nothing about them.

/** Where the suites run, and the service they call. */
export interface Place {
  root: string;
  /** Where this run may write. */
  cache: string;
  hostUrl: string;
  serviceUrl: string;
  key: string;
  stories: number;
}

/** Whether a part was asked for on the command line. */
export type Wants = (part: string) => boolean;

export interface Report {
  passed: number;
  failed: number;
  skipped: number;
  ok(name: string): void;
  fail(name: string, why: string): void;
  /** One loud line. */
  skip(what: string): void;
}

export function createReport(language: string): Report {
  const report: Report = {
    passed: 0,
    failed: 0,
    skipped: 0,
    ok() {
      report.passed++;
    },
    fail(name, why) {
      report.failed++;
      console.error(`FAILED ${language}: ${name}\n${why.trim().replaceAll(/^/gm, "    ")}`);
    },
    skip(what) {
      report.skipped++;
      console.error(`SKIPPED ${language}: ${what}`);
    },
  };
  return report;
}

export interface Ran {
  code: number;
  out: string;
  /** Both outputs together. */
  all: string;
}

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  timeoutMs?: number;
}

/** Runs a command to its end; a command that cannot be started has code 127. */
export async function run(command: string[], { cwd, env, timeoutMs = 180_000 }: RunOptions = {}): Promise<Ran> {
  try {
    const child = Bun.spawn(command, {
      cwd,
      env: { ...process.env, ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    const code = await child.exited;
    clearTimeout(timer);
    return { code, out, all: out + err };
  } catch (error) {
    return { code: 127, out: "", all: (error as Error).message };
  }
}

/** A command that must succeed, as one check. */
export async function check(report: Report, name: string, command: string[], options?: RunOptions): Promise<boolean> {
  const { code, all } = await run(command, options);
  if (code === 0) report.ok(name);
  else report.fail(name, `${command.join(" ")} ended with ${code}\n${all}`);
  return code === 0;
}

/** Lines of the form {"story", "ok", "faults"}: one check each. */
export function countStories(report: Report, name: string, ran: Ran, expected: number): void {
  const lines = ran.out.split("\n").filter((line) => line.startsWith('{"story"'));
  for (const line of lines) {
    const { story, ok, faults } = JSON.parse(line);
    if (ok) report.ok(story);
    else report.fail(`${name}: ${story}`, (faults ?? []).join("\n"));
  }
  if (lines.length !== expected)
    report.fail(name, `${lines.length} of ${expected} stories were told\n${ran.all.slice(-3000)}`);
}
