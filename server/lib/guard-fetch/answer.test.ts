// The reader of answers against valid, broken and hostile bytes: whole, byte by byte, and cut anywhere.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createAnswerReader } from "./answer.ts";
import type { GuardError } from "./index.ts";

const SEED = 20_261_115;

interface Seen {
  outcome: string;
  status?: number;
  body?: string;
  keep?: boolean;
}

/** Feeds the pieces and then the end of the connection; says what was made of them. */
function read(pieces: string[], method = "GET", headerBytes = 2_000): Seen {
  let status = 0;
  let body = "";
  const sink = {
    head: (head: { status: number }) => void (status = head.status),
    piece: (bytes: Uint8Array) => void (body += Buffer.from(bytes).toString("latin1")),
  };
  const reader = createAnswerReader(method, headerBytes, sink);
  try {
    for (const piece of pieces) reader.read(Buffer.from(piece, "latin1"));
    const keep = reader.mayKeepConnection();
    reader.closed();
    return { outcome: "complete", status, body, keep };
  } catch (error) {
    return { outcome: (error as GuardError).code };
  }
}

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const kept = (body: string, status = 200): Seen => ({ outcome: "complete", status, body, keep: true });
const once = (body: string, status = 200): Seen => ({ outcome: "complete", status, body, keep: false });

const VALID: [what: string, bytes: string, seen: Seen, method?: string][] = [
  ["a length", `${OK}Content-Length: 5\r\n\r\nhello`, kept("hello")],
  ["the same length twice", `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`, kept("hello")],
  ["no reason phrase", "HTTP/1.1 204\r\n\r\n", kept("", 204)],
  ["an empty body", `${OK}Content-Length: 0\r\n\r\n`, kept("")],
  ["chunks", `${CHUNKED}5\r\nhello\r\nA\r\n, my world\r\n0\r\n\r\n`, kept("hello, my world")],
  ["a size filled up with zeros", `${CHUNKED}00000005\r\nhello\r\n00000000\r\n\r\n`, kept("hello")],
  ["extensions and trailers", `${CHUNKED}5;a="b\t"\r\nhello\r\n0;x\r\nX-A: 1\r\nX-B: 2\r\n\r\n`, kept("hello")],
  ["line breaks inside a chunk", `${CHUNKED}7\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n`, kept("\r\n0\r\n\r\n")],
  ["304 with the length it would have", "HTTP/1.1 304 X\r\nContent-Length: 99\r\n\r\n", kept("", 304)],
  ["HEAD", `${OK}Content-Length: 99\r\n\r\n`, kept(""), "HEAD"],
  [
    "100 and 103 before it",
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nA: b\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`,
    kept("ok"),
  ],
  ["a folded header", `${OK}X-A: 1\r\n  2\r\nContent-Length: 2\r\n\r\nok`, kept("ok")],
  ["up to the end of the connection", `${OK}\r\nall of it`, once("all of it")],
  ["HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok", once("ok")],
  ["Connection: close", `${OK}Connection: x, Close\r\nContent-Length: 2\r\n\r\nok`, once("ok")],
  [
    "a second answer behind it",
    `${OK}Content-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`,
    once("ok"),
  ],
  ["a line break behind it", `${OK}Content-Length: 2\r\n\r\nok\r\n`, once("ok")],
  ["a body behind 204", "HTTP/1.1 204 X\r\nContent-Length: 4\r\n\r\nevil", once("", 204)],
  ["a body behind the answer to HEAD", `${OK}Content-Length: 4\r\n\r\nevil`, once(""), "HEAD"],
  ["bytes behind the last chunk", `${CHUNKED}0\r\n\r\nevil`, once("")],
];

const BROKEN: [what: string, bytes: string, code?: string][] = [
  ["length and chunks", `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["two lengths", `${OK}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`],
  ["a list of lengths", `${OK}Content-Length: 3, 3\r\n\r\nabc`],
  ["a folded length", `${OK}Content-Length: 3\r\n 4\r\n\r\nabc`],
  ["a signed length", `${OK}Content-Length: +3\r\n\r\nabc`],
  ["a negative length", `${OK}Content-Length: -3\r\n\r\nabc`],
  ["a length in hex", `${OK}Content-Length: 0x3\r\n\r\nabc`],
  ["an endless length", `${OK}Content-Length: 99999999999999999999\r\n\r\nabc`],
  ["no length at all", `${OK}Content-Length:\r\n\r\nabc`],
  ["gzip as transfer encoding", `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ["chunked twice", `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["nearly chunked", `${OK}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  ["chunked with a blank inside", `${OK}Transfer-Encoding: chun ked\r\n\r\n0\r\n\r\n`],
  ["chunks over HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["a blank before the colon", `${OK}Content-Length : 3\r\n\r\nabc`],
  ["no colon", `${OK}Content-Length 3\r\n\r\nabc`],
  ["no name", `${OK}: 3\r\n\r\nabc`],
  ["a lone line feed", `${OK}X-A: 1\nContent-Length: 3\r\n\r\nabc`],
  ["a lone carriage return", `${OK}X-A: 1\rContent-Length: 3\r\n\r\nabc`],
  ["a zero byte", `${OK}X-A: \0\r\n\r\nabc`],
  ["a folded status line", "HTTP/1.1 200 OK\r\n X: y\r\n\r\nabc".replace("OK", "OK\u0001")],
  ["HTTP/2", "HTTP/2.0 200 OK\r\n\r\n"],
  ["HTTP/1.2", "HTTP/1.2 200 OK\r\n\r\n"],
  ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n"],
  ["a status past 599", "HTTP/1.1 999 OK\r\n\r\n"],
  ["a greeting of another protocol", "SSH-2.0-OpenSSH_9\r\n"],
  ["HTML alone", "<html>\r\n\r\n"],
  ["a line break before it", `\r\n${OK}\r\n`],
  ["101", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"],
  ["a chunk without a size", `${CHUNKED}\r\nhello\r\n0\r\n\r\n`],
  ["a chunk with 0x", `${CHUNKED}0x5\r\nhello\r\n0\r\n\r\n`],
  ["a chunk with a sign", `${CHUNKED}+5\r\nhello\r\n0\r\n\r\n`],
  ["a negative chunk", `${CHUNKED}-5\r\nhello\r\n0\r\n\r\n`],
  ["a chunk of 4 GiB", `${CHUNKED}100000000\r\nhello`],
  ["a chunk longer than it says", `${CHUNKED}3\r\nhello\r\n0\r\n\r\n`],
  ["a chunk shorter than it says", `${CHUNKED}9\r\nhello\r\n0\r\n\r\n`],
  ["a chunk that ends with a line feed", `${CHUNKED}5\r\nhello\n0\r\n\r\n`],
  ["an endless extension", `${CHUNKED}5;${"a".repeat(300)}\r\nhello\r\n0\r\n\r\n`],
  ["a trailer without a name", `${CHUNKED}0\r\nnonsense\r\n\r\n`],
  ["half a body", `${OK}Content-Length: 5\r\n\r\nhel`],
  ["half a head", "HTTP/1.1 200 OK\r\nContent-Le"],
  ["no last chunk", `${CHUNKED}5\r\nhello\r\n`],
  ["100 and nothing more", "HTTP/1.1 100 Continue\r\n\r\n"],
  ["too many headers", `${OK}${"X-A: 1\r\n".repeat(400)}\r\n`, "too_large"],
  ["one endless header", `${OK}X-A: ${"a".repeat(3_000)}`, "too_large"],
  ["too many announcements", "HTTP/1.1 100 Continue\r\n\r\n".repeat(200), "too_large"],
  ["too many trailers", `${CHUNKED}0\r\n${"X-A: 1\r\n".repeat(400)}\r\n`, "too_large"],
];

for (const [what, bytes, seen, method] of VALID) {
  test(`valid: ${what}`, () => {
    expect(read([bytes], method)).toEqual(seen);
    expect(read([...bytes], method)).toEqual(seen);
  });
}

for (const [what, bytes, code = "upstream_protocol"] of BROKEN) {
  test(`refused: ${what}`, () => {
    expect(read([bytes])).toEqual({ outcome: code });
    expect(read([...bytes])).toEqual({ outcome: code });
  });
}

describe("the reader", () => {
  test("makes the same of an answer however it is cut", () => {
    const row = fc.constantFrom(...VALID, ...BROKEN.map(([what, bytes]) => [what, bytes, null, "GET"] as const));
    fc.assert(
      fc.property(row, fc.array(fc.nat(400), { maxLength: 8 }), ([, bytes, , method], cuts) => {
        const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, i) => bytes.slice(at[i], end));
        expect(read(pieces, method)).toEqual(read([bytes], method));
      }),
      { seed: SEED, numRuns: 3_000 },
    );
  });

  test("never keeps a connection after bytes it has changed at random, unless the answer is still whole", () => {
    const flip = fc.record({ row: fc.constantFrom(...VALID), at: fc.nat(200), to: fc.nat(255) });
    fc.assert(
      fc.property(flip, ({ row: [, bytes, , method], at, to }) => {
        const changed =
          bytes.slice(0, at % bytes.length) + String.fromCharCode(to) + bytes.slice((at % bytes.length) + 1);
        const seen = read([changed], method);
        expect(["complete", "upstream_protocol", "too_large"]).toContain(seen.outcome);
        if (seen.keep) expect(read([...changed, "X"], method).keep).toBe(false);
      }),
      { seed: SEED, numRuns: 3_000 },
    );
  });
});
