// The only readers of time, chance and the environment; and no float on the money path.
import type { Finding, Source } from "./source.ts";

interface Sense {
  pattern: RegExp;
  allowed: RegExp;
  rule: string;
  hint: string;
}

const SENSES: Sense[] = [
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/,
    allowed: /^server\/lib\/clock\.ts$/,
    rule: "only lib/clock reads time",
    hint: "take a Clock",
  },
  {
    pattern: /\bMath\.random\(/,
    allowed: /^server\/lib\/random\.ts$/,
    rule: "only lib/random rolls dice",
    hint: "take a Random",
  },
  {
    pattern: /\bprocess\.env\b/,
    // A user's command runs on the user's machine, which has no settings of the service.
    allowed: /^server\/(config\.ts$|commands\/user\/)/,
    rule: "only config.ts reads the environment",
    hint: "add a setting",
  },
  {
    // The simulation draws noise and rounds to whole ticks before a price exists; calendars hold no prices.
    pattern: /\bparseFloat\(|\.to(Fixed|Precision)\(|\bNumber\([^)]*\b(price|amount|bid|ask|open|high|low|close)\b/,
    allowed: /^server\/(?!actions\/stock\/|lib\/decimal\.ts)|\/engine\/(simulation|calendar)\//,
    rule: "no float on the money path",
    hint: "use lib/decimal",
  },
];

export function checkSenses({ file, lines, isTest }: Source): Finding[] {
  if (!file.startsWith("server/") || isTest) return [];
  return SENSES.filter((sense) => !sense.allowed.test(file)).flatMap(({ pattern, rule, hint }) =>
    lines.flatMap((line, i) =>
      pattern.test(line.replace(/\/\/.*$|^\s*\*.*$/, "")) ? [{ file, line: i + 1, rule, hint }] : [],
    ),
  );
}
