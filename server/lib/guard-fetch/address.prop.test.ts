import { expect, test } from "bun:test";
import fc from "fast-check";
import { BlockList, isIP } from "node:net";
import { parseAddress, sameAddress, whyDenied } from "./address.ts";

const seed = 20_261_115;
const v4 = fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 0, max: 255 })));
const v6 = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), { minLength: 8, maxLength: 8 });

test("every IPv4 address reads as its bytes", () => {
  fc.assert(
    fc.property(v4, (bytes) => expect([...parseAddress(bytes.join("."))!]).toEqual(bytes)),
    { seed },
  );
});

test("every spelling of an IPv6 address reads as the same bytes: plain, padded, compressed, ending in a quad", () => {
  fc.assert(
    fc.property(v6, (groups) => {
      const plain = groups.map((g) => g.toString(16)).join(":");
      const padded = groups.map((g) => g.toString(16).padStart(4, "0").toUpperCase()).join(":");
      const short = new URL(`http://[${plain}]/`).hostname.slice(1, -1);
      const quad = [groups[6] >> 8, groups[6] & 255, groups[7] >> 8, groups[7] & 255].join(".");
      const mixed = `${groups
        .slice(0, 6)
        .map((g) => g.toString(16))
        .join(":")}:${quad}`;
      const bytes = groups.flatMap((g) => [g >> 8, g & 255]);
      for (const text of [plain, padded, short, mixed]) expect([...parseAddress(text)!]).toEqual(bytes);
    }),
    { seed },
  );
});

test("what Node does not take for an address, neither do we; a zone is never part of one", () => {
  const bits = fc.constantFrom(
    "::",
    ":",
    ".",
    "0",
    "1",
    "f",
    "ffff",
    "127",
    "255",
    "256",
    "01",
    "%eth0",
    "x",
    "-",
    " ",
  );
  const text = fc.array(bits, { maxLength: 12 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (candidate) => {
      const wanted = isIP(candidate) !== 0 && !candidate.includes("%");
      expect([candidate, parseAddress(candidate) !== null]).toEqual([candidate, wanted]);
    }),
    { seed, numRuns: 5000 },
  );
});

test("for IPv4 the table agrees with an independent list, and no embedded form opens what is closed", () => {
  const list = new BlockList();
  const nets =
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3";
  const more = "168.63.129.16/32 192.31.196.0/24 192.52.193.0/24 192.175.48.0/24";
  for (const net of `${nets} ${more}`.split(" ")) list.addSubnet(net.split("/")[0], Number(net.split("/")[1]), "ipv4");
  const near = fc.constantFrom(
    0,
    9,
    10,
    11,
    99,
    100,
    101,
    126,
    127,
    128,
    168,
    169,
    170,
    172,
    173,
    192,
    193,
    198,
    203,
    223,
    224,
    240,
    255,
  );
  const edge = fc.oneof(
    v4,
    fc.tuple(near, fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), fc.constant(1)),
  );
  fc.assert(
    fc.property(edge, (bytes) => {
      const text = bytes.join(".");
      expect([text, whyDenied(parseAddress(text)) !== null]).toEqual([text, list.check(text, "ipv4")]);
      const hex = `${((bytes[0] << 8) | bytes[1]).toString(16)}:${((bytes[2] << 8) | bytes[3]).toString(16)}`;
      for (const form of [`::ffff:${text}`, `::${text}`, `64:ff9b::${text}`, `2002:${hex}::1`]) {
        expect([form, whyDenied(parseAddress(form)) !== null]).toEqual([form, true]);
      }
      expect(sameAddress(parseAddress(`::ffff:${text}`), parseAddress(text))).toBe(true);
    }),
    { seed, numRuns: 3000 },
  );
});
