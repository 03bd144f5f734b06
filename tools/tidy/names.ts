// How things are called: files, constants, and the words that need a dictionary.
import type { Expression } from "@babel/types";
import type { Finding, Source } from "./source.ts";

const VAGUE_FILE = /(^|[/-])(utils?|helpers?|common|shared|manager|base|impl)(\.|\/|$)/;

export function checkFileName({ file }: Source): Finding[] {
  const found: Finding[] = [];
  // The base layer of the geocoder is a thing of its own, not a class to inherit from.
  if (VAGUE_FILE.test(file) && !/geodata\/(make-)?base\.ts$/.test(file)) {
    const rule = "no utils, helpers, common, shared, manager, base, impl";
    found.push({ file, line: 1, rule, hint: "name what it does" });
  }
  if (/[A-Z_]/.test(file.split("/").at(-1)!))
    found.push({ file, line: 1, rule: "file names are kebab-case", hint: "rename it" });
  return found;
}

/** Words that no reader would search for, and what to say instead. */
const WORDS: [RegExp, string][] = [
  [/\bmend(s|ed|ing)?\b/i, "hint"],
  [/warden/i, "orphan reaper, supervisor"],
  [/\bcrews?\b|\bCrew[A-Z]|[a-z]Crew/, "worker pool, worker queue"],
  [/\bdeeds?\b|\bdeedOf\b|\bDeed|[a-z]Deed/, "audit entry"],
  [/\bso-manyth\b/i, "every n-th"],
  [/\bdoomed\b/i, "hanging, failing"],
  [/\bunkeep\b|\bunwell\b/i, "unseal, unhealthy"],
  [/\bMOST_[A-Z]|\bmost[A-Z]\w*/, "MAX_…, max…"],
  [/\bhouse\.(?:call|key|clock|service|url|stop)\b/, "app"],
];

/** In code and comments; the list itself and its tests are exempt. */
export function checkWords({ file, lines }: Source): Finding[] {
  if (file.startsWith("tools/tidy")) return [];
  return lines.flatMap((line, i) =>
    WORDS.filter(([word]) => word.test(line)).map(([word, instead]) => ({
      file,
      line: i + 1,
      rule: `"${word.exec(line)![0]}" needs a dictionary`,
      hint: `say ${instead}`,
    })),
  );
}

/** Constants of a module are UPPER_SNAKE: numbers, texts, patterns, lists, sets and maps that are filled there. */
export function checkConstants(source: Source): Finding[] {
  if (source.isTest || !/^(server|console|tools)\//.test(source.file)) return [];
  return source.tree().program.body.flatMap((statement) => {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type !== "VariableDeclaration" || declared.kind !== "const") return [];
    return declared.declarations.flatMap(({ id, init, loc }) => {
      if (id.type !== "Identifier" || !init || !isConstant(init) || /^[A-Z][A-Z0-9_]*$/.test(id.name)) return [];
      const hint = `call it ${id.name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase()}`;
      return [{ file: source.file, line: loc!.start.line, rule: `the constant ${id.name} is not UPPER_SNAKE`, hint }];
    });
  });
}

function isConstant(node: Expression): boolean {
  switch (node.type) {
    case "NumericLiteral":
    case "StringLiteral":
    case "BooleanLiteral":
    case "RegExpLiteral":
    case "BigIntLiteral":
      return true;
    case "TemplateLiteral":
      return node.expressions.length === 0;
    case "UnaryExpression":
      return isConstant(node.argument);
    case "BinaryExpression":
      return node.left.type !== "PrivateName" && isConstant(node.left) && isConstant(node.right);
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return isConstant(node.expression);
    case "ArrayExpression":
      return (
        node.elements.length > 0 &&
        node.elements.every((e) => e !== null && e.type !== "SpreadElement" && isConstant(e))
      );
    case "NewExpression":
      // An empty one is state that grows, not a constant.
      return (
        node.arguments.length > 0 && node.callee.type === "Identifier" && /^(Set|Map|RegExp)$/.test(node.callee.name)
      );
    default:
      return false;
  }
}
