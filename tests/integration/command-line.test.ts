// The command line as an operator meets it, on a running service with its embedded database.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeDataFolder, type Running, removeDataFolder, startConnector } from "../connector.ts";

const main = resolve(import.meta.dir, "../../server/main.ts");
const folder = makeDataFolder();
let service: Running;
beforeAll(async () => {
  service = await startConnector(folder);
}, 60_000);
afterAll(async () => {
  await service.stop();
  removeDataFolder(folder);
});

function connector(words: string[], settings: Record<string, string> = {}, input = "") {
  const ran = Bun.spawnSync([process.execPath, main, ...words], {
    env: { ...process.env, CONNECTOR_DATA_DIR: folder, ...settings },
    cwd: folder,
    stdin: Buffer.from(input),
  });
  return { code: ran.exitCode, out: ran.stdout.toString(), err: ran.stderr.toString() };
}

const call = (key: string, path = "/user/profile") =>
  fetch(`${service.url}/api/v1${path}`, { headers: { Authorization: `Bearer ${key}` } });

describe("connector start", () => {
  test("leaves the first keys in files that only their owner can read, and both work", async () => {
    for (const [file, mode] of [
      ["first-key", "test"],
      ["first-live-key", "live"],
    ] as const) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
      const profile: any = await (await call(readFileSync(join(folder, file), "utf8").trim())).json();
      expect(profile.data).toMatchObject({ mode, plan: "max" });
      expect(profile.data.scopes).toContain("admin");
    }
  });

  test("refuses a data folder that is in use, and names who uses it", () => {
    const second = connector(["start"], { CONNECTOR_PORT: "0" });
    expect([second.code, second.err]).toEqual([
      2,
      expect.stringMatching(/in use by the connector with pid \d+\. Hint/),
    ]);
  });

  test("lists every fault of the configuration at once", () => {
    const { code, err } = connector(["start"], { CONNECTOR_PORT: "no", CONNECTOR_HOSTT: "x" });
    expect(code).toBe(2);
    expect(err).toContain("2 faults");
    expect(err).toContain("Did you mean CONNECTOR_HOST?");
  });
});

describe("connector accounts and keys", () => {
  test("make an account and a key that works at once; revoke it, and it stops within a second", async () => {
    const made = JSON.parse(connector(["accounts", "create", "--plan", "max", "--name", "Zoë", "--json"]).out);
    expect((await call(made.key)).headers.get("RateLimit-Policy")).toBe('"max";q=2000;w=60');
    const words = [
      "keys",
      "create",
      "--account",
      made.account_id,
      "--mode",
      "live",
      "--scopes",
      "profile:read",
      "--json",
    ];
    const key = JSON.parse(connector(words).out);
    expect((await call(key.key)).status).toBe(200);
    expect((await call(key.key, "/usage")).status).toBe(403);
    expect(connector(["keys", "revoke", "--key", key.id]).code).toBe(0);
    const revoked = Bun.nanoseconds();
    let status = 200;
    while (status === 200 && Bun.nanoseconds() - revoked < 10e9) {
      // Uncounted requests in between: asking as fast as possible would spend the quota before the second is over.
      await Promise.all(Array.from({ length: 30 }, () => fetch(`${service.url}/health/live`)));
      status = (await call(key.key)).status;
    }
    expect(status).toBe(401);
    expect(connector(["accounts", "plan", "--account", made.account_id, "--plan", "plus"]).out).toContain(
      "now on plus",
    );
    expect(connector(["audit", "verify"]).out).toMatch(/rows hold/);
  }, 60_000);

  test("say what is wrong and how to correct it", () => {
    expect(connector(["accounts", "create", "--plan", "gold", "--name", "x"]).err).toContain("free, plus, max");
    expect(connector(["keys", "create", "--account", "usr_x", "--mode", "test"]).err).toContain("names no account");
    const odd = ["keys", "create", "--account", "usr_x", "--mode", "test", "--scopes", "delivery:wirte"];
    expect(connector(odd).err).toContain("Did you mean delivery:write?");
    expect(connector(["acounts"]).err).toContain("Did you mean accounts?");
  });
});

describe("connector backup", () => {
  test("keeps everything while the service runs, in one file only its owner can read", () => {
    const file = join(folder, "backup.gz");
    expect(connector(["backup", file]).out).toMatch(/kept \d+ rows of \d+ tables/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);
    expect(connector(["restore", file]).err).toContain("not empty");
  });
});

describe("connector help and try", () => {
  test("help names every command; help config every setting", () => {
    expect(connector(["help"]).out).toContain("Make, list, roll and revoke keys");
    expect(connector(["help", "accounts"]).out).toContain("accounts create");
    expect(connector(["help", "config"]).out).toContain("CONNECTOR_DATABASE_URL");
  });

  test("try answers one question, or JSON lines", () => {
    expect(JSON.parse(connector(["try", "geocode", "Austin, TX"]).out)).toMatchObject({ country: "US" });
    const lines = connector(["try", "geocode", "-"], {}, '{"query":"Paris, France"}\nnot json\n')
      .out.trim()
      .split("\n");
    expect(JSON.parse(lines[0])).toMatchObject({ country: "FR" });
    expect(JSON.parse(lines[1])).toHaveProperty("error");
  });
});
