// Counts the steps of a parser on a text, instead of timing it: every turn of a loop, every call of a function, and what the
// built-in methods of strings, arrays and regular expressions have to look at. The modules under test are loaded through a
// plugin that writes the counting into their source.
import { readFileSync } from "node:fs";
import { parse } from "@babel/parser";
import { TooManySteps, stepsOf } from "./counting-regexp.ts";

const counter = { steps: 0, max: Infinity };
(globalThis as any).__countStep = (n = 1) => {
  counter.steps += n;
  if (counter.steps > counter.max) throw new TooManySteps();
};
const COUNT = "__countStep();";

/** Modules whose path fits are loaded with counting from now on; import them dynamically after this call. */
export function countStepsIn(filter: RegExp): void {
  Bun.plugin({
    name: "count steps",
    setup(build) {
      build.onLoad({ filter }, ({ path }) => {
        const source = new Bun.Transpiler({ loader: "ts", target: "bun" }).transformSync(readFileSync(path, "utf8"));
        return { contents: withCounting(source), loader: "js" };
      });
    },
  });
}

/** The source with a counter at the head of every loop's body and every function. */
export function withCounting(source: string): string {
  const edits: { at: number; text: string }[] = [];
  visit(parse(source, { sourceType: "module" }).program, (node) => {
    if (/^(?:For|ForIn|ForOf|While|DoWhile)Statement$/.test(node.type)) atHead(node.body);
    else if (/^(?:FunctionDeclaration|FunctionExpression|ClassMethod|ClassPrivateMethod|ObjectMethod)$/.test(node.type))
      atHead(node.body);
    else if (node.type === "ArrowFunctionExpression") {
      if (node.body.type === "BlockStatement") atHead(node.body);
      else edits.push({ at: node.body.start, text: "(__countStep()," }, { at: node.body.end, text: ")" });
    }
  });
  function atHead(body: any): void {
    if (body.type === "BlockStatement") edits.push({ at: body.start + 1, text: COUNT });
    else edits.push({ at: body.start, text: `{${COUNT}` }, { at: body.end, text: "}" });
  }
  let out = source;
  // From the end to the beginning, so that places stay where they are; closing marks of one place in the order they were met.
  for (const { at, text } of edits.map((e, i) => ({ ...e, i })).sort((a, b) => b.at - a.at || b.i - a.i))
    out = out.slice(0, at) + text + out.slice(at);
  return out;
}

function visit(node: any, see: (node: any) => void): void {
  see(node);
  for (const value of Object.values<any>(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child.type === "string" && typeof child.start === "number") visit(child, see);
}

/** Texts up to this length are looked at in one step each character, whatever the pattern: the bound makes the cost a constant. */
const SHORT_TEXT = 1_024;

const natives = {
  indexOf: String.prototype.indexOf,
  exec: RegExp.prototype.exec,
};

/** What a method costs beside its own result. */
const STRING_COSTS: Record<string, (text: string, args: any[], result: any) => number> = {
  indexOf: (text, [, from = 0], result) => (result < 0 ? text.length - from : result - from),
  lastIndexOf: (text, [, from = text.length], result) => (result < 0 ? Math.min(from, text.length) : from - result),
  includes: (text, [needle, from = 0]) => {
    const found = natives.indexOf.call(text, needle, from);
    return found < 0 ? text.length - from : found - from;
  },
  trim: (text, _, result) => text.length - result.length,
  toLowerCase: (text) => text.length,
  toUpperCase: (text) => text.length,
  repeat: (_, __, result) => result.length,
  split: (text, [by]) => costOfAll(text, by),
  replace: (text, [by]) => costOfAll(text, by),
  replaceAll: (text, [by]) => costOfAll(text, by),
  search: (text, [by]) => costOfAll(text, by),
  match: (text, [by]) => costOfAll(text, by),
};
const ARRAY_COSTS: Record<string, (list: { length: number }, args: any[], result: any) => number> = {
  indexOf: (list, _, result) => (result < 0 ? list.length : result),
  includes: (list) => list.length,
  join: (list) => list.length,
  slice: (_, __, result) => result.length,
  concat: (_, __, result) => result.length,
  reverse: (list) => list.length,
  splice: (list) => list.length,
  shift: (list) => list.length,
  unshift: (list) => list.length,
};

/** A pattern run over the whole text. */
function costOfAll(text: string, by: unknown): number {
  return by instanceof RegExp ? patternCost(by, text, 0, true) : text.length;
}

function patternCost(pattern: RegExp, text: string, from: number, all: boolean): number {
  if (text.length <= SHORT_TEXT) return text.length;
  let cost = 0;
  // A sticky pattern stays sticky: it looks at one place, not at everything behind it.
  const find = new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`);
  for (let at = from; at <= text.length; ) {
    cost += stepsOf(find, text, at, counter.max);
    find.lastIndex = at;
    const found = natives.exec.call(find, text);
    if (!found || !all) break;
    at = found.index + Math.max(1, found[0].length);
  }
  return cost;
}

/** Wraps the built-in methods while `run` runs. */
function withNatives<T>(run: () => T): T {
  const undo: (() => void)[] = [];
  let counting = false;
  const count = (globalThis as any).__countStep as (n: number) => void;
  const wrap = (prototype: any, name: string, cost: (self: any, args: any[], result: any) => number) => {
    const native = prototype[name];
    prototype[name] = function (this: any, ...args: any[]) {
      if (counting) return native.apply(this, args);
      // What counts must not count itself, nor what the method calls inside: `split` and `replace` call `exec`.
      counting = true;
      try {
        const result = native.apply(this, args);
        count(1 + cost(this, args, result));
        return result;
      } finally {
        counting = false;
      }
    };
    undo[undo.length] = () => {
      prototype[name] = native;
    };
  };
  /** A pattern that goes on where it stopped looks at nothing before that place. */
  const wrapSearch = (name: "exec" | "test") => {
    const native = RegExp.prototype[name] as (text: string) => any;
    RegExp.prototype[name] = function (this: RegExp, text: string): any {
      if (counting) return native.call(this, text);
      counting = true;
      try {
        const from = this.global || this.sticky ? this.lastIndex : 0;
        const result = native.call(this, text);
        count(1 + patternCost(this, String(text), from, false));
        return result;
      } finally {
        counting = false;
      }
    };
    undo[undo.length] = () => {
      RegExp.prototype[name] = native;
    };
  };
  for (const [name, cost] of Object.entries(STRING_COSTS))
    wrap(String.prototype, name, (self, args, result) => cost(String(self), args, result));
  for (const [name, cost] of Object.entries(ARRAY_COSTS)) wrap(Array.prototype, name, cost);
  for (const name of ["exec", "test"] as const) wrapSearch(name);
  try {
    return run();
  } finally {
    // By hand: the methods that a loop could use are still wrapped.
    for (let i = undo.length - 1; i >= 0; i--) undo[i]!();
  }
}

/** How many steps `run` takes; TooManySteps past `max`. */
export function stepsIn(run: () => unknown, max = Infinity): number {
  counter.steps = 0;
  counter.max = max;
  withNatives(run);
  return counter.steps;
}
