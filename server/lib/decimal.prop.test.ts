// Decimal text against an oracle that uses nothing but bigint.
import { describe, expect, test } from "bun:test";
import { seededRandom } from "./random.ts";
import {
  absolute,
  add,
  compare,
  divide,
  equals,
  isDecimal,
  isZero,
  multiply,
  negate,
  percentChange,
  round,
  shift,
  subtract,
  toDecimal,
  trim,
} from "./decimal.ts";

const SEED = 20261115;
/** DECIMAL_PAIRS=1000000 takes half a minute of a processor. */
const PAIRS = Number(process.env.DECIMAL_PAIRS ?? 200_000);

const TENS = Array.from({ length: 40 }, (_, i) => BigInt(`1${"0".repeat(i)}`));
const random = seededRandom(SEED);
const int = (n: number) => Math.floor(random.unit() * n);

function roll(): string {
  const places = int(4) === 0 ? int(13) : int(5);
  const long = int(6) === 0;
  const whole = String(int(10 ** (1 + int(7)))) + (long ? String(int(1e12)) : "");
  const fraction = places ? `.${String(int(10 ** places)).padStart(places, "0")}` : "";
  const text = (long ? whole.replace(/^0+(?=\d)/, "") : whole) + fraction;
  return int(3) === 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

const units = (a: string): [bigint, number] => {
  const dot = a.indexOf(".");
  return [BigInt(a.replace(".", "")), dot < 0 ? 0 : a.length - dot - 1];
};
const write = (value: bigint, scale: number): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0");
  const text = scale ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits;
  return value < 0n ? `-${text}` : text;
};
const align = (a: string, b: string): [bigint, bigint, number] => {
  const [x, i] = units(a);
  const [y, j] = units(b);
  const s = Math.max(i, j);
  return [x * TENS[s - i], y * TENS[s - j], s];
};
const halfEven = (top: bigint, bottom: bigint): bigint => {
  const negative = top < 0n !== bottom < 0n;
  const t = top < 0n ? -top : top;
  const b = bottom < 0n ? -bottom : bottom;
  const q = t / b;
  const twice = (t % b) * 2n;
  const up = twice > b || (twice === b && q % 2n === 1n);
  const value = q + (up ? 1n : 0n);
  return negative ? -value : value;
};

describe("decimal", () => {
  test(`equals the bigint oracle on ${PAIRS} random pairs (seed ${SEED})`, () => {
    const wrong: string[] = [];
    for (let n = 0; n < PAIRS && wrong.length < 5; n++) {
      const a = roll();
      const b = roll();
      const [x, y, s] = align(a, b);
      if (add(a, b) !== write(x + y, s)) wrong.push(`${a} + ${b} = ${add(a, b)}`);
      if (subtract(a, b) !== write(x - y, s)) wrong.push(`${a} - ${b} = ${subtract(a, b)}`);
      if (compare(a, b) !== (x < y ? -1 : x > y ? 1 : 0)) wrong.push(`compare ${a} ${b}`);
      if (y !== 0n) {
        const percent = write(halfEven((x - y) * 1_000_000n, y), 4);
        if (percentChange(b, a) !== percent) wrong.push(`percent ${b} -> ${a}: ${percentChange(b, a)} not ${percent}`);
      }
      if (n % 4 === 0) {
        const [p, i] = units(a);
        const [q, j] = units(b);
        if (multiply(a, b) !== write(p * q, i + j)) wrong.push(`${a} * ${b} = ${multiply(a, b)}`);
        const places = int(7);
        if (q !== 0n) {
          const quotient = write(halfEven(x * TENS[places], y), places);
          if (divide(a, b, places) !== quotient) wrong.push(`${a} / ${b} @${places}`);
        }
        const rounded = write(halfEven(p * TENS[places], TENS[i]), places);
        if (round(a, places) !== rounded) wrong.push(`round ${a} @${places}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 60_000);

  test("shift moves the point and trim drops only zeros that mean nothing", () => {
    expect(shift("308.8", -2)).toBe("3.088");
    expect(shift("5", -2)).toBe("0.05");
    expect(shift("-3.088", 2)).toBe("-308.8");
    expect(shift("3.1", 3)).toBe("3100");
    expect(trim("1.500")).toBe("1.5");
    expect(trim("100")).toBe("100");
    expect(trim("-0.00")).toBe("0");
  });

  test("every rounding mode, both signs", () => {
    const modes = ["half-even", "half-up", "down", "up", "floor", "ceil"] as const;
    expect(modes.map((m) => round("2.5", 0, m))).toEqual(["2", "3", "2", "3", "2", "3"]);
    expect(modes.map((m) => round("-2.5", 0, m))).toEqual(["-2", "-3", "-2", "-3", "-3", "-2"]);
    expect(round("1.005", 2)).toBe("1.00");
    expect(round("1", 2)).toBe("1.00");
  });

  test("reads numbers and untidy text, and refuses what is no number", () => {
    expect(toDecimal(161.1998)).toBe("161.1998");
    expect(toDecimal(1e-7)).toBe("0.0000001");
    expect(toDecimal(1.5e21)).toBe("1500000000000000000000");
    expect(toDecimal("+007.50")).toBe("7.50");
    expect(toDecimal(".5")).toBe("0.5");
    expect(toDecimal("-0")).toBe("0");
    for (const bad of ["", "abc", "1,5", "NaN", "1.2.3", NaN, Infinity, null, undefined, {}]) {
      expect(toDecimal(bad)).toBeNull();
    }
    expect(isDecimal("01")).toBe(false);
    expect(isDecimal("1.")).toBe(false);
    expect(() => add("1x", "2")).toThrow();
    expect(() => add("1.", "2")).toThrow();
    expect(() => divide("1", "0.00", 2)).toThrow("division by zero");
  });

  test("signs, zero and equality by value", () => {
    expect(negate("0.0")).toBe("0.0");
    expect(negate("-1.2")).toBe("1.2");
    expect(absolute("-1.2")).toBe("1.2");
    expect(equals("1.50", "1.5")).toBe(true);
    expect(isZero("-0.000")).toBe(true);
    expect(percentChange("0", "1")).toBeNull();
    expect(percentChange("241.53", "244.6")).toBe("1.2711");
    expect(subtract("244.6", "241.53")).toBe("3.07");
  });
});
