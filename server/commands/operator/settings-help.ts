// `connector help config`: every setting with its default. All other help is in help.mjs.
import { describeSettings } from "../../config.ts";
import type { Command } from "../command.ts";

export const printSettings: Command = () => {
  console.log("Settings come from CONNECTOR_* variables, then from connector.toml, then from the defaults.\n");
  for (const { name, key, default: fallback, doc } of describeSettings())
    console.log(`  ${name}  (${key}, default ${fallback})\n      ${doc}`);
};
