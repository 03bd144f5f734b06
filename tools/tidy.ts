// The rules of the code base as a test: layout, imports, names, sizes. Every finding says file, line, rule and hint.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkCircles, checkDirection, checkImports } from "./tidy/imports.ts";
import { checkEntries, checkHandlers, checkSql } from "./tidy/layout.ts";
import { checkConstants, checkFileName, checkWords } from "./tidy/names.ts";
import { checkSenses } from "./tidy/senses.ts";
import { checkColumns, checkFolders, checkFunctions, checkHead, checkLines } from "./tidy/sizes.ts";
import { type Finding, listFiles, readSources, ROOT, type Source } from "./tidy/source.ts";
import { checkDependencies, checkExports } from "./tidy/unused.ts";

const FILE_RULES: Record<string, (source: Source) => Finding[]> = {
  lines: checkLines,
  columns: checkColumns,
  head: checkHead,
  functions: checkFunctions,
  "file names": checkFileName,
  words: checkWords,
  constants: checkConstants,
  imports: checkImports,
  direction: checkDirection,
  sql: checkSql,
  handlers: checkHandlers,
  senses: checkSenses,
};

const TREE_RULES: Record<string, (sources: Source[]) => Finding[]> = {
  circles: checkCircles,
  exports: checkExports,
  dependencies: findUnusedDependencies,
  folders: (sources) => checkFolders(sources.filter((s) => !/\/fixtures\//.test(s.file)).map((s) => s.file)),
  entries: () => checkEntries(listFiles()),
};

function findUnusedDependencies(sources: Source[]): Finding[] {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return checkDependencies(
    Object.keys({ ...dependencies, ...devDependencies }),
    sources.filter((s) => s.file !== "tools/tidy/unused.ts").map((s) => s.lines.join("\n")),
  );
}

/** Every rule's findings, by its name. */
function findAll(): [rule: string, findings: Finding[]][] {
  const sources = readSources();
  return [
    ...Object.entries(FILE_RULES).map(([name, check]): [string, Finding[]] => [name, sources.flatMap(check)]),
    ...Object.entries(TREE_RULES).map(([name, check]): [string, Finding[]] => [name, check(sources)]),
  ];
}

/** What is unused is reported and does not fail: work in progress may export what the next commit imports. */
const REPORTED = new Set(["exports", "dependencies"]);

if (import.meta.main) {
  const all = process.argv.includes("--all");
  let failed = 0;
  for (const [name, findings] of findAll()) {
    const reported = REPORTED.has(name) && !all;
    if (reported && findings.length > 0)
      console.log(`tidy: ${name}: ${findings.length} findings (reported; see --all)`);
    if (reported) continue;
    failed += findings.length;
    for (const f of findings) console.error(`${f.file}:${f.line}  ${f.rule}\n    hint: ${f.hint}`);
  }
  console.log(failed === 0 ? "tidy: no findings" : `tidy: ${failed} findings`);
  process.exit(failed === 0 ? 0 : 1);
}
