// Each rule tried on made-up files: one that breaks it, and one that keeps it.
import { describe, expect, test } from "bun:test";
import { checkCircles, checkDirection, checkImports } from "./imports.ts";
import { checkEntries, checkHandlers, checkSql } from "./layout.ts";
import { checkConstants, checkFileName, checkWords } from "./names.ts";
import { checkRepeats } from "./repeats.ts";
import { checkSenses } from "./senses.ts";
import { checkColumns, checkFolders, checkFunctions, checkHead, checkLines } from "./sizes.ts";
import { type Finding, type Source, sourceOf } from "./source.ts";
import { checkDependencies, checkExports } from "./unused.ts";

type Check = (source: Source) => Finding[];

/** How many findings a made-up file has. */
const count = (check: Check, file: string, text: string): number => check(sourceOf(file, text)).length;

describe("sizes", () => {
  const lines = (n: number) => "a();\n".repeat(n);

  test("a file has at most 300 lines, a test 400", () => {
    expect([300, 301].map((n) => count(checkLines, "server/lib/a.ts", lines(n)))).toEqual([0, 1]);
    expect([400, 401].map((n) => count(checkLines, "server/lib/a.test.ts", lines(n)))).toEqual([0, 1]);
  });

  test("a line has at most 140 columns, unless a text makes it longer", () => {
    expect(count(checkColumns, "server/lib/a.ts", `const a = ${"b + ".repeat(40)}c;`)).toBe(1);
    expect(count(checkColumns, "server/lib/a.ts", `const a = "${"b ".repeat(80)}";`)).toBe(0);
  });

  test("a function has at most 90 lines, in any form", () => {
    const body = (n: number) => `{\n${"  a();\n".repeat(n - 2)}}`;
    for (const head of ["function f() ", "const f = () => ", "export const o = { f() "]) {
      const tail = head.includes("{ f") ? " };" : ";";
      expect(count(checkFunctions, "server/lib/a.ts", head + body(90) + tail)).toBe(0);
      expect(count(checkFunctions, "server/lib/a.ts", head + body(91) + tail)).toBe(1);
    }
    expect(count(checkFunctions, "server/lib/a.test.ts", `function f() ${body(200)}`)).toBe(0);
  });

  test("a file of the server begins with what it owns", () => {
    expect(count(checkHead, "server/lib/a.ts", "const a = 1;")).toBe(1);
    expect(count(checkHead, "server/lib/a.ts", "// Owns a.\nconst a = 1;")).toBe(0);
  });

  test("a folder has at most 16 entries, tests not counted", () => {
    const files = (n: number) => Array.from({ length: n }, (_, i) => `tools/x/f${i}.ts`);
    expect(checkFolders([...files(16), "tools/x/f.test.ts"])).toEqual([]);
    expect(checkFolders(files(17))).toHaveLength(1);
  });
});

describe("names", () => {
  test("files are kebab-case and say what they do", () => {
    expect(
      ["server/lib/a-b.ts", "server/lib/aB.ts", "server/lib/utils.ts"].map((f) => count(checkFileName, f, "")),
    ).toEqual([0, 1, 1]);
  });

  test.each([
    "// mends it",
    "createWarden()",
    "const deed = 1",
    "new CrewBusy()",
    "// every so-manyth",
    "MOST_KEYS",
    "mostKeys",
    "house.call()",
  ])("%s is no plain English", (text) => expect(count(checkWords, "server/lib/a.ts", text)).toBe(1));

  test("words that only look alike pass", () => {
    expect(count(checkWords, "server/lib/a.ts", "// at most ten; indeed recommended; the house number")).toBe(0);
  });

  test("constants of a module are UPPER_SNAKE: numbers, texts, patterns, lists, sets and maps", () => {
    for (const value of [
      "1",
      "60 * 1000",
      '"a"',
      "/a/",
      "[1, 2]",
      "new Set([1])",
      "new Map([[1, 2]])",
      "[1] as const",
    ]) {
      expect([value, count(checkConstants, "server/lib/a.ts", `const maxKeys = ${value};`)]).toEqual([value, 1]);
      expect([value, count(checkConstants, "server/lib/a.ts", `export const MAX_KEYS = ${value};`)]).toEqual([
        value,
        0,
      ]);
    }
    expect(
      count(
        checkConstants,
        "server/lib/a.ts",
        "const f = () => 1; const held = new Map(); function g() { const most = 1; return most; }",
      ),
    ).toBe(0);
  });
});

describe("imports", () => {
  const imports = (file: string, target: string) => count(checkImports, file, `import { a } from "${target}";`);

  test("lib, contract, store, platform, actions and drivers import downwards alone", () => {
    expect(imports("server/lib/a.ts", "../store/db.ts")).toBe(1);
    expect(imports("server/contract/a.ts", "../platform/platform.ts")).toBe(1);
    expect(imports("server/store/a.ts", "../platform/platform.ts")).toBe(1);
    expect(imports("server/platform/a.ts", "../http/gate.ts")).toBe(1);
    expect(imports("server/actions/stock/routes/a.ts", "../../alerts/store.ts")).toBe(1);
    expect(imports("server/actions/stock/engine/a.ts", "../store.ts")).toBe(1);
    expect(imports("server/http/a.ts", "../actions/stock/index.ts")).toBe(1);
    expect(imports("sdks/typescript/src/a.ts", "../../../server/config.ts")).toBe(1);
    expect(imports("benchmarks/a.ts", "../server/compose.ts")).toBe(1);
    expect(imports("server/actions/stock/routes/a.ts", "../../../platform/platform.ts")).toBe(0);
    expect(imports("server/actions/stock/engine/a.ts", "../contract/shapes.ts")).toBe(0);
  });

  test("main loads nothing but help before it knows the command", () => {
    expect(imports("server/main.ts", "./compose.ts")).toBe(1);
    expect(imports("server/main.ts", "./commands/help.mjs")).toBe(0);
  });

  test("a dynamic import, a type and a re-export count too", () => {
    for (const text of [
      'import("../store/db.ts")',
      'export * from "../store/db.ts"',
      'import type { A } from "../store/db.ts"',
      'type A = import("../store/db.ts").A',
    ])
      expect([text, count(checkImports, "server/lib/a.ts", text)]).toEqual([text, 1]);
  });

  test("inside an action nothing imports back", () => {
    const inside = (from: string, to: string) =>
      count(
        checkDirection,
        `server/actions/stock/${from}`,
        `import { a } from "${"../".repeat(from.split("/").length - 1) || "./"}${to}";`,
      );
    for (const [from, to] of [
      ["contract/index.ts", "machine.ts"],
      ["machine.ts", "store.ts"],
      ["store/rows.ts", "view.ts"],
      ["view.ts", "routes/a.ts"],
      ["background/a.ts", "routes/a.ts"],
      ["routes/a.ts", "index.ts"],
      ["planner.ts", "background/a.ts"],
      ["providers/a.ts", "routes/a.ts"],
    ]) {
      expect([from, to, inside(from, to)]).toEqual([from, to, 1]);
    }
    expect(inside("routes/a.ts", "background/a.ts")).toBe(0);
    expect(inside("routes/a.ts", "routes/b.ts")).toBe(0);
    expect(inside("index.ts", "routes/a.ts")).toBe(0);
    expect(inside("view.ts", "store.ts")).toBe(0);
    expect(inside("try.ts", "background/a.ts")).toBe(0);
  });

  test("a page of the console is read too: what it imports counts", () => {
    const text = 'import { go } from "../state.ts"; export const Page = () => <p onClick={go}>Hello</p>;';
    const page = sourceOf("console/src/pages/a.tsx", text);
    expect(page.imports()).toEqual([{ target: "console/src/state.ts", names: ["go"], line: 1 }]);
    expect(checkLines(sourceOf("console/src/pages/a.tsx", "a();\n".repeat(301)))).toHaveLength(1);
  });

  test("a circle is found once and named whole", () => {
    const [a, b, c] = ["b", "c", "a"].map((to, i) => sourceOf(`server/lib/${"abc"[i]}.ts`, `import "./${to}.ts";`));
    const found = checkCircles([a, b, c]);
    expect(found).toHaveLength(1);
    expect(found[0].hint).toContain("server/lib/a.ts → server/lib/b.ts → server/lib/c.ts → server/lib/a.ts");
    expect(checkCircles([a, b])).toEqual([]);
  });
});

describe("layout", () => {
  test("an action has the common entries and at most two nouns of its own", () => {
    const files = ["index.ts", "contract/a.ts", "store/a.ts", "x.test.ts", "planner.ts", "spec/a.ts"].map(
      (f) => `server/actions/stock/${f}`,
    );
    expect(checkEntries(files)).toEqual([]);
    expect(checkEntries([...files, "server/actions/stock/service.ts"])[0].rule).toContain(
      "planner.ts, spec, service.ts",
    );
  });

  test.each([
    "const rows = await tx`select 1`;",
    "await db.sql.unsafe(text);",
    'await query("update jobs set run_at = now()");',
    'const text = "SELECT id FROM keys";',
    "const text = `insert into ${table} (id) values (1)`;",
    "const text = `\n  with picked as (select 1) select 2`;",
    "const text = `delete from keys where id = ${id}`;",
    'await client.query("lock table keys");',
    "await tx<Row>`x`;",
  ])("only a store writes SQL: %s", (text) => {
    for (const file of ["server/platform/keys/index.ts", "server/jobs/worker.ts", "server/commands/operator/keys.ts"])
      expect([file, count(checkSql, file, text)]).not.toEqual([file, 0]);
    expect(count(checkSql, "server/platform/keys/store.ts", text)).toBe(0);
    expect(count(checkSql, "server/actions/stock/store/levels.ts", text)).toBe(0);
    expect(count(checkSql, "server/platform/keys/keys.test.ts", text)).toBe(0);
  });

  test("words of English are no SQL", () => {
    for (const text of ["Select one of these.", "Update the settings", "Delete from the list", "with a key as (x)"])
      expect([text, count(checkSql, "server/http/gate.ts", `const text = "${text}";`)]).toEqual([text, 0]);
  });

  test("only routes bind handlers", () => {
    const text = 'import { handle } from "../../contract/define.ts";';
    expect(count(checkHandlers, "server/actions/stock/index.ts", text)).toBe(1);
    expect(count(checkHandlers, "server/platform/keys/index.ts", text)).toBe(1);
    expect(count(checkHandlers, "server/platform/keys/routes.ts", text)).toBe(0);
  });
});

describe("senses", () => {
  test.each(["Date.now()", "new Date()", "Math.random()", "process.env.HOME", "performance.now()"])("%s", (text) => {
    expect(count(checkSenses, "server/platform/a.ts", text)).toBe(1);
    expect(count(checkSenses, "server/platform/a.ts", `// ${text}`)).toBe(0);
    expect(count(checkSenses, "server/platform/a.test.ts", text)).toBe(0);
  });

  test("no float on the money path", () => {
    expect(count(checkSenses, "server/actions/stock/view.ts", "parseFloat(x)")).toBe(1);
    expect(count(checkSenses, "server/actions/alerts/view.ts", "parseFloat(x)")).toBe(0);
  });
});

describe("repeats", () => {
  const run = (n: number) => Array.from({ length: n }, (_, i) => `step${i}();\n`).join("");
  const found = (n: number, file = "server/lib/b.ts") =>
    checkRepeats([sourceOf("server/lib/a.ts", run(n)), sourceOf(file, `start();\n// why\n\n${run(n)}`)]);

  test("two places share at most 12 lines; comments and blank lines do not count", () => {
    expect(found(12)).toEqual([]);
    expect(found(13).map(({ file, line }) => [file, line])).toEqual([["server/lib/b.ts", 4]]);
    expect(found(30)).toHaveLength(1);
  });

  test("a test may repeat itself", () => expect(found(13, "server/lib/b.test.ts")).toEqual([]));
});

describe("unused", () => {
  test("an exported value that no other file imports is refused; types are not", () => {
    const a = sourceOf(
      "server/lib/a.ts",
      "export const A = 1; export function f() {} export interface I {} export class C {}",
    );
    const b = sourceOf("server/lib/b.ts", 'import { f } from "./a.ts";');
    expect(checkExports([a, b]).map((found) => found.rule)).toEqual(["nobody imports A", "nobody imports C"]);
    expect(checkExports([a, sourceOf("server/lib/b.ts", 'import * as all from "./a.ts";')])).toEqual([]);
  });

  test("a dependency that no file names is refused", () => {
    expect(checkDependencies(["hono", "left-pad", "typescript"], ['import "hono"']).map((f) => f.rule)).toEqual([
      "no file imports the dependency left-pad",
    ]);
  });
});
