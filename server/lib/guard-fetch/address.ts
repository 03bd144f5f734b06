// Which IP addresses may be reached: the special-purpose registries of IANA as a table. Knows nothing of names or URLs.

/** 4 or 16 bytes. */
export type AddressBytes = Uint8Array;

// IANA special-purpose registries, plus what clouds hide in public space. The first match names the reason.
const RANGES: [cidr: string, reason: string][] = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private network"],
  ["100.64.0.0/10", "carrier-grade NAT"],
  ["127.0.0.0/8", "loopback"],
  ["168.63.129.16/32", "cloud metadata"],
  ["169.254.169.254/32", "cloud metadata"],
  ["169.254.170.2/32", "cloud metadata"],
  ["100.100.100.200/32", "cloud metadata"],
  ["169.254.0.0/16", "link-local"],
  ["172.16.0.0/12", "private network"],
  ["192.0.0.0/24", "protocol assignments"],
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "AS112"],
  ["192.52.193.0/24", "AMT"],
  ["192.88.99.0/24", "6to4 relay"],
  ["192.168.0.0/16", "private network"],
  ["192.175.48.0/24", "AS112"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::ffff:0:0/96", "IPv4-mapped"],
  ["::ffff:0:0:0/96", "IPv4-translated"],
  ["::/96", "IPv4-compatible"],
  ["64:ff9b::/96", "NAT64"],
  ["64:ff9b:1::/48", "NAT64"],
  ["100::/64", "discard"],
  ["100:0:0:1::/64", "dummy prefix"],
  ["2001::/32", "Teredo"],
  ["2001::/23", "protocol assignments"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4"],
  ["2620:4f:8000::/48", "AS112"],
  ["3ffe::/16", "6bone"],
  ["3fff::/20", "documentation"],
  ["5f00::/16", "segment routing"],
  ["fd00:ec2::254/128", "cloud metadata"],
  ["fd20:ce::254/128", "cloud metadata"],
  ["fc00::/7", "private network"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "site-local"],
  ["ff00::/8", "multicast"],
];

const GLOBAL_UNICAST = parseCidr("2000::/3");
const compiled = RANGES.map(([cidr, reason]) => ({ ...parseCidr(cidr), reason }));

/** `null` when the address may be reached; otherwise why not. Bytes that are no address are never allowed. */
export function whyDenied(bytes: AddressBytes | null): string | null {
  if (!bytes) return "not an IP address";
  for (const range of compiled) if (contains(range, bytes)) return range.reason;
  if (bytes.length === 16) {
    if (!contains(GLOBAL_UNICAST, bytes)) return "outside global unicast";
    if (isIsatap(bytes) && whyDenied(bytes.subarray(12))) return "ISATAP to a denied address";
  }
  return null;
}

/** Loopback in its plain spellings only: mapped and compatible forms are never loopback for an allow-list. */
export function isLoopback(bytes: AddressBytes): boolean {
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes.every((b, i) => b === (i === 15 ? 1 : 0));
}

/** Metadata services stay closed whatever an operator allows. */
export function isMetadata(bytes: AddressBytes): boolean {
  return whyDenied(bytes) === "cloud metadata";
}

export interface Cidr {
  bytes: AddressBytes;
  bits: number;
}

export function parseCidr(text: string): Cidr {
  const [address, prefix] = text.split("/");
  const bytes = parseAddress(address);
  const bits = prefix === undefined ? (bytes?.length ?? 0) * 8 : Number(prefix);
  if (!bytes || !Number.isInteger(bits) || bits < 0 || bits > bytes.length * 8) {
    throw new RangeError(`"${text}" is not a network such as 10.0.0.0/8 or fd00::/8`);
  }
  return { bytes, bits };
}

export function contains(range: Cidr, bytes: AddressBytes): boolean {
  if (range.bytes.length !== bytes.length) return false;
  const whole = range.bits >> 3;
  for (let i = 0; i < whole; i++) if (range.bytes[i] !== bytes[i]) return false;
  const rest = range.bits & 7;
  if (rest === 0) return true;
  const mask = 0xff << (8 - rest);
  return (range.bytes[whole] & mask) === (bytes[whole] & mask);
}

/** Strict: quads without leading zeros and RFC 4291 text, no zone. Lax spellings are the URL parser's job. */
export function parseAddress(text: string): AddressBytes | null {
  return text.includes(":") ? parseIPv6(text) : parseIPv4(text);
}

export function sameAddress(a: AddressBytes | null, b: AddressBytes | null): boolean {
  if (!a || !b) return false;
  const left = unmap(a);
  const right = unmap(b);
  return left.length === right.length && left.every((byte, i) => byte === right[i]);
}

function parseIPv4(text: string): AddressBytes | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (!match) return null;
  const bytes = new Uint8Array(4);
  for (let i = 0; i < 4; i++) {
    const part = match[i + 1];
    if (Number(part) > 255 || (part.length > 1 && part[0] === "0")) return null;
    bytes[i] = Number(part);
  }
  return bytes;
}

function parseIPv6(text: string): AddressBytes | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const head = groups(halves[0], halves.length === 1);
  const tail = halves.length === 2 ? groups(halves[1], true) : [];
  if (!head || !tail) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const all = [...head, ...Array<number>(missing).fill(0), ...tail];
  const bytes = new Uint8Array(16);
  all.forEach((group, i) => {
    bytes[i * 2] = group >> 8;
    bytes[i * 2 + 1] = group & 0xff;
  });
  return bytes;
}

function groups(text: string, mayEndInIPv4: boolean): number[] | null {
  if (text === "") return [];
  const parts = text.split(":");
  const out: number[] = [];
  for (const [i, part] of parts.entries()) {
    if (part.includes(".")) {
      const quad = mayEndInIPv4 && i === parts.length - 1 ? parseIPv4(part) : null;
      if (!quad) return null;
      out.push((quad[0] << 8) | quad[1], (quad[2] << 8) | quad[3]);
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(part)) return null;
      out.push(Number.parseInt(part, 16));
    }
  }
  return out;
}

/** A dual-stack socket reports an IPv4 peer as ::ffff:a.b.c.d. */
function unmap(bytes: AddressBytes): AddressBytes {
  const mapped =
    bytes.length === 16 && bytes[10] === 0xff && bytes[11] === 0xff && bytes.subarray(0, 10).every((b) => b === 0);
  return mapped ? bytes.subarray(12) : bytes;
}

function isIsatap(bytes: AddressBytes): boolean {
  return (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}
