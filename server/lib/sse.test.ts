import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithData, sharedData } from "../../tests/shared-data.ts";
import { createSseParser, encodeComment, encodeEvent } from "./sse.ts";
import type { ParsedEvent } from "./sse.ts";

const parse = (pieces: string[]) => {
  const events: ParsedEvent[] = [];
  const parser = createSseParser((event) => events.push(event));
  for (const piece of pieces) parser.push(piece);
  return { events, retryMs: parser.state.retryMs };
};

interface Case {
  name: string;
  stream: string;
  events: { data: string; event: string; lastEventId?: string }[];
  retry_ms?: number;
}

describeWithData("alerts/sse.json", "the web-platform cases", () => {
  const cases: Case[] = JSON.parse(readFileSync(join(sharedData, "alerts/sse.json"), "utf8"));
  const expected = (c: Case, got: ParsedEvent[]) =>
    c.events.map((e, i) => ({ ...e, lastEventId: e.lastEventId ?? got[i]?.lastEventId ?? "" }));

  for (const [i, c] of cases.entries()) {
    test(`${i} ${c.name}: read whole and byte by byte`, () => {
      for (const pieces of [[c.stream], [...c.stream]]) {
        const { events, retryMs } = parse(pieces);
        expect(events).toEqual(expected(c, events));
        if (c.retry_ms !== undefined) expect(retryMs).toBe(c.retry_ms);
      }
    });

    test(`${i} ${c.name}: our writer's output reads as the same events`, () => {
      const { events } = parse([c.stream]);
      let last = "";
      const written = events.map(({ data, event, lastEventId }) => {
        const id = lastEventId === last ? undefined : lastEventId;
        last = lastEventId;
        return encodeEvent({ data, event, id }) + encodeComment("beat");
      });
      expect(parse(written).events).toEqual(events);
      expect(parse([...written.join("")]).events).toEqual(events);
    });
  }
});

describe("the writer", () => {
  test("data with any line break comes back with LF, and nothing can break out of its event", () => {
    const hostile = "a\r\nb\rc\nid: 9\n\nevent: x\n: no\n";
    const { events } = parse([encodeEvent({ id: "1", event: "t", data: hostile })]);
    expect(events).toEqual([{ data: "a\nb\nc\nid: 9\n\nevent: x\n: no\n", event: "t", lastEventId: "1" }]);
  });

  test("ids and names that the format cannot carry are refused", () => {
    for (const bad of ["a\nb", "a\rb", "a\0"]) {
      expect(() => encodeEvent({ data: "", id: bad })).toThrow(TypeError);
      expect(() => encodeEvent({ data: "", event: bad })).toThrow(TypeError);
    }
  });

  test("a comment is one line and dispatches nothing", () => {
    expect(encodeComment("a\nb")).toBe(":a b\n\n");
    expect(parse([encodeComment(), encodeComment("x")]).events).toEqual([]);
  });
});
