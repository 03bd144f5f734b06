// The one floor plan of all actions, and where SQL and handlers may stand.
import type { Node } from "@babel/types";
import { type Finding, type Source, visit } from "./source.ts";

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

const IN_STORE = /^server\/store\/|(^|\/)store[^/]*(\.ts$|\/)/;
/** A tagged template of a connection, whatever it says. */
const SQL_TAG = /^(tx|sql|connection)$/;
const STATEMENT =
  /^\s*(select\s.+\bfrom\b|select\s+[\w.]+\(|insert\s+into\s|update\s+\S+\s+set\b|delete\s+from\s+[\w.$]+\s*(where|using|returning|;|$)|with\s+\w+\s+as\s*\(|(create|alter|drop|lock|truncate)\s+table\s|begin\s*;?$)/is;

/** A statement is found by what it says, in a template or a plain text, and by the connection it is handed to. */
export function checkSql(source: Source): Finding[] {
  const { file, isTest } = source;
  if (isTest || !/^(server|console|tools)\//.test(file) || IN_STORE.test(file)) return [];
  const found: Finding[] = [];
  visit(source.tree().program, (node) => {
    if (!isStatement(node)) return;
    const hint = "move the statement into store.ts or store/ of the same folder";
    found.push({ file, line: node.loc!.start.line, rule: "only a store writes SQL", hint });
  });
  return found;
}

function isStatement(node: Node): boolean {
  switch (node.type) {
    case "TaggedTemplateExpression":
      return SQL_TAG.test(lastName(node.tag));
    case "CallExpression":
      return node.callee.type === "MemberExpression" && lastName(node.callee) === "unsafe";
    case "TemplateLiteral":
      return STATEMENT.test(node.quasis.map((part) => part.value.raw).join("x"));
    case "StringLiteral":
      return STATEMENT.test(node.value);
    default:
      return false;
  }
}

function lastName(node: Node): string {
  if (node.type === "MemberExpression") return lastName(node.property);
  return node.type === "Identifier" ? node.name : "";
}

export function checkHandlers(source: Source): Finding[] {
  const { file, isTest } = source;
  if (isTest || !file.startsWith("server/") || /(^|\/)routes(\/|\.ts$)|^server\/contract\//.test(file)) return [];
  const bound = source.imports().find((i) => i.target === "server/contract/define.ts" && i.names.includes("handle"));
  if (!bound) return [];
  const hint = "move handle(…) into routes/ or routes.ts";
  return [{ file, line: bound.line, rule: "only routes bind handlers", hint }];
}
