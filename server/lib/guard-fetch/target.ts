// Decides whether a URL names a place we may go to, before and after its name is resolved. Opens no connection.
import { contains, isLoopback, isMetadata, parseAddress, parseCidr, whyDenied } from "./address.ts";
import type { AddressBytes, Cidr } from "./address.ts";
import { createRecent } from "../recent.ts";
import { GuardError } from "./errors.ts";

/** All addresses of a name, as text, in the order they should be tried. */
export type Resolver = (hostname: string) => Promise<string[]>;

export interface TargetPolicy {
  /** Ports that may be reached; 80 and 443 unless set. */
  ports?: number[] | "any";
  /** `host:port` or `host` (any port); host is a name, `127.x.y.z` or `[::1]`. Nothing else opens loopback. */
  allowLoopback?: string[];
  /** Private networks an operator opens, e.g. `10.1.0.0/16`, on any port. Metadata services stay closed. */
  allowNetworks?: string[];
}

export interface Target {
  url: URL;
  /** Name or address as it goes into `Host` and SNI, without brackets. */
  hostname: string;
  port: number;
  isSecure: boolean;
  /** As in the request line and in `Host`. */
  path: string;
  host: string;
  literal: AddressBytes | null;
}

const DENIED_NAMES = new Set([
  "localhost",
  "metadata.goog",
  "instance-data",
  "broadcasthost",
  "ip6-localhost",
  "ip6-loopback",
]);
const DENIED_SUFFIXES = [
  ".localhost",
  ".local",
  ".localdomain",
  ".internal",
  ".intranet",
  ".lan",
  ".home.arpa",
  ".corp",
  ".home",
];
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_URL_LENGTH = 2048;
const MAX_RECENT = 256;

export function createTargetCheck(policy: TargetPolicy) {
  const ports = policy.ports === "any" ? null : new Set(policy.ports ?? [80, 443]);
  const loopback = new Set((policy.allowLoopback ?? []).map((entry) => entry.toLowerCase()));
  const networks = (policy.allowNetworks ?? []).map(parseCidr);
  /** The verdict on a text never changes; refusals are not kept. */
  const recent = createRecent<Target>(MAX_RECENT);

  const listed = (target: Target) => {
    const host = target.hostname.includes(":") ? `[${target.hostname}]` : target.hostname;
    return loopback.has(host) || loopback.has(`${host}:*`) || loopback.has(`${host}:${target.port}`);
  };
  const opened = (bytes: AddressBytes) => !isMetadata(bytes) && networks.some((n: Cidr) => contains(n, bytes));

  /** Why this address may not be reached for this target, or null. */
  function denied(target: Target, address: string): string | null {
    const bytes = parseAddress(address);
    if (bytes && isLoopback(bytes) && listed(target)) return null;
    if (bytes && opened(bytes)) return null;
    const reason = whyDenied(bytes);
    if (reason) return reason;
    return ports && !ports.has(target.port) ? `port ${target.port}` : null;
  }

  /** Parses and checks what can be known without asking the name service. Throws a GuardError. */
  function parse(text: string | URL): Target {
    return typeof text === "string" ? recent(text, () => parseAnew(text)) : parseAnew(text);
  }

  function parseAnew(text: string | URL): Target {
    const url = parseUrl(text);
    if (url.username || url.password)
      throw new GuardError("target_not_allowed", "The address carries a user name or password.");
    const hostname = bareHost(url.hostname);
    const isSecure = url.protocol === "https:";
    const target: Target = {
      url,
      hostname,
      port: url.port ? Number(url.port) : isSecure ? 443 : 80,
      isSecure,
      path: url.pathname + url.search,
      host: url.host,
      literal: parseAddress(hostname),
    };
    if (target.literal) {
      if (denied(target, hostname)) throw refusal(hostname);
      return target;
    }
    checkName(target, listed(target), networks.length > 0);
    // Private networks may be opened on any port, which only the resolved address can tell.
    if (ports && !ports.has(target.port) && !listed(target) && networks.length === 0) {
      throw new GuardError("target_not_allowed", `Port ${target.port} is not allowed.`);
    }
    return target;
  }

  /** The addresses to connect to, every one of them allowed; one denied address refuses the whole name. */
  async function resolve(target: Target, resolver: Resolver): Promise<string[]> {
    if (target.literal) return [target.hostname];
    let addresses: string[];
    try {
      addresses = await resolver(target.hostname);
    } catch (cause) {
      throw new GuardError("upstream_unreachable", `The name ${target.hostname} could not be resolved.`, { cause });
    }
    if (addresses.length === 0)
      throw new GuardError("upstream_unreachable", `The name ${target.hostname} has no address.`);
    for (const address of addresses) if (denied(target, address)) throw refusal(target.hostname);
    return addresses;
  }

  return { parse, resolve };
}

export type TargetCheck = ReturnType<typeof createTargetCheck>;

function parseUrl(text: string | URL): URL {
  const source = String(text);
  if (source.length > MAX_URL_LENGTH)
    throw new GuardError("invalid_url", `The address is longer than ${MAX_URL_LENGTH} characters.`);
  // The parser drops control characters silently, and what is dropped here may be read differently elsewhere.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(source))
    throw new GuardError("invalid_url", "The address contains control characters.");
  let url: URL;
  try {
    url = new URL(source);
  } catch {
    throw new GuardError("invalid_url", "The address is not an absolute URL.");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new GuardError("target_not_allowed", `Only http and https are allowed, not ${url.protocol.slice(0, -1)}.`);
  }
  url.hash = "";
  return url;
}

function bareHost(hostname: string): string {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

function checkName(target: Target, listed: boolean, singleLabelMayBePrivate: boolean): void {
  const name = target.hostname;
  const labels = name.split(".");
  if (name.length > 253 || !labels.every((label) => LABEL.test(label))) {
    throw new GuardError("invalid_url", "The address has no valid host name.");
  }
  if (listed) return;
  const local =
    DENIED_NAMES.has(name) || DENIED_SUFFIXES.some((suffix) => name.endsWith(suffix)) || labels.includes("kubernetes");
  // Names on an operator's own network end as addresses of an opened network; anything else is refused there.
  if ((local || labels.length === 1) && !singleLabelMayBePrivate) throw refusal(name);
}

/** One text for every refused place, so that the answer does not map the inside of a network. */
function refusal(host: string): GuardError {
  return new GuardError("target_not_allowed", `The address ${host} is not a public address.`);
}
