// The text engine with the shipped weights: verdicts, abstaining, robustness, segments.
import { describe, expect, test } from "bun:test";
import { openLight } from "../model-files.ts";
import { analyzeText, scoreText, type TextOptions } from "./analyze.ts";
import { HUMAN, MACHINE } from "./fixtures/samples.ts";

const light = await openLight();
const options: TextOptions = { point: "0.01", segments: true };
const judge = (text: string, more: Partial<TextOptions> = {}) => analyzeText(light, text, { ...options, ...more });

describe("verdicts", () => {
  test("machine prose is flagged, with the measured rates beside it", () => {
    const answer = judge(MACHINE);
    expect(answer.verdict).toBe("likely_ai");
    expect(answer.score).toBeGreaterThan(0.9);
    expect(answer.operating_point!.measured_false_positive_rate).toBeLessThanOrEqual(0.01);
    expect(answer.interval![0]).toBeLessThanOrEqual(answer.score!);
    expect(answer.model.known_limits.length).toBeGreaterThan(3);
  });

  test("an old human text is not", () => {
    const answer = judge(HUMAN);
    expect(answer.verdict).toBe("likely_human");
    expect(answer.score).toBeLessThan(0.15);
  });

  test("a stricter point never flags more", () => {
    const order = ["0.05", "0.01", "0.005", "0.002"] as const;
    const thresholds = order.map((point) => judge(MACHINE, { point }).operating_point!.threshold);
    expect(thresholds).toEqual([...thresholds].sort((a, b) => a - b));
  });
});

describe("abstaining", () => {
  const cases: [string, string, string][] = [
    ["too_short", "Too few words to say anything about this at all.", "too_short"],
    ["too_short", "Too short to say.", "too_short"],
    [
      "unsupported_language",
      "El consejo se reunió el martes para hablar del puente y nadie pudo ponerse de acuerdo sobre quién debía pagar. ".repeat(
        6,
      ),
      "unsupported_language",
    ],
    [
      "unsupported_language",
      "Совет собрался во вторник, чтобы поговорить о мосте, и никто не мог договориться. ".repeat(8),
      "unsupported_language",
    ],
    [
      "unsupported_language",
      "议会星期二开会讨论这座桥，没有人能就谁来付钱达成一致。".repeat(20),
      "unsupported_language",
    ],
    ["unclear", "function add(a, b) {\n  return a + b;\n}\nconst x = add(1, 2);\nconsole.log(x);\n".repeat(14), "code"],
    ["unclear", "| name | of | the | thing |\n|---|---|---|---|\n| one | to | it | is |\n".repeat(20), "table"],
    [
      "unclear",
      HUMAN.split(". ")
        .map((line) => `> ${line}.`)
        .join("\n"),
      "quotation",
    ],
  ];
  for (const [verdict, text, why] of cases) {
    test(`${why}: ${text.slice(0, 24).replaceAll("\n", " ")}`, () => {
      const answer = judge(text);
      expect([answer.verdict, answer.abstained_because, answer.score]).toEqual([verdict as never, why as never, null]);
    });
  }

  test("a language that the caller names is believed", () => {
    expect(judge(HUMAN, { language: "de" }).verdict).toBe("unsupported_language");
  });
});

describe("tricks", () => {
  const tricks: [string, string, (text: string) => string][] = [
    ["lookalike_letters", "Cyrillic letters", (t) => t.replaceAll("e", "е").replaceAll("a", "а")],
    ["invisible_characters", "zero-width spaces", (t) => t.replaceAll("e", "e\u200b")],
    ["soft_hyphens", "soft hyphens", (t) => t.replaceAll("ing", "i\u00adng")],
    ["odd_spaces", "thin spaces", (t) => t.replaceAll(" ", "\u2009")],
    [
      "mixed_case_words",
      "case",
      (t) => t.replace(/[a-z]{4,}/g, (w) => [...w].map((c, i) => (i % 2 ? c.toUpperCase() : c)).join("")),
    ],
    [
      "spaced_letters",
      "letters apart",
      (t) => t.replace(/[A-Za-z]+/g, (w) => [...w].join(" ")).replace(/ (?=[A-Z])/g, "  "),
    ],
  ];
  for (const [name, title, trick] of tricks) {
    test(`${title}: reported, and the score stays`, () => {
      const answer = judge(trick(MACHINE));
      expect(answer.signals.map((s) => s.name)).toContain(name);
      if (name !== "spaced_letters") expect(Math.abs(answer.score! - judge(MACHINE).score!)).toBeLessThanOrEqual(0.02);
    });
  }
});

describe("what a chatbot leaves behind", () => {
  test.each([
    ["chatbot_citation_mark", "The bridge was built in 1904 :contentReference[oaicite:3]{index=3}."],
    ["chatbot_citation_mark", "It rained. \ue200cite\ue202turn0search0\ue201"],
    ["chatbot_link_tracking", "See https://example.org/a?utm_source=chatgpt.com for more."],
    ["assistant_phrase", "As an AI language model, I have no opinion."],
  ])("%s is named with its evidence", (name, text) => {
    const found = judge(`${HUMAN}\n${text}`).signals.find((s) => s.name === name)!;
    expect(found.direction).toBe("ai");
    expect(found.evidence.length).toBeGreaterThan(0);
  });

  test("an ordinary text has none", () => {
    expect(judge(HUMAN).signals.filter((s) => s.name.includes("chatbot") || s.name.includes("assistant"))).toEqual([]);
  });
});

describe("segments", () => {
  test("a pasted half is found where it stands, and the whole is mixed", () => {
    const text = `${HUMAN}\n\n${MACHINE}`;
    const { segments, verdict } = judge(text);
    expect(verdict).toBe("mixed");
    const machine = segments.filter((s) => s.verdict === "likely_ai");
    expect(machine.length).toBeGreaterThan(0);
    expect(machine.every((s) => s.start > HUMAN.length * 0.6)).toBe(true);
    for (const s of segments)
      expect(Buffer.from(text).subarray(s.start_byte, s.end_byte).toString()).toBe(text.slice(s.start, s.end));
  });
});

test("no text makes the work grow faster than its length", () => {
  // An opening quote without a closing one once took minutes; the test's time limit is the assertion.
  const parts = [
    "“a",
    "«",
    "【1†",
    "[Your A",
    "as an ",
    "w o r d ",
    "aB",
    "x(",
    "<a",
    "> q\n",
    "1,2;3 ",
    "\u200b",
    "\ud800",
    "İ",
  ];
  for (const part of parts) expect(judge(part.repeat(400_000 / part.length)).type).toBe("text");
});

test("a very long text is bounded", () => {
  expect(scoreText(light, `${HUMAN} `.repeat(600)).words).toBeGreaterThan(5_000);
});
