// The same lines written twice: what two places share should have one name.
import type { Finding, Source } from "./source.ts";

const MAX_SHARED_LINES = 12;

/** Lines that say nothing alone: blank, comments, brackets, imports. */
const EMPTY = /^$|^(\/\/|\*|\/\*)|^[\])}({[;,]+$|^import\b|^\} from /;

interface Place {
  file: string;
  line: number;
}

/** Each run of more than twelve lines that stands in two places, once. Tests may repeat themselves. */
export function checkRepeats(sources: Source[]): Finding[] {
  const seen = new Map<string, Place>();
  const found: Finding[] = [];
  const window = MAX_SHARED_LINES + 1;
  for (const { file, lines, isTest } of sources) {
    if (isTest) continue;
    const said = lines.map((text, i) => ({ text: text.trim(), line: i + 1 })).filter(({ text }) => !EMPTY.test(text));
    let repeating = false;
    for (let i = 0; i + window <= said.length; i++) {
      const run = said
        .slice(i, i + window)
        .map(({ text }) => text)
        .join("\n");
      const first = seen.get(run);
      if (!first) seen.set(run, { file, line: said[i].line });
      else if (!repeating) {
        const rule = `more than ${MAX_SHARED_LINES} lines stand in ${first.file}:${first.line} too`;
        found.push({ file, line: said[i].line, rule, hint: "give what both share a name in one place" });
      }
      repeating = first !== undefined;
    }
  }
  return found;
}
