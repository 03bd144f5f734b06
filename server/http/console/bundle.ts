// The console's files: built from console/src at the first request, or ahead by `npm run build`; kept packed in memory.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { staticFile } from "../compress.ts";

const FOLDER = resolve(import.meta.dir, "../../../console");
/** Only the single executable has it: a checkout builds what its sources say. */
const BUILT = join(FOLDER, "dist");
const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  json: "application/json",
};

type Serve = ReturnType<typeof staticFile>;

/** Every file of the console by its name. */
export async function buildBundle(): Promise<Map<string, string>> {
  const built = await Bun.build({
    entrypoints: [join(FOLDER, "src/main.tsx")],
    target: "browser",
    minify: true,
    splitting: true,
    naming: { entry: "[name].js", chunk: "[name]-[hash].js" },
  });
  const files = new Map<string, string>();
  for (const output of built.outputs) files.set(output.path.split("/").at(-1)!, await output.text());
  const read = (path: string) => Bun.file(path).text();
  const ofPackage = (path: string) => read(Bun.resolveSync(path, FOLDER));
  files.set("icon.svg", await read(join(FOLDER, "assets/icon.svg")));
  files.set(
    "console.css",
    (await read(join(FOLDER, "assets/console.css"))) + (await ofPackage("uplot/dist/uPlot.min.css")),
  );
  files.set("world.json", await ofPackage("world-atlas/countries-110m.json"));
  return files;
}

/** Writes the files into a folder, from which `createBundle` serves the same bytes without a build. */
export async function writeBundle(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of await buildBundle()) writeFileSync(join(folder, name), text);
}

function readBuilt(): Map<string, string> {
  return new Map(readdirSync(BUILT).map((name) => [name, readFileSync(join(BUILT, name), "utf8")]));
}

/** Serves a file of the console; null where there is none of that name. */
export function createBundle() {
  let files: Promise<Map<string, Serve>> | null = null;
  const load = async () => {
    const built = existsSync(BUILT) ? readBuilt() : await buildBundle();
    return new Map(
      [...built].map(([name, text]) => [name, staticFile(TYPES[name.split(".").at(-1)!] ?? "text/plain", () => text)]),
    );
  };
  return async (name: string, request: Request): Promise<Response | null> => {
    files ??= load();
    return (await files).get(name)?.(request) ?? null;
  };
}
