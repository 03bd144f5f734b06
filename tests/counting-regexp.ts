// Counts the steps that a backtracking engine takes for a regular expression on a text. It follows the specification's matcher
// without any of the shortcuts that real engines take, so it is an upper bound. For tests only.
import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** A budget of steps, so that a pattern that explodes ends as a failure and not as a hang. */
export class TooManySteps extends Error {}

interface Run {
  text: string;
  steps: number;
  max: number;
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
}

type Next = (at: number) => boolean;
type Matcher = (run: Run, at: number, next: Next) => boolean;

const parser = new RegExpParser({ ecmaVersion: 2025 });
const compiled = new Map<string, Matcher>();

/** Steps of finding the first match at or behind `from`. */
export function stepsOf(pattern: RegExp, text: string, from: number, max = 1e9): number {
  const key = pattern.toString();
  let matcher = compiled.get(key);
  if (!matcher) compiled.set(key, (matcher = ofPattern(pattern)));
  const { ignoreCase, multiline, dotAll, sticky } = pattern;
  const run: Run = { text, steps: 0, max, ignoreCase, multiline, dotAll };
  for (let start = from; start <= text.length; start++) {
    if (matcher(run, start, () => true) || sticky) break;
  }
  return run.steps;
}

function ofPattern(pattern: RegExp): Matcher {
  const ast = parser.parsePattern(pattern.source, 0, pattern.source.length, {
    unicode: pattern.unicode,
    unicodeSets: pattern.unicodeSets,
  });
  return ofAlternatives(ast.alternatives);
}

function step(run: Run): void {
  if (++run.steps > run.max) throw new TooManySteps();
}

function ofAlternatives(alternatives: AST.Alternative[]): Matcher {
  const list = alternatives.map((alternative) => inOrder(alternative.elements.map(ofElement)));
  return list.length === 1 ? list[0]! : (run, at, next) => list.some((matcher) => matcher(run, at, next));
}

const inOrder = (matchers: Matcher[]): Matcher =>
  matchers.reduceRight<Matcher>(
    (rest, matcher) => (run, at, next) => matcher(run, at, (then) => rest(run, then, next)),
    (_, at, next) => next(at),
  );

function ofElement(element: AST.Element): Matcher {
  switch (element.type) {
    case "Group":
    case "CapturingGroup":
      return ofAlternatives(element.alternatives);
    case "Quantifier":
      return ofQuantifier(element);
    case "Assertion":
      return ofAssertion(element);
    case "Backreference":
      throw new Error("a backreference cannot be counted");
    default:
      return ofCharacter(element);
  }
}

/** One character, judged by the native engine: only the number of steps is of interest here. */
function ofCharacter(element: AST.Element): Matcher {
  const known = new Map<number, boolean>();
  let judge: RegExp | null = null;
  return (run, at, next) => {
    step(run);
    const code = run.text.codePointAt(at);
    if (code === undefined) return false;
    let fits = known.get(code);
    if (fits === undefined) {
      judge ??= new RegExp(`^(?:${element.raw})$`, `${run.ignoreCase ? "i" : ""}${run.dotAll ? "s" : ""}u`);
      known.set(code, (fits = judge.test(String.fromCodePoint(code))));
    }
    return fits && next(at + (code > 0xffff ? 2 : 1));
  };
}

function ofQuantifier({ element, min, max, greedy }: AST.Quantifier): Matcher {
  const one = ofElement(element);
  const isSimple = element.type === "Character" || element.type === "CharacterSet" || element.type === "CharacterClass";
  if (isSimple) return repeatedCharacter(one, min, max, greedy);
  const repeat = (run: Run, at: number, n: number, next: Next): boolean => {
    const more = () => n < max && one(run, at, (then) => then !== at && repeat(run, then, n + 1, next));
    const done = () => n >= min && next(at);
    step(run);
    return greedy ? more() || done() : done() || more();
  };
  return (run, at, next) => repeat(run, at, 0, next);
}

/** Walked without recursion, so that long runs do not exhaust the stack. */
const repeatedCharacter =
  (one: Matcher, min: number, max: number, greedy: boolean): Matcher =>
  (run, from, next) => {
    let at = from;
    const ends = [from];
    const advance = (): boolean => {
      const take = (then: number) => {
        at = then;
        return true;
      };
      if (ends.length > max || !one(run, at, take)) return false;
      ends.push(at);
      return true;
    };
    if (!greedy) {
      while (ends.length <= min) if (!advance()) return false;
      do if (next(at)) return true;
      while (advance());
      return false;
    }
    while (advance());
    for (let n = ends.length - 1; n >= min; n--) {
      step(run);
      if (next(ends[n]!)) return true;
    }
    return false;
  };

function ofAssertion(assertion: AST.Assertion): Matcher {
  if (assertion.kind === "lookahead" || assertion.kind === "lookbehind") {
    const inner = ofAlternatives(assertion.alternatives);
    // A lookbehind here is one character long; it is counted as a look at the text before.
    return assertion.kind === "lookbehind"
      ? (run, at, next) => {
          step(run);
          return next(at);
        }
      : (run, at, next) => inner(run, at, () => true) !== assertion.negate && next(at);
  }
  return (run, at, next) => {
    step(run);
    return holds(assertion, run, at) && next(at);
  };
}

const isWord = (text: string, at: number): boolean => at >= 0 && at < text.length && /\w/.test(text[at]!);

function holds(
  assertion: AST.EdgeAssertion | AST.WordBoundaryAssertion,
  { text, multiline }: Run,
  at: number,
): boolean {
  if (assertion.kind === "word") return (isWord(text, at - 1) !== isWord(text, at)) !== assertion.negate;
  if (assertion.kind === "start") return at === 0 || (multiline && text[at - 1] === "\n");
  return at === text.length || (multiline && text[at] === "\n");
}
