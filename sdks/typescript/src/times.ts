// Times: Date objects are accepted wherever a time is sent; this turns the times of an answer into Date objects.

type IsTime<T> = [T] extends [string] ? ("__time" extends keyof T ? true : false) : false;

/** T with a Date for every time. */
export type Dated<T> = T extends string | number | boolean | null | undefined
  ? IsTime<T> extends true
    ? Date
    : T
  : { [K in keyof T]: Dated<T[K]> };

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A copy of an answer in which every time is a Date. */
export function withDates<T>(answer: T): Dated<T> {
  return convert(answer) as Dated<T>;
}

function convert(value: unknown): unknown {
  if (typeof value === "string") return time.test(value) ? new Date(value) : value;
  if (Array.isArray(value)) return value.map(convert);
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member)]));
}
