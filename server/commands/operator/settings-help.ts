// `connector help config`: every setting with its default. All other help is in help.mjs.
import type { OperatorCommand } from "../command.ts";
import { describeSettings } from "../../config.ts";

export const printSettings: OperatorCommand = () => {
  console.log("Settings come from CONNECTOR_* variables, then from connector.toml, then from the defaults.\n");
  for (const { name, key, default: fallback, doc } of describeSettings())
    console.log(`  ${name}  (${key}, default ${fallback})\n      ${doc}`);
};
