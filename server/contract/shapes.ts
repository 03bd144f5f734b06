// Shapes that every contract shares: ids, times, money, tags, pages.
import Type, { type TEnum, type TObject, type TProperties, type TSchema } from "typebox";
import "./formats.ts";
import { idPattern } from "../lib/id.ts";
import { alsoAs, asLowerCase, asNumber, asSingle } from "./shorthand.ts";

/** An object that refuses unknown names: a typo must not silently change an order. */
export const Shape = <T extends TProperties>(properties: T, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** Gives a shape the name that OpenAPI and the SDKs use (with `Input` behind it where it is sent), and its words here. */
export const named = <T extends TSchema>(name: string, schema: T, description?: string): T =>
  Object.defineProperties({ ...schema, title: name, ...(description ? { description } : {}) }, hiddenOf(schema)) as T;

/** The schema with the words of this place alone; the shape's own description says what it is everywhere. */
export const about = <T extends TSchema>(schema: T, words: string): T =>
  Object.defineProperties({ ...schema, words }, hiddenOf(schema)) as T;

/** TypeBox marks its schemas with hidden members, which a spread leaves out. */
function hiddenOf(schema: object): PropertyDescriptorMap {
  const all = Object.getOwnPropertyDescriptors(schema);
  return Object.fromEntries(Object.entries(all).filter(([, descriptor]) => !descriptor.enumerable));
}

export const Id = (prefix: string, description = "Identifier assigned by the service.") =>
  Type.String({ pattern: idPattern(prefix), description, examples: [`${prefix}_01KB2M3N4P5Q6R7S8T9V0W1X2Y`] });

export const Time = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-12-01T15:00:00Z"] });

export const Text = (description: string, maxLength: number, minLength = 1) =>
  Type.String({ format: "text", minLength, maxLength, description });

export const Decimal = (description: string) =>
  alsoAs(Type.String({ format: "decimal", description, examples: ["12.50"] }), asNumber);

export const Currency = (description = "ISO 4217 code.") =>
  alsoAs(Type.String({ pattern: "^[A-Z]{3}$", description, examples: ["USD"] }), asLowerCase("^[A-Za-z]{3}$"));

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const Choice = <const T extends string[]>(values: readonly [...T], description: string): TEnum<T> =>
  Type.Enum(values as any, { description }) as any;

/** The answer of a route that deletes. */
export const Deleted = (prefix: string) =>
  named("Deleted", Shape({ id: Id(prefix), deleted: Type.Literal(true, { description: "Always true." }) }));

export const Mode = () => Choice(["live", "test"], "The world the object lives in.");

const TAG = { format: "text", minLength: 1, maxLength: 64 };

export const Tags = (description = "Your own labels; tag alerts match them.") =>
  alsoAs(
    Type.Array(Type.String(TAG), {
      maxItems: 20,
      description,
      examples: [["kitchen"]],
    }),
    asSingle({ type: "string", ...TAG }),
  );

/** Tags in an address, where a comma ends one tag and begins the next. */
export const QueryTags = () =>
  Type.Array(Type.String({ ...TAG, pattern: "^[^,]+$" }), {
    maxItems: 20,
    description: "Your own labels, separated by commas; tag alerts match them.",
    examples: [["kitchen"]],
  });

/** The answer of a list route. */
export const Page = <T extends TSchema>(item: T) =>
  Shape({
    items: Type.Array(item, { description: "The items of this page." }),
    has_more: Type.Boolean({ description: "Whether another page follows." }),
    next_cursor: Nullable(Type.String({ description: "Pass it as cursor to get the next page." })),
  });

/** The query parameters of a list route. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "How many to return." })),
  cursor: Type.Optional(Type.String({ maxLength: 512, description: "next_cursor of the page before." })),
};

export type AnyObject = TObject<TProperties>;
