// Reads the settings of settings.ts: the only reader of the environment. One table = validation = help text = docs/config.md.
// Settings come from CONNECTOR_* variables, then from connector.toml, then from the defaults here.
import { existsSync, readFileSync } from "node:fs";
import { nearest } from "./lib/nearest.ts";
import { type Config, type Setting, settings } from "./settings.ts";

export { type Config, settings } from "./settings.ts";

export class ConfigError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(
      `The configuration has ${faults.length} fault${faults.length > 1 ? "s" : ""}:\n${faults.map((f) => `  - ${f}`).join("\n")}`,
    );
    this.faults = faults;
  }
}

/** Where a client finds a service and its key: guides have people export them in the shell that also starts the service. */
const CLIENT_VARIABLES = new Set(["CONNECTOR_URL", "CONNECTOR_API_KEY", "CONNECTOR_PROFILE"]);

const isSetting = (name: string): boolean =>
  name.startsWith("CONNECTOR_") && !name.startsWith("CONNECTOR_TEST_") && !CLIENT_VARIABLES.has(name);

/** Reads everything once; throws one ConfigError that lists all faults with their hint. */
export function readConfig(
  environment: Record<string, string | undefined> = process.env,
  file = "connector.toml",
): Config {
  const faults: string[] = [];
  const given = new Map<string, { value: unknown; from: string }>();
  const take = (name: string, shown: string, value: unknown) => {
    if (Object.hasOwn(settings, name)) return void given.set(name, { value, from: shown });
    const near = nearest(name, Object.keys(settings));
    const asGiven = near && (shown.startsWith("CONNECTOR_") ? `CONNECTOR_${near}` : near.toLowerCase());
    faults.push(
      `${shown} is not a setting.${asGiven ? ` Did you mean ${asGiven}?` : " Hint: see `connector help config`."}`,
    );
  };
  for (const [name, value] of Object.entries(readFile(file, faults)))
    take(name.toUpperCase(), `${name} in ${file}`, value);
  for (const [name, value] of Object.entries(environment)) {
    if (isSetting(name)) take(name.slice(10), name, value);
  }
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(settings)) {
    const found = given.get(name);
    config[name] =
      found === undefined || found.value === "" ? setting.default : read(setting, found.value, found.from, faults);
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config as Config;
}

function readFile(file: string, faults: string[]): Record<string, unknown> {
  if (!existsSync(file)) return {};
  try {
    return Bun.TOML.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  } catch (error) {
    faults.push(`${file} is not TOML: ${(error as Error).message}. Hint: correct that line.`);
    return {};
  }
}

function read(setting: Setting, value: unknown, from: string, faults: string[]): unknown {
  const shown = setting.secret ? "the given value" : JSON.stringify(value);
  if (setting.kind === "number") {
    const parsed = typeof value === "number" ? value : /^-?\d+$/.test(String(value)) ? Number(value) : NaN;
    if (Number.isInteger(parsed) && parsed >= setting.min! && parsed <= setting.max!) return parsed;
    faults.push(
      `${from}: ${shown} is not a whole number from ${setting.min} to ${setting.max}. Hint: e.g. ${setting.default}.`,
    );
  } else if (setting.kind === "switch") {
    if (value === true || value === "true" || value === "1") return true;
    if (value === false || value === "false" || value === "0") return false;
    faults.push(`${from}: ${shown} is neither true nor false. Hint: e.g. ${setting.default}.`);
  } else if (setting.kind === "choice") {
    if (setting.choices!.includes(String(value))) return value;
    const near = nearest(String(value), setting.choices!);
    faults.push(
      `${from}: ${shown} is not one of ${setting.choices!.join(", ")}.${near ? ` Did you mean ${near}?` : ""}`,
    );
  } else if (setting.kind === "list") {
    return Array.isArray(value)
      ? value.map(String)
      : String(value)
          .split(",")
          .map((v) => v.trim())
          .filter(Boolean);
  } else if (typeof value === "string") return value;
  else faults.push(`${from}: ${shown} is not text. Hint: put it in quotes.`);
  return setting.default;
}

/** The table as `connector help config` prints it. */
export function describeSettings(): { name: string; key: string; default: string; doc: string }[] {
  return Object.entries<Setting>(settings).map(([name, s]) => ({
    name: `CONNECTOR_${name}`,
    key: name.toLowerCase(),
    default: s.default === null ? "(none)" : Array.isArray(s.default) ? "(empty)" : String(s.default),
    doc: s.doc + (s.choices ? ` One of ${s.choices.join(", ")}.` : ""),
  }));
}
