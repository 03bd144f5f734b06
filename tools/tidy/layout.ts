// The one floor plan of all actions, and where SQL and handlers may stand.
import type { Finding, Source } from "./source.ts";

const ENTRIES = new Set(
  "README.md index.ts contract.ts contract machine.ts view.ts routes store.ts store background engine providers try.ts fixtures".split(
    " ",
  ),
);
const MAX_NOUNS = 2;

/** An action has the entries that all have, and at most two nouns of its own domain. */
export function checkEntries(files: string[]): Finding[] {
  const nouns = new Map<string, Set<string>>();
  for (const file of files) {
    const [, action, entry] = /^server\/actions\/([^/]+)\/([^/]+)/.exec(file) ?? [];
    if (!action || ENTRIES.has(entry) || /\.test\.ts$/.test(entry)) continue;
    nouns.set(action, (nouns.get(action) ?? new Set()).add(entry));
  }
  return [...nouns]
    .filter(([, names]) => names.size > MAX_NOUNS)
    .map(([action, names]) => ({
      file: `server/actions/${action}`,
      line: 1,
      rule: `an action has at most ${MAX_NOUNS} entries that the others lack, not ${[...names].join(", ")}`,
      hint: `put them into one of ${[...ENTRIES].join(", ")}`,
    }));
}

const SQL = /(?:^|[^\w$])(?:tx|sql|connection)(?:<[^>]*>)?`|\.unsafe\(/;
const IN_STORE = /^server\/store\/|(^|\/)store[^/]*(\.ts$|\/)/;

export function checkSql({ file, lines, isTest }: Source): Finding[] {
  if (isTest || !file.startsWith("server/") || IN_STORE.test(file)) return [];
  const line = lines.findIndex((text) => SQL.test(text.replace(/\/\/.*$|^\s*\*.*$/, "")));
  if (line === -1) return [];
  const rule = "only a store writes SQL";
  return [{ file, line: line + 1, rule, hint: "move the statement into store.ts or store/ of the same folder" }];
}

export function checkHandlers(source: Source): Finding[] {
  const { file, isTest } = source;
  if (isTest || !file.startsWith("server/") || /(^|\/)routes(\/|\.ts$)|^server\/contract\//.test(file)) return [];
  const bound = source.imports().find((i) => i.target === "server/contract/define.ts" && i.names.includes("handle"));
  if (!bound) return [];
  const hint = "move handle(…) into routes/ or routes.ts";
  return [{ file, line: bound.line, rule: "only routes bind handlers", hint }];
}
