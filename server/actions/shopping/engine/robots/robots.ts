// robots.txt by RFC 9309: groups by product token, longest match by octets, allow wins ties; Crawl-delay as a hint of our own.
// It reads and matches text; fetching and keeping belong to the service.

export interface Rule {
  allow: boolean;
  /** Percent-encoding normalised; `*` and a final `$` keep their meaning. */
  pattern: string;
}

export interface Robots {
  groups: { agents: string[]; rules: Rule[]; crawlDelayS: number | null }[];
  sitemaps: string[];
}

/** RFC 9309 §2.5 asks for at least 500 KiB. */
const BYTES_MAX = 512 * 1024;

export function parseRobots(text: string): Robots {
  const out: Robots = { groups: [], sitemaps: [] };
  let group: Robots["groups"][number] | null = null;
  let inAgents = false;
  const body =
    text.charCodeAt(0) === 0xfeff ? text.slice(1) : text.startsWith("\u00ef\u00bb\u00bf") ? text.slice(3) : text;
  for (const line of body.slice(0, BYTES_MAX).split(/\r\n|\n|\r/)) {
    const { key, value } = splitLine(line);
    if (key === "user-agent") {
      if (!inAgents || !group) out.groups.push((group = { agents: [], rules: [], crawlDelayS: null }));
      group.agents.push(agentToken(value));
      inAgents = true;
    } else if (key === "allow" || key === "disallow") {
      inAgents = false;
      if (group && value !== "") group.rules.push({ allow: key === "allow", pattern: normalise(value) });
    } else if (key === "crawl-delay") {
      const seconds = Number(value);
      if (group && Number.isFinite(seconds) && seconds >= 0) group.crawlDelayS = seconds;
      inAgents = false;
    } else if (key === "sitemap" && value !== "" && out.sitemaps.length < 1000) out.sitemaps.push(value);
  }
  return out;
}

const MISSPELT: Record<string, string> = {
  "user-agent": "user-agent",
  useragent: "user-agent",
  "user agent": "user-agent",
  allow: "allow",
  disallow: "disallow",
  dissallow: "disallow",
  dissalow: "disallow",
  disalow: "disallow",
  diasllow: "disallow",
  disallaw: "disallow",
  sitemap: "sitemap",
  "site-map": "sitemap",
  "crawl-delay": "crawl-delay",
};

function splitLine(line: string): { key: string; value: string } {
  const hash = line.indexOf("#");
  const plain = (hash < 0 ? line : line.slice(0, hash)).trim();
  const colon = plain.indexOf(":");
  if (colon > 0)
    return { key: MISSPELT[plain.slice(0, colon).trim().toLowerCase()] ?? "", value: plain.slice(colon + 1).trim() };
  // `disallow /`: a forgotten colon, as long as there are two words and no more.
  const words = plain.split(/\s+/);
  return words.length === 2
    ? { key: MISSPELT[words[0]!.toLowerCase()] ?? "", value: words[1]! }
    : { key: "", value: "" };
}

/** The part of a name that counts: letters, `_` and `-`; `*` alone is everyone. */
function agentToken(value: string): string {
  if (value === "*" || /^\*(?:\s|$)/.test(value)) return "*";
  return /^[A-Za-z_-]*/.exec(value)![0].toLowerCase();
}

/** The rules that speak to this product token (given bare, e.g. `ActionConnector`): its own groups together, else those for everyone. */
export function rulesFor(robots: Robots, userAgent: string): { rules: Rule[]; crawlDelayS: number | null } {
  const token = userAgent.toLowerCase();
  const own = robots.groups.filter((g) => token !== "" && g.agents.includes(token));
  const chosen = own.length > 0 ? own : robots.groups.filter((g) => g.agents.includes("*"));
  const delays = chosen.map((g) => g.crawlDelayS).filter((d): d is number => d !== null);
  return { rules: chosen.flatMap((g) => g.rules), crawlDelayS: delays.length > 0 ? Math.max(...delays) : null };
}

/** Whether the product token may fetch the address. `/robots.txt` itself is fetched without asking. */
export function isAllowed(robots: Robots, userAgent: string, url: string): boolean {
  const path = pathOf(url);
  let best = -1;
  let allow = true;
  for (const rule of rulesFor(robots, userAgent).rules) {
    const length = rule.pattern.length;
    if (length < best || !matches(rule.pattern, path)) continue;
    if (length > best) {
      best = length;
      allow = rule.allow;
    } else if (rule.allow) allow = true;
  }
  return allow;
}

/** Path and query as they are compared: normalised escapes, no fragment, never empty. The address is expected in its escaped form. */
export function pathOf(url: string): string {
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?#;]*(.*)$/is.exec(url)?.[1] ?? url;
  const plain = rest.split("#", 1)[0]!;
  const path = plain.startsWith("/") ? plain : plain === "" ? "/" : `/${plain}`;
  return unescapePlain(path);
}

/** Escapes in capitals, octets beyond ASCII escaped, escapes of unreserved characters undone. */
export function normalise(text: string): string {
  if (!/[%\u0080-\uffff]/.test(text)) return text;
  return unescapePlain(text.replaceAll(/[\u0080-\u{10ffff}]+/gu, encodeOctets));
}

function unescapePlain(text: string): string {
  if (!text.includes("%")) return text;
  return text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) => {
    const c = Number.parseInt(hex, 16);
    const unreserved =
      (c >= 48 && c <= 57) ||
      (c >= 65 && c <= 90) ||
      (c >= 97 && c <= 122) ||
      c === 45 ||
      c === 46 ||
      c === 95 ||
      c === 126;
    return unreserved ? String.fromCharCode(c) : `%${hex.toUpperCase()}`;
  });
}

const encoder = new TextEncoder();
const encodeOctets = (run: string): string =>
  Array.from(encoder.encode(run), (b) => `%${b.toString(16).toUpperCase().padStart(2, "0")}`).join("");

/** Linear matching of `*` and a final `$`: positions move forward only, one star is remembered. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith("$");
  const end = anchored ? pattern.length - 1 : pattern.length;
  let p = 0,
    s = 0,
    star = -1,
    mark = 0;
  while (s < path.length || p < end) {
    if (p < end && pattern.charCodeAt(p) === 42) {
      star = ++p;
      mark = s;
      if (p === end && !anchored) return true;
      continue;
    }
    if (p === end && !anchored) return true;
    if (p < end && s < path.length && pattern.charCodeAt(p) === path.charCodeAt(s)) {
      p++;
      s++;
      continue;
    }
    if (star < 0 || mark >= path.length) return false;
    p = star;
    s = ++mark;
  }
  return p === end;
}
