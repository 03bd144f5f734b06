// Compares decimal numbers written as text, exactly, so that 0.1 + 0.2 never decides whether someone is woken up.

const form = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/;

/** The number as a plain decimal string, or null when it is none. */
export function toDecimal(value: string | number): string | null {
  if (typeof value === "string") return /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(value.trim()) ? value.trim() : null;
  if (!Number.isFinite(value)) return null;
  const text = String(value);
  return text.includes("e") ? value.toFixed(20) : text;
}

/** Negative, zero or positive, as a is below, equal to or above b. Both are plain decimals. */
export function compareDecimal(a: string, b: string): number {
  const [, signA, wholeA, fractionA = ""] = form.exec(a)!;
  const [, signB, wholeB, fractionB = ""] = form.exec(b)!;
  const zeroA = wholeA === "" && fractionA === "";
  const zeroB = wholeB === "" && fractionB === "";
  const negativeA = signA === "-" && !zeroA;
  const negativeB = signB === "-" && !zeroB;
  if (negativeA !== negativeB) return negativeA ? -1 : 1;
  const size = wholeA.length - wholeB.length || order(wholeA, wholeB) || order(fractionA, fractionB);
  return negativeA ? -size : size;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function holds(op: string, value: string, limit: string): boolean {
  const side = compareDecimal(value, limit);
  switch (op) {
    case "lt":
      return side < 0;
    case "lte":
      return side <= 0;
    case "gt":
      return side > 0;
    case "gte":
      return side >= 0;
    case "eq":
      return side === 0;
    default:
      return side !== 0;
  }
}
