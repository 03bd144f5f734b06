// `connector help [config]`.
import { describeSettings } from "../config.ts";
import type { Command } from "./index.ts";

export const help: Command = {
  usage: "help [config]",
  summary: "This list, or every setting with its default.",
  async run({ words }) {
    if (words[0] === "config") return printSettings();
    const { commands } = await import("./index.ts");
    console.log("connector <command>\n");
    for (const command of Object.values(commands)) console.log(`  ${command.usage}\n      ${command.summary}`);
  },
};

function printSettings(): void {
  console.log("Settings come from CONNECTOR_* variables, then from connector.toml, then from the defaults.\n");
  for (const { name, key, default: fallback, doc } of describeSettings())
    console.log(`  ${name}  (${key}, default ${fallback})\n      ${doc}`);
}
