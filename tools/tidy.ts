// House rules as a test: who may import whom, names, sizes. Every finding says file, line, rule and hint.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dir, "..");

export interface Finding {
  file: string;
  line: number;
  rule: string;
  hint: string;
}

interface Source {
  file: string;
  lines: string[];
}

/** A text or a pattern that no formatter can break. */
const longLiteral = /"[^"]{60,}"|`[^`]{60,}|\/[^/\s].{60,}\/[a-z]*/;
const limits = { fileLines: 400, lineColumns: 140, folderEntries: 16 };
const forbiddenNames = /(^|[/-])(utils?|helpers?|common|shared|manager|base|impl)(\.|\/|$)/;
/** Data, generated files and the names that the specification or a platform prescribes. */
const exempt = /(^|\/)(generated|results|peers|node_modules|fixtures)\/|\.gen\.ts$|\/data\/|geodata\/(make-)?base\.ts$/;

export function findAll(): Finding[] {
  const sources = list(root)
    .filter((file) => !exempt.test(file))
    .map((file) => ({ file, lines: readFileSync(join(root, file), "utf8").split("\n") }));
  return [...sources.flatMap(checkFile), ...checkFolders()];
}

function list(folder: string): string[] {
  const listed = Bun.spawnSync(["git", "ls-files", "--cached", "--others", "--exclude-standard"], { cwd: folder });
  const files = listed.exitCode === 0 ? listed.stdout.toString().split("\n") : walk(folder);
  return files.filter((file) => /\.(ts|mjs)$/.test(file) && Bun.file(join(folder, file)).size > 0);
}

function walk(folder: string): string[] {
  const skip = /node_modules|\.git|\.cache/;
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => !skip.test(file));
}

function checkFile(source: Source): Finding[] {
  return [...checkSize(source), ...checkName(source), ...checkImports(source), ...checkSenses(source)];
}

function checkSize({ file, lines }: Source): Finding[] {
  const found: Finding[] = [];
  if (lines.length > limits.fileLines) {
    found.push({
      file,
      line: lines.length,
      rule: `a file has at most ${limits.fileLines} lines`,
      hint: "look for the missing concept and give it a file",
    });
  }
  lines.forEach((line, i) => {
    if (line.length > limits.lineColumns && !longLiteral.test(line))
      found.push({ file, line: i + 1, rule: `a line has at most ${limits.lineColumns} columns`, hint: "break it" });
  });
  if (file.startsWith("server/") && !/^(\/\/|\/\*|#!)/.test(lines[0]) && !file.endsWith(".test.ts")) {
    found.push({
      file,
      line: 1,
      rule: "a file says at its head what it owns",
      hint: "begin with one or two sentences",
    });
  }
  return found;
}

function checkName({ file }: Source): Finding[] {
  const found: Finding[] = [];
  if (forbiddenNames.test(file))
    found.push({
      file,
      line: 1,
      rule: "no utils, helpers, common, shared, manager, base, impl",
      hint: "name what it does",
    });
  if (
    /[A-Z_]/.test(
      file
        .split("/")
        .at(-1)!
        .replace(/^[A-Z]+\.md$/, ""),
    )
  )
    found.push({ file, line: 1, rule: "file names are kebab-case", hint: "rename it" });
  return found;
}

/** First match decides; `null` allows all. */
interface ImportRule {
  from: RegExp;
  allowed: RegExp[];
  rule: string;
}

const lib = /^server\/lib\//;
const contract = /^server\/contract\//;
const importRules: ImportRule[] = [
  { from: /\.test\.ts$|^tests\/|^tools\//, allowed: [/./], rule: "" },
  { from: /^server\/lib\//, allowed: [lib], rule: "lib imports nothing of ours" },
  { from: /^server\/contract\//, allowed: [lib, contract], rule: "contract imports lib alone" },
  { from: /^server\/store\//, allowed: [lib, contract, /^server\/store\//], rule: "store imports contract and lib" },
  {
    from: /^server\/jobs\//,
    allowed: [lib, contract, /^server\/(store|jobs|platform)\//],
    rule: "jobs drive, they decide nothing",
  },
  {
    from: /^server\/platform\//,
    allowed: [lib, contract, /^server\/(store|jobs|platform)\//],
    rule: "platform imports store, contract and lib",
  },
  {
    from: /^server\/actions\/[^/]+\/engine\//,
    allowed: [lib, contract, /^own\/(engine\/|contract\.ts|geodata)/],
    rule: "an engine imports lib and its own contract",
  },
  {
    from: /^server\/actions\//,
    allowed: [lib, contract, /^own\//, /^server\/(store|jobs|platform)\//],
    rule: "an action imports platform, and never another action",
  },
  {
    from: /^server\/(http|mcp)\//,
    allowed: [lib, contract, /^server\/(http|mcp|platform)\//],
    rule: "a driver translates: it imports platform, contract and lib",
  },
  { from: /^server\//, allowed: [/^server\//], rule: "the server imports only the server" },
  // How long a start from the store takes can only be seen with the store.
  { from: /^benchmarks\/alerts\/stored\.ts$/, allowed: [/./], rule: "" },
  {
    from: /^benchmarks\//,
    allowed: [/^benchmarks\//, /^server\/(actions\/[^/]+\/(engine|geodata)|lib)\//, /^tools\//],
    rule: "benchmarks import engines and lib alone",
  },
  {
    from: /^(console|sdks|examples)\//,
    allowed: [/^(console|sdks|examples)\//],
    rule: "console, sdks and examples never import the server",
  },
];

function checkImports({ file, lines }: Source): Finding[] {
  const found: Finding[] = [];
  const rule = importRules.find((r) => r.from.test(file));
  if (!rule) return found;
  const own = /^server\/actions\/[^/]+\//.exec(file)?.[0];
  lines.forEach((line, i) => {
    const specifier = /(?:^import|^export|^\} from|\bimport\()[^"']*["'](\.{1,2}\/[^"']+)["']/.exec(line)?.[1];
    if (!specifier) return;
    const target = relative(root, resolve(root, dirname(file), specifier));
    const seen = own && target.startsWith(own) ? `own/${target.slice(own.length)}` : target;
    if (rule.allowed.some((pattern) => pattern.test(seen)) || target.endsWith("package.json")) return;
    found.push({ file, line: i + 1, rule: rule.rule, hint: `do not import ${target}; let compose.ts hand it in` });
  });
  return found;
}

/** The only readers of time, chance, the environment and the world. */
const senses: { pattern: RegExp; allowed: RegExp; rule: string; hint: string }[] = [
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
    allowed: /^server\/config\.ts$/,
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

function checkSenses({ file, lines }: Source): Finding[] {
  if (!file.startsWith("server/") || file.endsWith(".test.ts")) return [];
  return senses
    .filter((s) => !s.allowed.test(file))
    .flatMap(({ pattern, rule, hint }) =>
      lines.flatMap((line, i) =>
        pattern.test(line.replace(/\/\/.*$|^\s*\*.*$/, "")) ? [{ file, line: i + 1, rule, hint }] : [],
      ),
    );
}

function checkFolders(): Finding[] {
  const counts = new Map<string, Set<string>>();
  for (const file of list(root).filter((f) => !exempt.test(f) && !f.endsWith(".test.ts"))) {
    const parts = file.split("/");
    for (let i = 1; i < parts.length; i++) {
      const folder = parts.slice(0, i).join("/");
      if (!counts.has(folder)) counts.set(folder, new Set());
      counts.get(folder)!.add(parts[i]);
    }
  }
  const crowded = [...counts].filter(
    ([folder, entries]) => entries.size > limits.folderEntries && folder !== "server/lib",
  );
  return crowded.map(([folder, entries]) => ({
    file: folder,
    line: 1,
    rule: `a folder has at most ${limits.folderEntries} entries, not ${entries.size}`,
    hint: "group what belongs together",
  }));
}

if (import.meta.main) {
  const findings = findAll();
  for (const f of findings) console.error(`${f.file}:${f.line}  ${f.rule}\n    hint: ${f.hint}`);
  console.log(findings.length === 0 ? "tidy: no findings" : `tidy: ${findings.length} findings`);
  process.exit(findings.length === 0 ? 0 : 1);
}
