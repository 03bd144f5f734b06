// Which server a command talks to, with which key: flags first, then a named profile, the environment, the current profile.
import { ActionConnector } from "../../../sdks/typescript/src/client.ts";
import { nearest } from "../../lib/nearest.ts";
import { type CommandInput, EXIT, UsageError } from "../command.ts";
import { readProfiles } from "./profiles.ts";

export type Client = ActionConnector;

const NO_KEY = "No server and key are known. Hint: connector login, or set CONNECTOR_URL and CONNECTOR_API_KEY.";

interface Target {
  url?: string;
  key?: string;
  /** Where it comes from; null for flags and environment. */
  profile: string | null;
}

export function findTarget(
  flags: CommandInput["flags"],
  environment: Record<string, string | undefined> = process.env,
): Target {
  const { current, profiles } = readProfiles();
  const named = flags.profile ?? (environment.CONNECTOR_PROFILE || undefined);
  if (named !== undefined && !Object.hasOwn(profiles, named)) {
    const near = nearest(named, Object.keys(profiles));
    throw new UsageError(
      `There is no profile "${named}".${near ? ` Did you mean ${near}?` : ""} Hint: connector login --profile ${named}`,
    );
  }
  const kept = named !== undefined ? profiles[named] : undefined;
  const url = flags.url ?? kept?.url ?? (environment.CONNECTOR_URL || undefined) ?? profiles[current]?.url;
  const key = flags.key ?? kept?.key ?? (environment.CONNECTOR_API_KEY || undefined) ?? profiles[current]?.key;
  const profile = named ?? (profiles[current]?.key === key ? current : null);
  return { url, key, profile };
}

/** The SDK's client for this command. */
export function connect({ flags }: CommandInput): Client {
  const { url, key } = findTarget(flags);
  if (!url || !key) throw new UsageError(NO_KEY, EXIT.key);
  return open(url, key);
}

export function open(url: string, key: string): Client {
  if (!/^https?:\/\/[^\s/]/.test(url))
    throw new UsageError(`"${url}" is no address of a server. Hint: --url http://127.0.0.1:8080`);
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError("The key holds characters that no key has. Hint: copy it again.");
  // One retry: a person waits. The service asks for patience itself where it pays.
  return new ActionConnector({ baseUrl: url, apiKey: key, maxRetries: 1, timeoutMs: 30_000 });
}
