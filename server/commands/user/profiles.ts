// The file with the profiles: one server each, with its key. Only its owner can read it.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { UsageError } from "../command.ts";

export interface Profile {
  url: string;
  key: string;
  /** With which `webhooks listen` signs; made at the first use. */
  webhook_secret?: string;
}

export interface Profiles {
  /** The profile that is used when none is named. */
  current: string;
  profiles: Record<string, Profile>;
}

export const DEFAULT_PROFILE = "default";
const OTHERS_CAN_READ = 0o077;

export function profilesPath(environment: Record<string, string | undefined> = process.env): string {
  const config = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), ".config");
  return join(config, "action-connector", "profiles.json");
}

export function readProfiles(path = profilesPath()): Profiles {
  if (!existsSync(path)) return { current: DEFAULT_PROFILE, profiles: {} };
  if (process.platform !== "win32" && (statSync(path).mode & OTHERS_CAN_READ) !== 0)
    console.error(`Warning: other users can read ${path}. Hint: chmod 600 ${path}`);
  try {
    const { current, profiles } = JSON.parse(readFileSync(path, "utf8"));
    if (typeof current === "string" && profiles && typeof profiles === "object") return { current, profiles };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UsageError(`${path} is damaged. Hint: remove it, then connector login`);
}

/** Written beside and renamed, so that a cut never leaves half a file. */
export function writeProfiles(profiles: Profiles, path = profilesPath()): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, path);
}
