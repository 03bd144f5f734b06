// robots.txt by RFC 9309: groups by product token, longest match by octets, allow wins ties; Crawl-delay as a hint.
// Where the RFC and Google's parser differ, what both allow is allowed: RFC 9309 undoes the escape of a letter (`%62` is `b`),
// Google compares it as written. `Allow: /a/index.html` stands for `/a/` too (Google's rule; the RFC has none).
// It reads and matches text; fetching and keeping belong to background/.

export interface Rule {
  allow: boolean;
  /** Escapes of unreserved characters undone, as RFC 9309 compares. `*` and a final `$` keep their meaning. */
  pattern: string;
  /** Escapes left as written, as Google compares. */
  literal: string;
}

export interface Robots {
  groups: { agents: string[]; rules: Rule[]; crawlDelayS: number | null }[];
  sitemaps: string[];
}

/** RFC 9309 §2.5 asks for at least 500 KiB. */
const BYTES_MAX = 512 * 1024;
/** Google's bound: what is longer is cut. */
const LINE_MAX = 16_664;
const SITEMAPS_MAX = 1_000;

/** The text of the file. A store cannot keep NUL, and no rule needs it. */
export const decodeRobots = (body: Uint8Array): string =>
  Buffer.from(body.subarray(0, BYTES_MAX)).toString("utf8").replaceAll("\0", "");

export function parseRobots(text: string): Robots {
  const out: Robots = { groups: [], sitemaps: [] };
  let group: Robots["groups"][number] | null = null;
  let inAgents = false;
  for (const line of withoutMark(text.slice(0, BYTES_MAX)).split(/\r\n|\n|\r/)) {
    const { key, value } = splitLine(line.length > LINE_MAX ? line.slice(0, LINE_MAX) : line);
    if (key === "user-agent") {
      if (!inAgents || !group) out.groups.push((group = { agents: [], rules: [], crawlDelayS: null }));
      group.agents.push(agentToken(value));
      inAgents = true;
    } else if (key === "allow" || key === "disallow") {
      inAgents = false;
      if (group && value !== "") group.rules.push(...rulesOf(key === "allow", value));
    } else if (key === "crawl-delay") {
      const seconds = Number(value);
      if (group && value !== "" && Number.isFinite(seconds) && seconds >= 0) group.crawlDelayS = seconds;
      inAgents = false;
    } else if (key === "sitemap" && value !== "" && out.sitemaps.length < SITEMAPS_MAX) out.sitemaps.push(value);
  }
  return out;
}

/** A byte-order mark at the start is skipped, whole or broken off; anywhere else it spoils its line. */
function withoutMark(text: string): string {
  // The mark, its octets read as Latin-1, or what is left of a broken one.
  return text.replace(/^(?:\ufeff|\u00ef\u00bb?\u00bf?|\ufffd)/, "");
}

const KEYS: Record<string, string> = {
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
  const plain = trimAscii(hash < 0 ? line : line.slice(0, hash));
  const colon = plain.indexOf(":");
  if (colon > 0) return { key: keyOf(plain.slice(0, colon)), value: trimAscii(plain.slice(colon + 1)) };
  // `disallow /`: a forgotten colon, as long as there are two words and no more.
  const words = plain.split(/[ \t]+/, 3);
  return words.length === 2 ? { key: keyOf(words[0]!), value: words[1]! } : { key: "", value: "" };
}

const keyOf = (word: string): string => KEYS[trimAscii(word).toLowerCase()] ?? "";

const isAsciiBlank = (c: number): boolean => c === 32 || (c >= 9 && c <= 13);

/** Only ASCII blanks: a byte-order mark is none, as `trim` would have it. */
function trimAscii(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isAsciiBlank(text.charCodeAt(start))) start++;
  while (end > start && isAsciiBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** The part of a name that counts: letters, `_` and `-`; `*` alone is everyone. */
function agentToken(value: string): string {
  if (value === "*" || /^\*\s/.test(value)) return "*";
  return /^[A-Za-z_-]*/.exec(value)![0].toLowerCase();
}

/** One rule, and for an allowed index page a second one for its folder alone. */
function rulesOf(allow: boolean, value: string): Rule[] {
  const rules = [ruleOf(allow, value)];
  const slash = value.lastIndexOf("/");
  if (allow && slash >= 0 && value.startsWith("/index.htm", slash))
    rules.push(ruleOf(allow, `${value.slice(0, slash + 1)}$`));
  return rules;
}

function ruleOf(allow: boolean, value: string): Rule {
  const literal = normaliseEscapes(value);
  return { allow, literal, pattern: undoEscapes(literal) };
}

/** The rules that speak to this product token (given bare, e.g. `ActionConnector`): its own groups together, else those for everyone. */
export function rulesFor(robots: Robots, userAgent: string): { rules: Rule[]; crawlDelayS: number | null } {
  const token = userAgent.toLowerCase();
  const own = robots.groups.filter((g) => token !== "" && g.agents.includes(token));
  const chosen = own.length > 0 ? own : robots.groups.filter((g) => g.agents.includes("*"));
  const delays = chosen.map((g) => g.crawlDelayS).filter((d) => d !== null);
  const crawlDelayS = delays.length > 0 ? delays.reduce((max, delay) => Math.max(max, delay)) : null;
  return { rules: chosen.flatMap((g) => g.rules), crawlDelayS };
}

/** What the file says to the product token: the pause it asks for, and whether the address may be read. */
export function judgeRobots({ text, token, url }: { text: string; token: string; url: string }) {
  const robots = parseRobots(text);
  return { crawlDelayS: rulesFor(robots, token).crawlDelayS, allowed: isAllowed(robots, token, url) };
}

/** Whether the product token may fetch the address. `/robots.txt` itself is fetched without asking. */
export function isAllowed(robots: Robots, userAgent: string, url: string): boolean {
  const literal = literalPath(url);
  const path = undoEscapes(literal);
  let best = -1;
  let allow = true;
  for (const rule of rulesFor(robots, userAgent).rules) {
    const length = rule.pattern.length;
    if (length < best || !ruleMatches(rule, path, literal)) continue;
    if (length > best) {
      best = length;
      allow = rule.allow;
    } else if (rule.allow) allow = true;
  }
  return allow;
}

/** An allowance must hold for both ways to compare, a refusal for one of them. */
function ruleMatches({ allow, pattern, literal }: Rule, path: string, literalPath: string): boolean {
  if (pattern === literal && path === literalPath) return matches(pattern, path);
  return allow
    ? matches(pattern, path) && matches(literal, literalPath)
    : matches(pattern, path) || matches(literal, literalPath);
}

/** Path and query as written, no fragment, never empty. The address is expected in its escaped form. */
function literalPath(url: string): string {
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?#;]*(.*)$/is.exec(url)?.[1] ?? url;
  const plain = rest.split("#", 1)[0]!;
  return upperEscapes(plain.startsWith("/") ? plain : `/${plain}`);
}

/** Escapes in capitals, octets beyond ASCII escaped. */
const normaliseEscapes = (text: string): string =>
  /[%\u0080-\uffff]/.test(text) ? upperEscapes(text.replaceAll(/[\u0080-\u{10ffff}]+/gu, encodeOctets)) : text;

const upperEscapes = (text: string): string =>
  text.includes("%") ? text.replaceAll(/%[0-9a-fA-F]{2}/g, (octet) => octet.toUpperCase()) : text;

/** Escapes of unreserved characters undone: letters, digits, `-`, `.`, `_`, `~`. */
function undoEscapes(text: string): string {
  if (!text.includes("%")) return text;
  return text.replaceAll(/%([0-9A-F]{2})/g, (octet, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : octet;
  });
}

const encoder = new TextEncoder();
const encodeOctets = (run: string): string =>
  Array.from(encoder.encode(run), (b) => `%${b.toString(16).toUpperCase().padStart(2, "0")}`).join("");

/** `*` and a final `$`: the parts between stars are found one after the other, each at its first place. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith("$");
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split("*");
  const head = parts[0]!;
  if (!path.startsWith(head)) return false;
  let at = head.length;
  const last = parts.length - 1;
  for (let i = 1; i <= last; i++) {
    const part = parts[i]!;
    if (i === last && anchored) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !anchored || at === path.length;
}
