// Strict JSON for requests: refuses what JSON.parse would quietly accept (doubled names) or choke on (deep nesting),
// and text that a store cannot keep as sent (NUL, half a surrogate pair).

export interface JsonFault {
  pointer: string;
  code: "syntax" | "depth" | "values" | "duplicate" | "unicode";
  detail: string;
  hint: string;
}

export type Parsed = { ok: true; value: unknown } | { ok: false; fault: JsonFault };

const MAX_DEPTH = 32;
/** Members and items together; the largest request that any route accepts has 80,000. */
const MAX_VALUES = 100_000;
/** Members of one object; the largest that any route accepts has some hundreds. */
const MAX_MEMBERS = 2_000;
const utf8 = new TextDecoder("utf-8", { fatal: true });

export function parseJson(bytes: Uint8Array): Parsed {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return fault("", "unicode", "The body is not valid UTF-8.", "Encode the body as UTF-8.");
  }
  const written = countNames(text);
  if (written === TOO_DEEP) {
    return fault("", "depth", `The body nests deeper than ${MAX_DEPTH} levels.`, "Flatten the body.");
  }
  if (written === TOO_MANY) {
    return fault("", "values", `The body holds more than ${MAX_VALUES} values.`, "Send it in several requests.");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fault(
      "",
      "syntax",
      `The body is not JSON: ${(error as Error).message.slice(0, 200)}`,
      "Send one JSON value.",
    );
  }
  // What UTF-8 and JSON forbid in plain sight can only have come in by an escape.
  const odd = text.includes("\\") ? findOddText(value, "") : null;
  if (odd) return { ok: false, fault: odd };
  // Every name that was written must have survived parsing; one fewer means that a name was given twice.
  const kept = keptNames(value);
  if (kept === TOO_MANY) {
    return fault(
      "",
      "values",
      `An object holds more than ${MAX_MEMBERS} members.`,
      "Send only the documented members.",
    );
  }
  if (kept !== written) {
    return fault("", "duplicate", "A name stands twice in one object.", "Send each name once.");
  }
  return { ok: true, value };
}

const TOO_DEEP = -1;
const TOO_MANY = -2;

function fault(pointer: string, code: JsonFault["code"], detail: string, hint: string): Parsed {
  return { ok: false, fault: { pointer, code, detail, hint } };
}

/**
 * How many names the text writes: in valid JSON a colon outside a string follows a name and nothing else.
 * TOO_DEEP when brackets outside strings nest deeper than allowed, TOO_MANY when commas separate more values than allowed;
 * one pass, no recursion.
 */
function countNames(text: string): number {
  let names = 0;
  let depth = 0;
  let commas = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) i = endOfString(text, i);
    else if (c === 0x3a) names++;
    else if (c === 0x2c) {
      if (++commas >= MAX_VALUES) return TOO_MANY;
    } else if (c === 0x7b || c === 0x5b) {
      if (++depth > MAX_DEPTH) return TOO_DEEP;
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return names;
}

/** How many names the value has; TOO_MANY when one object has more than it may. */
function keptNames(value: unknown): number {
  if (value === null || typeof value !== "object") return 0;
  let names = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      const inside = typeof item === "object" ? keptNames(item) : 0;
      if (inside === TOO_MANY) return TOO_MANY;
      names += inside;
    }
    return names;
  }
  const members = Object.keys(value);
  if (members.length > MAX_MEMBERS) return TOO_MANY;
  for (const name of members) {
    const inside = keptNames((value as Record<string, unknown>)[name]);
    if (inside === TOO_MANY) return TOO_MANY;
    names += 1 + inside;
  }
  return names;
}

function endOfString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return quote;
    from = quote + 1;
  }
}

function findOddText(value: unknown, pointer: string): JsonFault | null {
  if (typeof value === "string") return oddText(value, pointer);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const found = findOddText(value[i], `${pointer}/${i}`);
      if (found) return found;
    }
  } else if (value !== null && typeof value === "object") {
    for (const name of Object.keys(value)) {
      const inside = `${pointer}/${escapePointer(name)}`;
      const found = oddText(name, pointer) ?? findOddText((value as Record<string, unknown>)[name], inside);
      if (found) return found;
    }
  }
  return null;
}

function oddText(text: string, pointer: string): JsonFault | null {
  if (text.isWellFormed() && !text.includes("\0")) return null;
  const what = text.includes("\0") ? "a NUL character" : "half of a surrogate pair";
  return { pointer, code: "unicode", detail: `${pointer || "A name"} holds ${what}.`, hint: "Remove that character." };
}

export const escapePointer = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
