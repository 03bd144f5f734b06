// `connector geodata import|list|remove`: what the geocoder knows beyond its base layer.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { importFile, UnknownFormat } from "../../actions/delivery/providers/geodata/import.ts";
import { type OperatorCommand, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";

const SEEN = "A running service sees a change within seconds; `connector try geocode` sees it at once.";
const LAYER = ".acg";

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e5) / 10} MB`;

export const geodata: OperatorCommand = ({ words: [verb, ...names], flags, config }) => {
  const folder = resolve(flags.into ?? join(config().DATA_DIR, "geodata"));
  if (verb === "import" && names.length > 0) return importAll(names, folder, flags.country ?? "");
  if (verb === "list" && names.length === 0) return list(folder);
  if (verb === "remove" && names.length === 1) return remove(names[0], folder);
  throw new UsageError(usageOf("geodata"));
};

function list(folder: string): void {
  const layers = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(LAYER)) : [];
  for (const file of layers)
    console.log(`${file.slice(0, -LAYER.length)}  ${megabytes(statSync(join(folder, file)).size)}`);
  console.log(layers.length === 0 ? "Nothing is imported." : SEEN);
}

function remove(name: string, folder: string): void {
  const file = join(folder, name.replace(/[^\w.-]/g, "_") + LAYER);
  if (!existsSync(file)) throw new UsageError(`Nothing called ${name} is imported.`);
  rmSync(file);
  console.log(`removed ${name}. ${SEEN}`);
}

async function importAll(files: string[], folder: string, country: string): Promise<void> {
  if (country !== "" && !/^[a-z]{2}$/i.test(country))
    throw new UsageError("--country takes two letters, e.g. --country FR");
  for (const file of files) {
    if (!existsSync(file)) throw new UsageError(`${file} does not exist.`);
    try {
      const done = await importFile(file, folder, country);
      console.log(`${file}: ${done.rows} rows (${done.format}) → ${done.file}, ${megabytes(done.bytes)}`);
    } catch (error) {
      if (error instanceof UnknownFormat) throw new UsageError(error.message);
      throw error;
    }
  }
  console.log(SEEN);
}
