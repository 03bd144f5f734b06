// The rules of the code base as a test: layout, imports, names, sizes, repeats, nothing unused. Every finding says file,
// line, rule and hint.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkCircles, checkDirection, checkImports } from "./tidy/imports.ts";
import { checkEntries, checkHandlers, checkSql } from "./tidy/layout.ts";
import { checkConstants, checkFileName, checkWords } from "./tidy/names.ts";
import { checkRepeats } from "./tidy/repeats.ts";
import { checkSenses } from "./tidy/senses.ts";
import { checkColumns, checkFolders, checkFunctions, checkHead, checkLines } from "./tidy/sizes.ts";
import { type Finding, listFiles, readSources, ROOT, type Source } from "./tidy/source.ts";
import { checkDependencies, checkExports } from "./tidy/unused.ts";

const FILE_RULES: ((source: Source) => Finding[])[] = [
  checkLines,
  checkColumns,
  checkHead,
  checkFunctions,
  checkFileName,
  checkWords,
  checkConstants,
  checkImports,
  checkDirection,
  checkSql,
  checkHandlers,
  checkSenses,
];

const TREE_RULES: ((sources: Source[]) => Finding[])[] = [
  checkCircles,
  checkExports,
  checkRepeats,
  findUnusedDependencies,
  (sources) => checkFolders(sources.filter((s) => !/\/fixtures\//.test(s.file)).map((s) => s.file)),
  () => checkEntries(listFiles()),
];

function findUnusedDependencies(sources: Source[]): Finding[] {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return checkDependencies(
    Object.keys({ ...dependencies, ...devDependencies }),
    sources.filter((s) => s.file !== "tools/tidy/unused.ts").map((s) => s.lines.join("\n")),
  );
}

function findAll(): Finding[] {
  const sources = readSources();
  return [...FILE_RULES.flatMap((check) => sources.flatMap(check)), ...TREE_RULES.flatMap((check) => check(sources))];
}

if (import.meta.main) {
  const findings = findAll();
  for (const f of findings) console.error(`${f.file}:${f.line}  ${f.rule}\n    hint: ${f.hint}`);
  console.log(findings.length === 0 ? "tidy: no findings" : `tidy: ${findings.length} findings`);
  process.exit(findings.length === 0 ? 0 : 1);
}
