// How fast documents pass through the stored alerts, against the limit (a plain tokenising pass over the same text in
// the same process), a naive loop, and the best Aho-Corasick on npm. Alternating rounds; ratios are what counts.
import { Matcher } from "../server/actions/alerts/engine/match/matcher.ts";
import { DEFAULT_MATCH } from "../server/actions/alerts/engine/query/ast.ts";
import { queryOfTag } from "../server/actions/alerts/engine/query/canonical.ts";
import { parseQuery } from "../server/actions/alerts/engine/query/parse.ts";
import type { Bench } from "../tools/bench.ts";
import { peers } from "./alerts/peers.ts";
import { barePass, tokenisingPass } from "./alerts/plain.ts";
import { storedStart } from "./alerts/stored.ts";
import { documents, letters, pick, random, wordsOf } from "./alerts/texts.ts";
import { alternate, mean, p99, round, use } from "./alerts/timing.ts";

export default {
  help: "alerts: documents a second at 1e4, 1e5 and 1e6 stored alerts; create and delete; memory; start and threads. --data=DIR, --quick",
  async run({ quick, flags, say }) {
    const long = documents(flags.data).slice(0, 250);
    const short = long
      .flatMap((d) => [0, 700, 1400, 2100].map((at) => d.slice(at, at + 140)))
      .filter((d) => d.length === 140);
    const live = wordsOf(long);
    const figures: Record<string, unknown> = {
      documents: long.length,
      characters: Math.round(mean(long.map((d) => d.length))),
    };
    // First, while this process is small: it shares its memory and cores with those it starts.
    figures.from_the_store = await storedStart(quick ? 100_000 : 1_000_000, flags.data, say);
    say(
      `${long.length} documents of ${figures.characters} characters, ${short.length} of 140; ${live.length} distinct words`,
    );
    const sizes = quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000];
    for (const size of sizes) {
      const tags = madeTags(size, live);
      const { matcher, seconds } = filled(tags);
      const result: Record<string, unknown> = {
        build_s: round(seconds),
        bytes_per_alert: Math.round(matcher.bytes / size),
      };
      for (const [name, docs, passes] of [
        ["long", long, 3],
        ["short", short, 12],
      ] as const) {
        const [bare, plain, ours] = alternate(
          [
            () =>
              docs.forEach((d) => {
                use(barePass(d));
              }),
            () =>
              docs.forEach((d) => {
                use(tokenisingPass(d));
              }),
            () =>
              docs.forEach((d) => {
                use(matcher.match({ text: d }));
              }),
          ],
          docs.length,
          passes,
          quick ? 7 : 21,
        );
        result[name] = {
          plain_per_s: Math.round(plain),
          per_s: Math.round(ours),
          ratio: round(ours / plain),
          ratio_to_bare_loop: round(ours / bare),
        };
      }
      Object.assign(result, changes(matcher, size));
      figures[`stored_${size}`] = result;
      say(`${size} stored: ${JSON.stringify(result)}`);
      if (size === 10_000) Object.assign(figures, await peers(tags, long, matcher, say));
    }
    figures.two_terms = heavy(long, live, say);
    return figures;
  },
} satisfies Bench;

/** One tag an alert: a tenth are words of the documents, the others are made up, some of them more than once. */
function madeTags(size: number, live: string[]): string[] {
  return Array.from({ length: size }, () =>
    random.unit() < 0.1 ? pick(live) : letters(4 + Math.floor(random.unit() * 6)),
  );
}

function filled(tags: string[]): { matcher: Matcher; seconds: number } {
  const matcher = new Matcher();
  matcher.reserve(tags.length);
  const start = performance.now();
  tags.forEach((tag, i) => matcher.add(i + 1, queryOfTag(tag, DEFAULT_MATCH)));
  return { matcher, seconds: (performance.now() - start) / 1000 };
}

function changes(matcher: Matcher, size: number): Record<string, unknown> {
  const create: number[] = [];
  const remove: number[] = [];
  for (let i = 0; i < 20_000; i++) {
    const tag = letters(8);
    let start = performance.now();
    matcher.add(size + i + 1, queryOfTag(tag, DEFAULT_MATCH));
    create.push(performance.now() - start);
    start = performance.now();
    matcher.remove(1 + Math.floor(random.unit() * size));
    remove.push(performance.now() - start);
  }
  return { create_p99_us: p99(create), delete_p99_us: p99(remove) };
}

/** Two-term queries drawn from the text itself: bound by what must be put out. */
function heavy(docs: string[], live: string[], say: (line: string) => void): Record<string, unknown> {
  const words = docs.flatMap((d) => d.match(/[a-z]{2,}/g) ?? []);
  const matcher = new Matcher();
  for (let i = 1; i <= 10_000; i++) matcher.add(i, parseQuery(`+${pick(words)} +${pick(words)}`));
  let matched = 0;
  const [rate] = alternate(
    [
      () =>
        docs.forEach((d) => {
          matched += matcher.match({ text: d });
        }),
    ],
    docs.length,
    1,
    5,
  );
  const result = {
    stored: 10_000,
    per_s: Math.round(rate),
    matches_per_document: Math.round(matched / (45 * docs.length)),
    words: live.length,
  };
  say(`two terms: ${JSON.stringify(result)}`);
  return result;
}
