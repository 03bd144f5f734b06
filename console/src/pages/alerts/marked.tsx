// A title with the words that matched.
import type { AlertHighlight } from "../../../../sdks/typescript/src/index.ts";

export function Marked({ text, highlights }: { text: string; highlights: AlertHighlight[] }) {
  const parts = [];
  let at = 0;
  for (const h of highlights.filter((one) => one.field === "title").sort((a, b) => a.start - b.start)) {
    if (h.start < at) continue;
    parts.push(text.slice(at, h.start), <mark key={h.start}>{text.slice(h.start, h.end)}</mark>);
    at = h.end;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
