// Hands stories to the three suites step by step over HTTP, and judges what they saw. One host serves all languages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Run, startProxy } from "./proxy.ts";
import { routeStory } from "./routes.ts";
import { fill, judge, type Observation, type Step, type Story } from "./story.ts";

export interface Host {
  url: string;
  stop(): void;
}

interface Telling {
  story: Story;
  run: Run;
  next: number;
  /** Requests seen before the step that is being done. */
  before: number;
  values: Record<string, unknown>;
  faults: string[];
}

/** The written ones, and the one made from the document. */
export function readStories(): Story[] {
  const read = (path: string) => JSON.parse(readFileSync(join(import.meta.dir, path), "utf8"));
  return [...(read("stories.json").stories as Story[]), routeStory(read("../../openapi.json"))];
}

export async function startHost(service: { url: string; key: string }): Promise<Host> {
  const stories = readStories();
  const proxy = await startProxy(service.url);
  const tellings = new Map<string, Telling>();
  let made = 0;

  async function openAccount(plan: string): Promise<string> {
    const body = JSON.stringify({ name: "Story", plan });
    const headers = { Authorization: `Bearer ${service.key}`, "Content-Type": "application/json" };
    const response = await fetch(`${service.url}/api/v1/admin/accounts`, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`No account for a story: ${await response.text()}`);
    return (await response.json()).data.test_key.key;
  }

  async function keyOf(story: Story): Promise<string> {
    if (story.key === "wrong") return "acn_test_0000000000000000000000000000000hmXx1";
    const key = await openAccount(story.key === "free" ? "free" : "max");
    if (story.key !== "limited") return key;
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ name: "limited", mode: "test", scopes: ["profile:read"] });
    const response = await fetch(`${service.url}/api/v1/keys`, { method: "POST", headers, body });
    return (await response.json()).data.key;
  }

  async function start(story: Story) {
    const id = `r${++made}`;
    const now = Date.now();
    const hour = (hours: number) =>
      new Date(Math.ceil(now / 3_600_000 + hours) * 3_600_000).toISOString().replace(".000Z", "Z");
    const values = {
      unique: `u${now.toString(36)}${made}`,
      tomorrow: hour(24),
      yesterday: hour(-24),
      in_two_days: hour(48),
      http_date_soon: new Date(now + 20_000).toUTCString(),
    };
    const run = proxy.open(id, fill(story.faults ?? [], values));
    const telling: Telling = { story, run, next: 0, before: 0, values, faults: [] };
    tellings.set(id, telling);
    const base = `${proxy.url}/runs/${id}`;
    return { run: id, base_url: base, api_key: await keyOf(story), client: story.client ?? {}, step: stepOf(telling) };
  }

  /** The next step as the suite gets it: filled in, and without what only the judge knows. */
  function stepOf(telling: Telling): Omit<Step, "expect"> {
    telling.before = telling.run.seen.length;
    const { expect: _, ...step } = telling.story.steps[telling.next];
    return fill(step, telling.values);
  }

  function observe(telling: Telling, seen: Observation) {
    const step = telling.story.steps[telling.next];
    telling.values[`s${telling.next + 1}`] = seen.value;
    const requests = telling.run.seen.slice(telling.before);
    const where = telling.story.steps.length > 1 ? `step ${telling.next + 1}: ` : "";
    telling.faults.push(
      ...judge({ ...step, expect: fill(step.expect ?? {}, telling.values) }, seen, requests).map((f) => where + f),
    );
    telling.next++;
    const over = telling.faults.length > 0 || telling.next === telling.story.steps.length || seen.skip;
    return over ? { done: true, ok: telling.faults.length === 0, faults: telling.faults } : { step: stepOf(telling) };
  }

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 120,
    async fetch(request) {
      const [, kind, name, what] = new URL(request.url).pathname.split("/").map(decodeURIComponent);
      try {
        if (kind === "stories" && !name) return Response.json({ stories: stories.map((s) => s.name) });
        if (kind === "stories" && name) return Response.json(await start(stories.find((s) => s.name === name)!));
        const telling = tellings.get(name);
        if (!telling) return new Response("unknown", { status: 404 });
        if (what === "held") {
          await telling.run.held;
          return Response.json({});
        }
        return Response.json(observe(telling, (await request.json()) as Observation));
      } catch (error) {
        return Response.json({ done: true, ok: false, faults: [`host: ${(error as Error).message}`] });
      }
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    stop() {
      server.stop(true);
      proxy.close();
    },
  };
}
