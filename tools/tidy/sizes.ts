// How large things may grow before they have two jobs: lines, columns, functions, folders; and the head of each file.
import type { Finding, Source } from "./source.ts";
import { visit } from "./source.ts";

const MAX = { fileLines: 300, testLines: 400, functionLines: 90, columns: 140, folderEntries: 16 };

/** A text or a pattern that no formatter can break. */
const LONG_LITERAL = /"[^"]{60,}"|`[^`]{60,}|\/[^/\s].{60,}\/[a-z]*/;

export function checkLines({ file, lines, isTest }: Source): Finding[] {
  const max = isTest ? MAX.testLines : MAX.fileLines;
  // The text behind the last line end is no line.
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  if (count <= max) return [];
  const rule = `a ${isTest ? "test" : "file"} has at most ${max} lines, not ${count}`;
  return [{ file, line: count, rule, hint: "look for the missing concept and give it a file" }];
}

export function checkColumns(source: Source): Finding[] {
  const { file, lines } = source;
  const long = lines.flatMap((line, i) => (line.length > MAX.columns && !LONG_LITERAL.test(line) ? [i + 1] : []));
  if (long.length === 0) return [];
  // A line of a text over several lines is content, not code.
  const texts: [number, number][] = [];
  visit(source.tree().program, (node) => {
    if (node.type === "TemplateLiteral") texts.push([node.loc!.start.line, node.loc!.end.line]);
  });
  return long
    .filter((line) => !texts.some(([from, to]) => from < to && from <= line && line <= to))
    .map((line) => ({ file, line, rule: `a line has at most ${MAX.columns} columns`, hint: "break it" }));
}

export function checkHead({ file, lines }: Source): Finding[] {
  if (!/^(server|console)\//.test(file) || file.endsWith(".test.ts") || /^(\/\/|\/\*|#!)/.test(lines[0])) return [];
  return [{ file, line: 1, rule: "a file says at its head what it owns", hint: "begin with one or two sentences" }];
}

/** Tests may describe at length: their outermost functions only group. */
export function checkFunctions(source: Source): Finding[] {
  if (source.isTest || !/^(server|console|tools|benchmarks)\//.test(source.file)) return [];
  const found: Finding[] = [];
  visit(source.tree().program, (node) => {
    if (
      !/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|ClassMethod|ClassPrivateMethod)$/.test(
        node.type,
      )
    )
      return;
    const { start, end } = node.loc!;
    const lines = end.line - start.line + 1;
    if (lines > MAX.functionLines) {
      const rule = `a function has at most ${MAX.functionLines} lines, not ${lines}`;
      found.push({ file: source.file, line: start.line, rule, hint: "give its parts names" });
    }
  });
  return found;
}

export function checkFolders(files: string[]): Finding[] {
  const entries = new Map<string, Set<string>>();
  for (const file of files.filter((f) => !f.endsWith(".test.ts"))) {
    const parts = file.split("/");
    for (let i = 1; i < parts.length; i++) {
      const folder = parts.slice(0, i).join("/");
      entries.set(folder, (entries.get(folder) ?? new Set()).add(parts[i]));
    }
  }
  return [...entries]
    .filter(([folder, { size }]) => size > MAX.folderEntries && folder !== "server/lib")
    .map(([file, { size }]) => ({
      file,
      line: 1,
      rule: `a folder has at most ${MAX.folderEntries} entries, not ${size}`,
      hint: "group what belongs together",
    }));
}
