import { describe, expect, test } from "bun:test";
import { createSseParser, encodeComment, encodeEvent } from "./sse.ts";
import type { ParsedEvent } from "./sse.ts";

const parse = (pieces: string[]) => {
  const events: ParsedEvent[] = [];
  const parser = createSseParser((event) => events.push(event));
  for (const piece of pieces) parser.push(piece);
  return { events, retryMs: parser.state.retryMs };
};

/** Name, stream, and the events it carries as [data, event, last id]. */
const STREAMS: [string, string, [string, string, string][]][] = [
  [
    "one byte order mark is skipped, a second is part of the field",
    "\ufeffdata:a\n\n\ufeffdata:b\n\n",
    [["a", "message", ""]],
  ],
  ["all three line ends", "data:a\r\ndata:b\rdata:c\n\r\n", [["a\nb\nc", "message", ""]]],
  [
    "one space after the colon goes, a tab and a second space stay",
    "data:\ta\ndata:  b\n\n",
    [["\ta\n b", "message", ""]],
  ],
  [
    "an empty data field dispatches, no data field does not",
    "data\n\nevent:x\n\ndata:\n\n",
    [
      ["", "message", ""],
      ["", "message", ""],
    ],
  ],
  ["an event without its empty line is not dispatched", "data:a\n\ndata:b\n", [["a", "message", ""]]],
  [
    "the name lasts for one event, an empty one is message",
    "event:x\ndata:a\n\ndata:b\n\nevent:\ndata:c\n\n",
    [
      ["a", "x", ""],
      ["b", "message", ""],
      ["c", "message", ""],
    ],
  ],
  [
    "the id lasts until it is changed or emptied",
    "id:1\ndata:a\n\ndata:b\n\nid\ndata:c\n\n",
    [
      ["a", "message", "1"],
      ["b", "message", "1"],
      ["c", "message", ""],
    ],
  ],
  [
    "an id with NUL is ignored",
    "id:1\ndata:a\n\nid:x\0\ndata:b\n\n",
    [
      ["a", "message", "1"],
      ["b", "message", "1"],
    ],
  ],
  ["comments and unknown fields carry nothing", ":x\nData:1\ndata:a\nfoo:b\n data:c\n\n", [["a", "message", ""]]],
];

describe("the reader", () => {
  for (const [name, stream, expected] of STREAMS) {
    test(`${name}: read whole and character by character`, () => {
      const wanted = expected.map(([data, event, lastEventId]) => ({ data, event, lastEventId }));
      for (const pieces of [[stream], [...stream]]) expect(parse(pieces).events).toEqual(wanted);
    });

    test(`${name}: our writer's output reads as the same events`, () => {
      const { events } = parse([stream]);
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

  test("retry takes digits alone", () => {
    expect(parse(["retry:3000\ndata:a\n\n"]).retryMs).toBe(3000);
    expect(parse(["retry:3000\nretry:1000x\nretry\ndata:a\n\n"]).retryMs).toBe(3000);
  });
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
