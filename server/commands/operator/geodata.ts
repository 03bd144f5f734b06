// `connector geodata import|list|remove`: what the geocoder knows beyond its base layer.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { importFile, UnknownFormat } from "../../actions/delivery/providers/geodata/import.ts";
import { type Command, UsageError } from "../command.ts";
import { usageOf } from "../help.mjs";

export const geodata: Command = ({ words, flags, config }) => {
  const dir = resolve(flags.into ?? join(config().DATA_DIR, "geodata"));
  const [verb, ...names] = words;
  if (verb === "import" && names.length > 0) return importAll(names, dir, flags.country ?? "");
  if (verb === "list") {
    const layers = existsSync(dir) ? readdirSync(dir).filter((f) => f.endsWith(".acg")) : [];
    for (const file of layers)
      console.log(`${file.slice(0, -4)}  ${Math.round(statSync(join(dir, file)).size / 1e5) / 10} MB`);
    if (layers.length === 0) console.log("Nothing is imported.");
    return;
  }
  if (verb === "remove" && names[0]) {
    const file = join(dir, `${names[0].replace(/[^\w.-]/g, "_")}.acg`);
    if (!existsSync(file)) throw new UsageError(`Nothing called ${names[0]} is imported.`);
    rmSync(file);
    console.log(`removed ${names[0]}; a running service keeps using it until it is restarted`);
    return;
  }
  throw new UsageError(usageOf("geodata"));
};

function importAll(files: string[], dir: string, country: string): void {
  if (country !== "" && !/^[a-z]{2}$/i.test(country))
    throw new UsageError("--country takes two letters, e.g. --country FR");
  for (const file of files) {
    if (!existsSync(file)) throw new UsageError(`${file} does not exist.`);
    try {
      const done = importFile(file, dir, country);
      console.log(
        `${file}: ${done.rows} rows (${done.format}) → ${done.file}, ${Math.round(done.bytes / 1e5) / 10} MB`,
      );
    } catch (error) {
      if (error instanceof UnknownFormat) throw new UsageError(error.message);
      throw error;
    }
  }
}
