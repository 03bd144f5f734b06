// Builds dist/: modules for import, CommonJS for require, each with its own declarations.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const tsc = findCompiler();
rmSync(join(here, "dist"), { recursive: true, force: true });
for (const [project, folder, type] of [
  ["tsconfig.json", "esm", "module"],
  ["tsconfig.cjs.json", "cjs", "commonjs"],
]) {
  execFileSync(process.execPath, [tsc, "-p", join(here, project)], { stdio: "inherit" });
  const out = join(here, "dist", folder);
  // The compiler rewrites .ts to .js in code but not in declarations.
  for (const name of readdirSync(out, { recursive: true }).filter((n) => n.endsWith(".d.ts"))) {
    const file = join(out, name);
    writeFileSync(file, readFileSync(file, "utf8").replace(/(from "\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
  writeFileSync(join(out, "package.json"), `{ "type": "${type}" }\n`);
}

function findCompiler() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  } catch {
    console.error("TypeScript is not installed. Hint: run npm ci at the root of the repository, then npm pack here.");
    process.exit(1);
  }
}
