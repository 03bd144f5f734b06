// The worst requests that are known, each within the documented sizes.

export interface Call {
  path: string;
  type?: string;
  body: string;
}

export const SHAPES: Record<string, () => Call> = {
  "content that matches 20 alerts": () => ({
    path: "/alerts/content",
    type: "application/x-ndjson",
    body: `${JSON.stringify({ title: "z", text: "中".repeat(200_000) })}\n`.repeat(13),
  }),
  "preview of hash tags": () => ({
    path: "/alerts/preview",
    body: JSON.stringify({ query: "#a OR b", content: Array(5).fill({ title: "z", text: "#a ".repeat(60_000) }) }),
  }),
  "analysis of 20 long texts": () => ({
    path: "/detector/analyze",
    body: JSON.stringify({ items: Array(20).fill({ content: "the quick brown fox jumps ".repeat(15_000) }) }),
  }),
  "a body of 60,000 names": () => ({
    path: "/detector/analyze",
    body: `{${Array.from({ length: 60_000 }, (_, n) => `"name${n}":1`).join(",")}}`,
  }),
  "a body of 800,000 names": () => ({
    path: "/detector/analyze",
    body: `{${Array.from({ length: 800_000 }, (_, n) => `"n${n}":1`).join(",")}}`,
  }),
  "1,000 lines of content": () => ({
    path: "/alerts/content",
    type: "application/x-ndjson",
    body: `${JSON.stringify({ title: "z", text: "b1 中 ".repeat(1_000) })}\n`.repeat(1_000),
  }),
};
