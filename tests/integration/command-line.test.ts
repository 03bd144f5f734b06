// The command line as an operator meets it, on a running service with its embedded database.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeDataFolder, type Running, removeDataFolder, startConnector, startOnTerminal } from "../connector.ts";

const main = resolve(import.meta.dir, "../../server/main.ts");
const folder = makeDataFolder();
let service: Running;
beforeAll(async () => {
  service = await startConnector(folder);
}, 120_000);
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

/** Asks with the key until it gets the status, which a running service gives within a second of a change. */
async function until(key: string, wanted: number): Promise<number> {
  const sinceNs = Bun.nanoseconds();
  for (;;) {
    const { status } = await call(key);
    if (status === wanted || Bun.nanoseconds() - sinceNs > 10e9) return status;
    // Uncounted requests in between: asking as fast as possible would spend the quota before the second is over.
    await Promise.all(Array.from({ length: 30 }, () => fetch(`${service.url}/health/live`)));
  }
}

const readFileIfPlain = (path: string) => (statSync(path).isFile() ? readFileSync(path, "utf8") : "");

describe("connector start", () => {
  test("leaves the first test key in a file that only its owner can read, and no live key anywhere", async () => {
    expect(statSync(join(folder, "first-key")).mode & 0o777).toBe(0o600);
    const profile: any = await (await call(service.key)).json();
    expect(profile.data).toMatchObject({ mode: "test", plan: "max" });
    expect(profile.data.scopes).toContain("admin");
    expect(existsSync(join(folder, "first-live-key"))).toBe(false);
    expect(service.printed).not.toContain("acn_live_");
    expect(service.printed).toContain(`connector keys create --account ${profile.data.user_id} --mode live`);
    const made = connector(["keys", "list", "--account", profile.data.user_id]).out;
    expect(made).not.toContain(" live ");
  });

  test("prints a live key without admin on a terminal, at the first start alone", async () => {
    const own = makeDataFolder();
    const first = await startOnTerminal(own);
    const key = /acn_live_\w+/.exec(first.printed)?.[0] ?? "";
    const profile = await fetch(`${first.url}/api/v1/user/profile`, { headers: { Authorization: `Bearer ${key}` } });
    const { data } = (await profile.json()) as any;
    expect(data.mode).toBe("live");
    expect(data.scopes).not.toContain("admin");
    await first.stop();
    const second = await startOnTerminal(own);
    expect(second.printed).not.toContain("acn_live_");
    await second.stop();
    expect(readdirSync(own).filter((f) => readFileIfPlain(join(own, f)).includes("acn_live_"))).toEqual([]);
    removeDataFolder(own);
  }, 120_000);

  test("and health says whether it is ready", () => {
    expect(connector(["health", "--url", service.url])).toMatchObject({ code: 0, out: "ready\n" });
    expect(connector(["health", "--url", "http://127.0.0.1:1"]).code).toBe(1);
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
    expect(await until(key.key, 401)).toBe(401);
    expect(connector(["accounts", "plan", "--account", made.account_id, "--plan", "plus"]).out).toContain(
      "now on plus",
    );
    expect(connector(["audit", "verify"]).out).toMatch(/rows hold/);
  }, 120_000);

  test("roll gives a new key and lets the old one work through its grace", async () => {
    const made = JSON.parse(connector(["accounts", "create", "--plan", "free", "--name", "Rolled", "--json"]).out);
    const id = made.test_key.id;
    const rolled = JSON.parse(connector(["keys", "roll", "--key", id, "--grace-seconds", "600", "--json"]).out);
    expect(rolled).toMatchObject({ mode: "test", old_key_id: id });
    expect([(await call(rolled.key)).status, (await call(made.key)).status]).toEqual([200, 200]);
    expect(connector(["keys", "roll", "--key", id, "--grace-seconds", "soon"]).err).toContain("whole number");
    expect(connector(["keys", "roll", "--key", "key_none"]).err).toContain("names no valid key");
  });

  test("suspend refuses every key of the account until resume; delete leaves nothing but the audit log", async () => {
    const made = JSON.parse(connector(["accounts", "create", "--plan", "max", "--name", "Gone", "--json"]).out);
    const account = ["--account", made.account_id];
    expect((await call(made.key)).status).toBe(200);
    expect(connector(["accounts", "suspend", ...account]).code).toBe(0);
    expect([await until(made.key, 403), await until(made.live_key.key, 403)]).toEqual([403, 403]);
    expect((await (await call(made.key)).json()).error.code).toBe("account_suspended");
    expect(connector(["accounts", "list"]).out).toContain("Gone  (suspended)");
    expect(connector(["accounts", "resume", ...account]).code).toBe(0);
    expect(await until(made.key, 200)).toBe(200);
    expect(connector(["accounts", "delete", ...account])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--yes"),
    });
    expect(connector(["accounts", "delete", ...account, "--yes"]).code).toBe(0);
    expect(await until(made.key, 401)).toBe(401);
    expect(connector(["accounts", "list"]).out).not.toContain(made.account_id);
    expect(connector(["accounts", "delete", ...account, "--yes"]).err).toContain("names no account");
    expect(connector(["audit", "verify"]).out).toMatch(/rows hold/);
  }, 120_000);

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
    expect(connector(["backup", join(folder, "none", "b.gz")])).toMatchObject({ code: 2, out: "" });
  });

  test("and restore count alike; a restore needs the secret, or says that it goes on without it", () => {
    const file = join(folder, "counted.gz");
    const [, kept] = /kept (\d+ rows of \d+ tables)/.exec(connector(["backup", file]).out)!;
    const other = makeDataFolder();
    const elsewhere = { CONNECTOR_DATA_DIR: other };
    const refused = connector(["restore", file], elsewhere);
    expect([refused.code, refused.err.trim().split("\n")]).toEqual([2, [expect.stringContaining("another secret")]]);
    copyFileSync(join(folder, "secret"), join(other, "secret"));
    expect(connector(["restore", file], elsewhere).out).toContain(`restored ${kept}`);
    removeDataFolder(other);
  }, 120_000);

  test("of a missing or damaged file is one line, and starts no store", () => {
    const other = makeDataFolder();
    writeFileSync(join(other, "bad.gz"), "no backup");
    for (const name of ["none.gz", "bad.gz"]) {
      const { code, err } = connector(["restore", join(other, name)], { CONNECTOR_DATA_DIR: other });
      expect([code, err.trim().split("\n").length, err]).toEqual([
        2,
        1,
        expect.stringContaining("Nothing was restored"),
      ]);
    }
    expect(existsSync(join(other, "postgres"))).toBe(false);
    removeDataFolder(other);
  });
});

describe("connector help and try", () => {
  test("help names every command; help config every setting", () => {
    expect(connector(["help"]).out).toContain("Make, list, roll and revoke keys");
    expect(connector(["help", "accounts"]).out).toContain("accounts create");
    expect(connector(["help", "config"]).out).toContain("CONNECTOR_DATABASE_URL");
  });

  test("try takes text as well as a file, and says how it is called", () => {
    expect(JSON.parse(connector(["try", "query", "kettle AND steel", "A steel kettle"]).out)).toMatchObject({
      matched: true,
    });
    const file = join(folder, "text.txt");
    writeFileSync(file, "A steel kettle");
    expect(JSON.parse(connector(["try", "query", "teapot", file]).out)).toMatchObject({ matched: false });
    expect(JSON.parse(connector(["try", "detect", "some", "text"]).out)).toHaveProperty("verdict");
    for (const words of [["query", "a"], ["query"], ["detect"], ["page", "none.html"]]) {
      const { code, err } = connector(["try", ...words]);
      expect([words, code, err]).toEqual([words, 2, expect.stringMatching(/^Usage: connector try|does not exist/)]);
    }
  });

  test("try geocode sees what was imported into the data folder, by words and by JSON lines", () => {
    const village = "DE\t99999\tKleinkleckersdorf\tBayern\tBY\t\t00\tKreis\t09\t48.5\t11.9\t4";
    const file = join(folder, "postal.txt");
    writeFileSync(file, village);
    expect(connector(["geodata", "import", file]).code).toBe(0);
    expect(connector(["geodata", "list"]).out).toContain("within seconds");
    const found = { country: "DE", precision: "postcode" };
    expect(JSON.parse(connector(["try", "geocode", "99999 Kleinkleckersdorf"]).out)).toMatchObject(found);
    const line = '{"query":"99999 Kleinkleckersdorf"}\n';
    expect(JSON.parse(connector(["try", "geocode", "-"], {}, line).out)).toMatchObject(found);
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
