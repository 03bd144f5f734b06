// A naive loop and the best Aho-Corasick on npm, at ten thousand words.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Matcher } from "../../server/actions/alerts/engine/match/matcher.ts";
import { alternate, round, use } from "./timing.ts";

export async function peers(tags: string[], docs: string[], matcher: Matcher, say: (line: string) => void) {
  const lower = docs.map((d) => d.toLowerCase());
  const [ours] = alternate(
    [
      () =>
        docs.forEach((d) => {
          use(matcher.match({ text: d }));
        }),
    ],
    docs.length,
    2,
    5,
  );
  const few = lower.slice(0, 10);
  const [naive] = alternate(
    [
      () =>
        few.forEach((d) => {
          for (const t of tags) if (d.includes(t)) use(1);
        }),
    ],
    few.length,
    1,
    3,
    1,
  );
  const out: Record<string, unknown> = { naive_per_s: round(naive), times_naive: Math.round(ours / naive) };
  for (const [name, build] of await ahoCorasicks()) {
    const search = build(tags);
    const [theirs] = alternate(
      [
        () =>
          lower.forEach((d) => {
            use(search(d));
          }),
      ],
      docs.length,
      1,
      3,
      4,
    );
    out[name] = { per_s: Math.round(theirs), ours_times: round(ours / theirs) };
  }
  say(`at 10000: ${JSON.stringify(out)}`);
  return { peers_at_10000: out };
}

type Searcher = (tags: string[]) => (text: string) => number;

async function ahoCorasicks(): Promise<[string, Searcher][]> {
  const at = (name: string) => resolve(import.meta.dir, "../peers/node_modules", name);
  const found: [string, Searcher][] = [];
  if (existsSync(at("ahocorasick"))) {
    const AhoCorasick = (await import(at("ahocorasick"))).default;
    found.push([
      "ahocorasick",
      (tags) => {
        const machine = new AhoCorasick(tags);
        return (text) => machine.search(text).length;
      },
    ]);
  }
  if (existsSync(at("@monyone/aho-corasick"))) {
    const { AhoCorasick } = await import(`${at("@monyone/aho-corasick")}/dist/fast.mjs`);
    if (AhoCorasick)
      found.push([
        "@monyone/aho-corasick fast",
        (tags) => {
          const machine = new AhoCorasick([...new Set(tags)]);
          return (text) => machine.matchInText(text).length;
        },
      ]);
  }
  return found;
}
