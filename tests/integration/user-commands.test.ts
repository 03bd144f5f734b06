// The command line as a user of a server meets it: every command as a child process against one real service.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { runOnTerminal, startCommand } from "../command.ts";
import { makeDataFolder, makeLiveKey, type Running, removeDataFolder, startConnector } from "../connector.ts";

const ROOT = join(import.meta.dir, "../..");
const folder = makeDataFolder();
const home = makeDataFolder();
const profiles = join(home, "action-connector", "profiles.json");
const { CONNECTOR_URL: _url, CONNECTOR_API_KEY: _key, CONNECTOR_PROFILE: _profile, ...inherited } = process.env;
const env: Record<string, string | undefined> = { ...inherited, XDG_CONFIG_HOME: home };
const PROSE =
  "The ferry left the harbour late that morning, and nobody on the upper deck seemed to care. A man in a green coat fed the gulls while his daughter counted boats. " +
  "We had packed sandwiches, far too many of them, and a thermos that leaked into the bag. By noon the fog had lifted. The island looked smaller than I remembered it, " +
  "its white houses scattered like sugar cubes along the slope, and my aunt was already waving from the pier with the dog at her feet.";

let service: Running;
beforeAll(async () => {
  service = await startConnector(folder);
}, 120_000);
afterAll(async () => {
  await service.stop();
  removeDataFolder(folder);
  removeDataFolder(home);
});

const run = (words: string[], input = "", more: Record<string, string> = {}) =>
  startCommand(words, { ...env, ...more }, input).ended;
const json = async (...words: string[]) => JSON.parse((await run([...words, "--json"])).out);

describe("a newcomer", () => {
  test("without a profile is sent to login, with an exit code of its own", async () => {
    const { code, err, out } = await run(["quote", "AAPL"]);
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain("connector login");
  });

  test("a wrong key is refused and not kept", async () => {
    const { code, err } = await run(["login", "--url", service.url, "--key", "acn_test_wrong"]);
    expect([code, existsSync(profiles)]).toEqual([3, false]);
    expect(err).toContain("invalid_api_key");
  });

  test("login reads the key from standard input and keeps it where only its owner can read it", async () => {
    const { code, out } = await run(["login", "--url", service.url], `${service.key}\n`);
    expect(code).toBe(0);
    expect(out).toMatch(/mode +test/);
    expect(out).not.toContain(service.key);
    expect(statSync(profiles).mode & 0o777).toBe(0o600);
    expect((await run(["login", "--list"])).out).not.toContain(service.key);
  });

  test("profiles hold several servers; flags, a named profile and the environment choose", async () => {
    const live = await makeLiveKey(service.url, folder);
    expect((await run(["login", "--url", service.url, "--key", live, "--profile", "work"])).code).toBe(0);
    const [work, first] = (await run(["login", "--list", "--json"])).out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .reverse();
    expect([work.profile, work.current, first.profile, first.current]).toEqual(["work", true, "default", false]);
    const refused = await run(["trigger", "delivery.scheduled"]);
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining("test key")]);
    expect((await run(["trigger", "delivery.scheduled", "--profile", "default"])).code).toBe(0);
    expect((await run(["trigger", "delivery.scheduled"], "", { CONNECTOR_PROFILE: "default" })).code).toBe(0);
    const given = { CONNECTOR_URL: service.url, CONNECTOR_API_KEY: service.key };
    expect((await run(["trigger", "delivery.scheduled"], "", given)).code).toBe(0);
    expect((await run(["quote", "AAPL", "--profile", "wrok"])).err).toContain("Did you mean work?");
    expect((await run(["login", "--remove", "--profile", "work"])).out).toContain("work is forgotten");
    expect((await run(["trigger", "delivery.scheduled"])).code).toBe(0);
  }, 60_000);

  test("is warned when others can read the file, and told when it is damaged", async () => {
    chmodSync(profiles, 0o644);
    expect((await run(["login", "--list"])).err).toContain("chmod 600");
    chmodSync(profiles, 0o600);
    const kept = readFileSync(profiles, "utf8");
    writeFileSync(profiles, "{");
    expect(await run(["login", "--list"])).toMatchObject({ code: 2, err: expect.stringContaining("connector login") });
    writeFileSync(profiles, kept, { mode: 0o600 });
  });
});

describe("one command per action", () => {
  test("schedule makes a delivery; track finds it again; --dry-run makes none", async () => {
    const made = await json("schedule", "350 5th Ave, New York", "Downtown Brooklyn", "--notes", "ring twice");
    expect(made).toMatchObject({ status: "scheduled", notes: "ring twice", simulated: true });
    expect((await run(["track", made.delivery_id])).out).toContain(made.delivery_id);
    expect((await run(["schedule", "Berlin", "Potsdam", "--dry-run"])).out).toMatch(/distance +\d/);
    expect((await json("schedule", "Berlin", "Potsdam", "--dry-run")).delivery_id).toBeUndefined();
  });

  test("track watches a product page and lists it", async () => {
    const tracker = await json("track", `${service.url}/demo-shop/kettle`, "--target", "40.00");
    expect(tracker).toMatchObject({ product: { name: "Copper kettle" }, alerts: { target_price: "40.00" } });
    expect((await run(["track"])).out).toContain(tracker.id);
  });

  test("quote shows each symbol, and says by its exit code when one has no quote", async () => {
    const { code, out } = await run(["quote", "AAPL", "NOSUCHSYMBOL"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^SYMBOL +PRICE/);
    expect(out).toMatch(/AAPL +\d+\.\d+ +USD/);
    expect(out).toContain("symbol_not_found");
    expect((await json("quote", "AAPL")).results[0].ok).toBe(true);
    expect((await run(["quote", "AAPL", "--follow", "--limit", "1", "--json"])).out).toContain('"symbol":"AAPL"');
  });

  test("alert creates, previews and lists", async () => {
    const made = await json("alert", "kettle AND price<30", "--name", "cheap kettles");
    expect(made).toMatchObject({ status: "active", name: "cheap kettles" });
    expect((await run(["alert"])).out).toContain(made.id);
    expect((await run(["alert", "kettle", "--dry-run"])).out).toContain("recent items");
  });

  test("analyze judges a text, a file, standard input, and several files in the background", async () => {
    expect((await json("analyze", "--text", "too short")).verdict).toBe("too_short");
    expect((await run(["analyze", "-"], PROSE)).out).toMatch(/verdict +\w+/);
    const files = ["a.txt", "b.txt", "c.html"].map((name) => join(home, name));
    for (const file of files) writeFileSync(file, file.endsWith("html") ? `<p>${PROSE}</p>` : PROSE);
    const { code, out } = await run(["analyze", ...files]);
    expect([code, out.trim().split("\n").length]).toEqual([0, 4]);
    expect(out).toMatch(/a\.txt +(likely_human|unclear|mixed|likely_ai) /);
  });
});

describe("wrong input names what to type", () => {
  test.each([
    [["schedule", "Berlin"], 2, /Usage: connector schedule FROM TO/],
    [["schedule", "Berlin", "Potsdam", "--tiem", "asap"], 2, /Did you mean --time\?/],
    [["schedule", "Berlin", "Potsdam", "--vehicle", "rocket"], 1, /--vehicle: .*car, van/],
    [["schedule", "Berlin", "Potsdam", "--time", "yesterday"], 1, /--time: /],
    [["track", "kettle"], 2, /connector track https:/],
    [["quote"], 2, /connector quote AAPL/],
    [["quote", "AAPL", "--follow", "--limit", "many"], 2, /--limit 10/],
    [["alert", "a", "b"], 2, /in quotes/],
    [["alert", "kettle", "--notify", "me"], 2, /--notify me@example\.com/],
    [["analyze", "none.txt"], 2, /--text/],
    [["events"], 2, /connector events tail/],
    [["events", "tail", "--type", "delivry.*"], 1, /--type: .*delivery/s],
    [["webhooks", "listen"], 2, /--forward-to http/],
    [["webhooks", "listen", "--forward-to", "http://"], 2, /--forward-to http/],
    [["trigger", "delivery.delivred"], 2, /Did you mean delivery\.delivered\?/],
    [["trigger"], 2, /connector trigger delivery\.scheduled/],
    [["logs", "tail", "--status", "bad"], 2, /--status 4xx/],
    [["login", "--url", "nowhere", "--key", "k"], 2, /--url http/],
    [["login", "http://127.0.0.1"], 2, /--url http/],
    [["track", "dlv_01M6BFP5G0736Q1C8KRXDJM0R9"], 1, /not_found/],
    [["quote", "AAPL", "--url", "http://127.0.0.1:1"], 4, /connector login --list/],
    [["completion", "tcsh"], 2, /bash, zsh or fish/],
    [["keys", "list", "--acount", "x"], 2, /Did you mean --account\?/],
  ])("%j", async (words, code, message) => {
    const ran = await run(words);
    expect([ran.code, ran.out, ran.err]).toEqual([code, "", expect.stringMatching(message)]);
    expect(ran.err).not.toMatch(/\n\s+at /);
  });
});

describe("the README", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const shell = [...readme.matchAll(/^\.\/connector (?!login)(.+)$/gm)].map(([, words]) => words);
  const calls = [...readme.matchAll(/`(GET|POST) (\/api\/v1\/[^`]+)`(?: `(\{[^`]+\})`)?/g)];

  test.each(shell)("./connector %s", async (words) => {
    const line = `exec '${process.execPath}' server/main.ts ${words.replaceAll("http://127.0.0.1:8080", service.url)}`;
    const child = Bun.spawn(["sh", "-c", line], { cwd: ROOT, env, stdout: "pipe", stderr: "inherit" });
    expect([await child.exited, (await new Response(child.stdout).text()) !== ""]).toEqual([0, true]);
  });

  test.each(calls.map(([, method, path, body]) => [method, path, body]))("%s %s", async (method, path, body) => {
    const headers = { Authorization: `Bearer ${service.key}`, "Content-Type": "application/json" };
    const address = service.url + path.replaceAll("http://127.0.0.1:8080", service.url);
    expect((await fetch(address, { method, headers, body })).status).toBeLessThan(300);
  });

  test("has a call and a line for each of the five actions", () =>
    expect([shell.length, calls.length]).toEqual([5, 5]));
});

describe("streams", () => {
  test("trigger makes every event it lists; events tail shows each, and ends with 0 on Ctrl+C", async () => {
    const tail = startCommand(["events", "tail", "--json"], env);
    await tail.until(/Listening/);
    const listed = (await run(["trigger", "--list", "--json"])).out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).event);
    // The demo shop moves its prices with the clock on the wall; the week test of shopping owns one.
    const events = listed.filter((event: string) => !event.startsWith("shopping."));
    expect(events.length).toBeGreaterThan(15);
    for (const event of events) expect([event, (await run(["trigger", event])).code]).toEqual([event, 0]);
    for (const event of events) await tail.until(new RegExp(`"type":"${event.replace(".", "\\.")}"`));
    tail.interrupt();
    const { code, out } = await tail.ended;
    expect(code).toBe(0);
    const first = JSON.parse(out.split("\n")[0]);
    const again = await run(["events", "tail", "--after", first.id, "--limit", "2", "--json"]);
    expect(again.out.trim().split("\n")).toEqual(out.split("\n").slice(1, 3));
  }, 120_000);

  test("webhooks listen forwards events as a webhook would: signed, with a secret that stays the same", async () => {
    const got: { headers: Record<string, string>; body: string }[] = [];
    const receiver = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        got.push({ headers: Object.fromEntries(request.headers), body: await request.text() });
        return got.length === 1 ? new Response("thanks") : new Response("not now", { status: 503 });
      },
    });
    const words = [
      "webhooks",
      "listen",
      "--forward-to",
      `${receiver.port}/hook`,
      "--type",
      "key.rolled",
      "--limit",
      "2",
    ];
    const listening = startCommand(words, env);
    await listening.until(/Ready/);
    const secret = /whsec_\S+/.exec(listening.err())![0];
    for (const _ of [1, 2]) expect((await run(["trigger", "key.rolled"])).code).toBe(0);
    const { code, out } = await listening.ended;
    expect(code).toBe(0);
    expect(out).toMatch(/key\.rolled .*→ 200 .*\n.*key\.rolled .*→ 503 .*not now\n/);
    expect(got).toHaveLength(2);
    for (const { headers, body } of got)
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({
        type: "key.rolled",
        mode: "test",
        timestamp: expect.any(String),
      });
    const second = startCommand(words, env);
    await second.until(/Ready/);
    expect(second.err()).toContain(secret);
    second.interrupt();
    expect((await second.ended).code).toBe(0);
    await receiver.stop(true);
  }, 60_000);

  test("a receiver that is not there is shown, and the next event is tried all the same", async () => {
    const listening = startCommand(
      ["webhooks", "listen", "--forward-to", "127.0.0.1:1", "--limit", "1", "--type", "key.*"],
      env,
    );
    await listening.until(/Ready/);
    await run(["trigger", "key.rolled"]);
    expect((await listening.ended).out).toContain("→ failed");
  }, 60_000);

  test("schedule --follow shows the steps of the courier", async () => {
    const following = startCommand(["schedule", "Berlin", "Potsdam", "--follow"], env);
    await following.until(/assigned/);
    following.interrupt();
    expect((await following.ended).code).toBe(0);
  }, 60_000);
});

describe("logs tail", () => {
  const LINES = [
    {
      id: "req_3",
      at: "2026-11-01T12:00:02Z",
      method: "GET",
      path: "/api/v1/usage/requests",
      route: "usage.requests",
      status: 200,
    },
    {
      id: "req_2",
      at: "2026-11-01T12:00:01Z",
      method: "POST",
      path: "/api/v1/stock/quote",
      route: "stock.quote",
      status: 422,
    },
    {
      id: "req_1",
      at: "2026-11-01T12:00:00Z",
      method: "GET",
      path: "/api/v1/events",
      route: "events.list",
      status: 200,
    },
  ].map((line) => ({ ...line, error_code: line.status > 399 ? "symbol_not_found" : null, duration_ms: 1.6 }));

  /** A server whose log is known. */
  const serveLog = () =>
    Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => Response.json({ success: true, data: { items: LINES, has_more: false, next_cursor: null } }),
    });

  test("shows the oldest first, leaves its own questions out, and filters by status", async () => {
    const server = serveLog();
    const connection = ["--url", `http://127.0.0.1:${server.port}`, "--key", "acn_test_x"];
    const all = await run(["logs", "tail", "--limit", "2", ...connection]);
    expect(all.out).toMatch(/200 {2}GET \/api\/v1\/events {2}2 ms .*\n.*422 {2}POST .*symbol_not_found/);
    expect(all.out).not.toContain("usage/requests");
    const refused = await run(["logs", "tail", "--limit", "1", "--status", "4xx", "--json", ...connection]);
    expect(JSON.parse(refused.out)).toMatchObject({ id: "req_2" });
    await server.stop(true);
  });

  test("shows a request of the real service soon after it was made", async () => {
    const tail = startCommand(["logs", "tail", "--json", "--url", service.url, "--key", service.key], env);
    await fetch(`${service.url}/api/v1/user/profile`, { headers: { Authorization: `Bearer ${service.key}` } });
    await tail.until(/"route":"user.profile"/);
    tail.interrupt();
    expect((await tail.ended).code).toBe(0);
  });
});

describe("a terminal", () => {
  test("gets colours and progress; a pipe, NO_COLOR and a dumb terminal get none", async () => {
    const coloured = await runOnTerminal(["quote", "AAPL"], { ...env, TERM: "xterm", NO_COLOR: undefined });
    expect(coloured).toContain("\u001b[1mSYMBOL");
    expect(await runOnTerminal(["quote", "AAPL"], { ...env, NO_COLOR: "1" })).not.toContain("\u001b[");
    expect(await runOnTerminal(["quote", "AAPL"], { ...env, TERM: "dumb" })).not.toContain("\u001b[");
    expect((await run(["quote", "AAPL"])).out).not.toContain("\u001b[");
    const files = ["d.txt", "e.txt"].map((name) => join(home, name));
    for (const file of files) writeFileSync(file, PROSE);
    expect(await runOnTerminal(["analyze", ...files], env)).toMatch(/░* [0-2] of 2/);
  });
});

describe("completion", () => {
  const complete = (line: string) => {
    const words = line.split(" ");
    const script = `source <("${process.execPath}" "${join(import.meta.dir, "../../server/main.ts")}" completion bash)
COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; _connector; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return Bun.spawnSync(["bash", "-c", script], { cwd: home }).stdout.toString().trim().split("\n");
  };

  test.skipIf(!Bun.which("bash"))("bash completes commands, verbs and flags", () => {
    expect(complete("connector web")).toEqual(["webhooks"]);
    expect(complete("connector webhooks l")).toEqual(["listen"]);
    expect(complete("connector webhooks listen --for")).toEqual(["--forward-to"]);
    expect(complete("connector accounts s")).toEqual(["suspend"]);
    expect(complete("connector help sched")).toEqual(["schedule"]);
  });

  test.each(["zsh", "fish"])(
    "%s: the script names every command, and the shell can read it where there is one",
    async (shell) => {
      const { out } = await run(["completion", shell]);
      for (const name of ["schedule", "webhooks", "backup", "login"]) expect(out).toContain(name);
      if (!Bun.which(shell)) return;
      const file = join(home, `completion.${shell}`);
      writeFileSync(file, out);
      expect(Bun.spawnSync([shell, "-n", file]).exitCode).toBe(0);
    },
  );
});
