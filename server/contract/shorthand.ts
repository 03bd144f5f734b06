// Natural shorthand: other forms of a value that have only one reading. A contract declares them beside the schema; they
// are normalised before the service sees the value, and OpenAPI shows them.
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

export interface Form {
  /** What may be sent instead, as JSON Schema. */
  schema: Record<string, unknown>;
  /** The value as the contract has it; undefined when this is not the form. */
  read(value: unknown): unknown;
}

/** The schema, which also takes other forms of the same value. */
export const alsoAs = <T extends TSchema>(schema: T, ...forms: Form[]): T =>
  Object.defineProperties(
    { ...schema, alsoAs: forms },
    Object.fromEntries(Object.entries(Object.getOwnPropertyDescriptors(schema)).filter(([, d]) => !d.enumerable)),
  ) as T;

export type Normalise = (value: unknown) => unknown;

/** Turns every declared form below the schema into its value; null when nothing is declared, so that nothing is paid. */
export function normaliserOf(schema: any): Normalise | null {
  const own: Form[] = schema?.alsoAs ?? [];
  const inner = innerOf(schema);
  if (own.length === 0) return inner;
  const forms = own.map(({ schema: shape, read }) => ({ fits: Compile(shape as TSchema), read }));
  return (given) => {
    let value = given;
    for (const { fits, read } of forms) if (fits.Check(value)) value = read(value) ?? value;
    return inner ? inner(value) : value;
  };
}

function innerOf(schema: any): Normalise | null {
  if (schema?.anyOf) {
    const options = schema.anyOf.map(normaliserOf).filter(Boolean) as Normalise[];
    return options.length === 0 ? null : (value) => options.reduce((now, read) => read(now), value);
  }
  if (schema?.type === "array" && schema.items) {
    const item = normaliserOf(schema.items);
    return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
  }
  const members = Object.entries<any>(schema?.properties ?? {}).flatMap(([name, property]) => {
    const read = normaliserOf(property);
    return read ? [[name, read] as const] : [];
  });
  if (members.length === 0) return null;
  return (value) => {
    if (!value || typeof value !== "object" || Array.isArray(value)) return value;
    const changed: Record<string, unknown> = {};
    for (const [name, read] of members)
      if (Object.hasOwn(value, name)) changed[name] = read((value as Record<string, unknown>)[name]);
    return { ...value, ...changed };
  };
}

const EXACT_DIGITS = 15;

/** A JSON number where decimal text is meant, if it has few enough digits to be exact. */
export const asNumber: Form = {
  schema: { type: "number" },
  read(value) {
    if (typeof value !== "number") return undefined;
    const text = withoutExponent(value);
    const digits = text.replace(/\D/g, "").replace(/^0+/, "").length;
    return /^-?\d+(\.\d+)?$/.test(text) && digits <= EXACT_DIGITS ? text : undefined;
  },
};

/** The same for an amount that is never below zero. */
export const asAmount: Form = { ...asNumber, schema: { type: "number", minimum: 0 } };

const MAX_DECIMALS = 12;

/** 1e-7 as 0.0000001; with its exponent where that would not be exact. */
function withoutExponent(value: number): string {
  const short = String(value);
  const long = value.toFixed(MAX_DECIMALS).replace(/\.?0+$/, "");
  return short.includes("e") && Number(long) === value ? long : short;
}

/** A code in lower case: usd, xnys, us. */
export const asLowerCase = (pattern: string): Form => ({
  schema: { pattern },
  read: (value) => (typeof value === "string" ? value.toUpperCase() : undefined),
});

/** An address of several lines: a line break reads as a comma. */
export const asLines: Form = {
  schema: { format: "address" },
  read(value) {
    if (typeof value !== "string" || !/[\r\n]/.test(value)) return undefined;
    const parts = value.split(/[\r\n]+/).map((line) => line.trim().replace(/,$/, ""));
    return parts.filter(Boolean).join(", ");
  },
};

/** One item where a list is meant. */
export const asSingle = (schema: Record<string, unknown>): Form => ({
  schema,
  read: (value) => (typeof value === "string" ? [value] : undefined),
});
