// What every rule reads: our source files with their lines, imports and syntax tree; and what a rule returns.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parse } from "@babel/parser";
import type { File, Node } from "@babel/types";

export const ROOT = resolve(import.meta.dir, "../..");

export interface Finding {
  file: string;
  line: number;
  rule: string;
  hint: string;
}

export interface Import {
  /** A path from the root of the repository, or the name of a package. */
  target: string;
  /** The imported names; `*` when all of them may be used. */
  names: string[];
  line: number;
}

export interface Source {
  file: string;
  lines: string[];
  isTest: boolean;
  tree(): File;
  imports(): Import[];
}

/** Data and generated files. */
const EXEMPT = /(^|\/)(generated|results|peers|node_modules)\/|\.gen\.ts$|\/data\//;

export function readSources(): Source[] {
  return listFiles()
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !EXEMPT.test(file) && Bun.file(join(ROOT, file)).size > 0)
    .map((file) => sourceOf(file, readFileSync(join(ROOT, file), "utf8")));
}

export function listFiles(): string[] {
  if (!Bun.which("git")) return walk(ROOT);
  const listed = Bun.spawnSync(["git", "ls-files", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  return listed.exitCode === 0 ? listed.stdout.toString().trim().split("\n") : walk(ROOT);
}

/** Without git: everything but the folders that .gitignore names. */
function walk(folder: string): string[] {
  const names = readFileSync(join(ROOT, ".gitignore"), "utf8")
    .split("\n")
    .filter((name) => name.endsWith("/"));
  const isIgnored = (path: string) =>
    [...names, ".git/"].some((name) => (name.startsWith("/") ? path.startsWith(name) : path.includes(`/${name}`)));
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => !isIgnored(`/${file}`));
}

/** A file as rules see it; a test of a rule makes one up. */
export function sourceOf(file: string, text: string): Source {
  let tree: File | null = null;
  let imports: Import[] | null = null;
  const source: Source = {
    file,
    lines: text.split("\n"),
    isTest: /\.test\.tsx?$|\.suite\.ts$|(^|\/)fixtures\/|^tests\//.test(file),
    tree: () => (tree ??= parse(text, { sourceType: "module", plugins: pluginsOf(file), errorRecovery: true })),
    imports: () => (imports ??= readImports(source)),
  };
  return source;
}

const pluginsOf = (file: string): ("typescript" | "jsx")[] =>
  file.endsWith("x") ? ["typescript", "jsx"] : ["typescript"];

function readImports({ file, tree }: Source): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, names: string[], node: Node) => {
    const target = specifier.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(file), specifier)) : specifier;
    found.push({ target, names, line: node.loc?.start.line ?? 1 });
  };
  visit(tree().program, (node) => {
    if (node.type === "ImportDeclaration") {
      const names = node.specifiers.map((s) =>
        s.type === "ImportSpecifier" ? nameOf(s.imported) : s.type === "ImportDefaultSpecifier" ? "default" : "*",
      );
      add(node.source.value, names, node);
    } else if (node.type === "ExportAllDeclaration") add(node.source.value, ["*"], node);
    else if (node.type === "ExportNamedDeclaration" && node.source) {
      const names = node.specifiers.map((s) => (s.type === "ExportSpecifier" ? nameOf(s.local) : "*"));
      add(node.source.value, names, node);
    } else if (node.type === "CallExpression" && node.callee.type === "Import") {
      const [argument] = node.arguments;
      if (argument?.type === "StringLiteral") add(argument.value, ["*"], node);
    } else if (node.type === "TSImportType") add((node.argument as { value?: string }).value ?? "", ["*"], node);
  });
  return found;
}

export const nameOf = (node: { type: string; name?: string; value?: string }): string => node.name ?? node.value ?? "";

/** Calls back for every node of a tree, outside in. */
export function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const child of value) if (isNode(child)) visit(child, see);
    } else if (isNode(value)) visit(value, see);
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string" && "loc" in value;
