// Who may import whom: between the folders, inside an action, and never in a circle.
import type { Finding, Source } from "./source.ts";

interface ImportRule {
  from: RegExp;
  allowed: RegExp[];
  rule: string;
}

const LIB = /^server\/lib\//;
const CONTRACT = /^server\/contract\//;
/** The first rule that fits decides. */
const RULES: ImportRule[] = [
  { from: /\.test\.tsx?$|\.suite\.ts$|^tests\/|^tools\//, allowed: [/./], rule: "" },
  {
    from: /^server\/main\.ts$/,
    allowed: [/^server\/commands\/(help\.mjs|run\.ts|operator\.ts)$/],
    rule: "main answers help and version without loading anything else",
  },
  { from: LIB, allowed: [LIB], rule: "lib imports nothing of ours" },
  { from: CONTRACT, allowed: [LIB, CONTRACT], rule: "contract imports lib alone" },
  { from: /^server\/store\//, allowed: [LIB, CONTRACT, /^server\/store\//], rule: "store imports contract and lib" },
  {
    from: /^server\/jobs\//,
    allowed: [LIB, CONTRACT, /^server\/(store|jobs|platform)\//],
    rule: "jobs drive, they decide nothing",
  },
  {
    from: /^server\/platform\//,
    allowed: [LIB, CONTRACT, /^server\/(store|jobs|platform)\//],
    rule: "platform imports store, contract and lib",
  },
  {
    from: /^server\/actions\/[^/]+\/engine\//,
    allowed: [LIB, CONTRACT, /^own\/(engine\/|contract\.ts|contract\/)/],
    rule: "an engine imports lib and its own contract",
  },
  {
    from: /^server\/actions\//,
    allowed: [LIB, CONTRACT, /^own\//, /^server\/(store|jobs|platform)\//],
    rule: "an action imports platform, and never another action",
  },
  {
    from: /^server\/(http|mcp)\//,
    allowed: [LIB, CONTRACT, /^server\/(http|mcp|platform)\//],
    rule: "a driver translates: it imports platform, contract and lib",
  },
  {
    // `connector mcp` turns the contracts into tools.
    from: /^server\/commands\/user\/(?!mcp\.ts)/,
    allowed: [LIB, /^server\/commands\//, /^sdks\/typescript\/src\//],
    rule: "a user's command knows the service by the SDK alone",
  },
  { from: /^server\//, allowed: [/^server\//], rule: "the server imports only the server" },
  // How long a start from the store takes can only be seen with the store.
  { from: /^benchmarks\/alerts\/stored\.ts$/, allowed: [/./], rule: "" },
  {
    from: /^benchmarks\//,
    allowed: [/^benchmarks\//, /^server\/(actions\/[^/]+\/engine|lib)\//, /^tools\//],
    rule: "benchmarks import engines and lib alone",
  },
  { from: /^(sdks|examples)\//, allowed: [/^(sdks|examples)\//], rule: "sdks and examples never import the server" },
];

const ACTION = /^server\/actions\/[^/]+\//;

export function checkImports(source: Source): Finding[] {
  const { file } = source;
  const rule = RULES.find((r) => r.from.test(file));
  if (!rule) return [];
  const own = ACTION.exec(file)?.[0];
  return source
    .imports()
    .filter(({ target }) => target.includes("/") && !target.startsWith("node:") && isOurs(target))
    .filter(({ target }) => {
      const seen = own && target.startsWith(own) ? `own/${target.slice(own.length)}` : target;
      return !rule.allowed.some((pattern) => pattern.test(seen));
    })
    .map(({ target, line }) => ({
      file,
      line,
      rule: rule.rule,
      hint: `do not import ${target}; let compose.ts hand it in`,
    }));
}

const isOurs = (target: string): boolean =>
  /^(server|console|tools|tests|benchmarks|sdks|examples|training)\//.test(target);

/** Inside an action data flows one way. What has no rank (engine, providers, nouns of the domain) stands beside. */
const RANKS = ["contract", "machine", "store", "view", "background", "routes", "index"];

const partOf = (inside: string): string => inside.split("/")[0].replace(/\.ts$/, "");

export function checkDirection(source: Source): Finding[] {
  const own = ACTION.exec(source.file)?.[0];
  if (!own || source.isTest) return [];
  const part = partOf(source.file.slice(own.length));
  // `connector try` asks the engines the way the service does.
  if (part === "try") return [];
  const rank = RANKS.indexOf(part);
  const rule = "inside an action: contract ← machine ← store ← view ← background ← routes ← index, never back";
  return source.imports().flatMap(({ target, line }) => {
    if (!target.startsWith(own)) return [];
    const other = partOf(target.slice(own.length));
    const otherRank = RANKS.indexOf(other);
    if (other === part || otherRank === -1) return [];
    const wrong = rank === -1 ? otherRank >= RANKS.indexOf("background") : otherRank >= rank;
    return wrong ? [{ file: source.file, line, rule, hint: `${part} may not import ${other}: ${target}` }] : [];
  });
}

/** Every circle of imports once, named by all its files. */
export function checkCircles(sources: Source[]): Finding[] {
  const edges = new Map(sources.map((source) => [source.file, [...new Set(source.imports().map((i) => i.target))]]));
  const state = new Map<string, "open" | "done">();
  const path: string[] = [];
  const found: Finding[] = [];
  const walk = (file: string) => {
    state.set(file, "open");
    path.push(file);
    for (const target of edges.get(file) ?? []) {
      if (!edges.has(target)) continue;
      if (state.get(target) === "open") {
        const circle = path.slice(path.indexOf(target));
        const hint = `${[...circle, target].join(" → ")}: move what both need to a file below them`;
        found.push({ file: target, line: 1, rule: "no circle of imports", hint });
      } else if (!state.has(target)) walk(target);
    }
    path.pop();
    state.set(file, "done");
  };
  for (const file of edges.keys()) if (!state.has(file)) walk(file);
  return found;
}
