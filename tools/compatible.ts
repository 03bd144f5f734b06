// Inside v1 only additive changes: compares openapi.json with the last released one and fails on a breaking change.
// The released document lies in docs/released/openapi.json and is replaced only when a version is released.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { inlined } from "../sdks/cases/inline.ts";

const root = resolve(import.meta.dir, "..");

/** Every change that would break a client that works today. */
export function breakingChanges(released: any, proposed: any): string[] {
  const [before, after] = [inlined(released), inlined(proposed)];
  const broken: string[] = [];
  for (const [path, operations] of Object.entries<any>(before.paths)) {
    for (const [method, old] of Object.entries<any>(operations)) {
      const now = after.paths[path]?.[method];
      const at = `${method.toUpperCase()} ${path}`;
      if (!now) {
        broken.push(`${at} is gone`);
        continue;
      }
      if (old.operationId !== now.operationId)
        broken.push(`${at} changed its id from ${old.operationId} to ${now.operationId}`);
      compareParameters(at, old, now, broken);
      const body = (operation: any) => operation.requestBody?.content?.["application/json"]?.schema;
      if (body(old)) compareInput(`${at} body`, body(old), body(now) ?? {}, broken);
      compareAnswers(at, old, now, broken);
    }
  }
  return broken;
}

/** The types of a schema; none when it does not say. */
const typesOf = (schema: any): string[] => [schema.type ?? []].flat();

/** Whether `now` no longer has one of the types that `before` had; a schema without types allows all. */
const lost = (before: string[], now: string[]) =>
  before.length > 0 && now.length > 0 && before.some((type) => !now.includes(type));

function compareParameters(at: string, old: any, now: any, broken: string[]): void {
  const name = (p: any) => `${p.in} ${p.name}`;
  for (const parameter of old.parameters ?? []) {
    const found = (now.parameters ?? []).find((p: any) => name(p) === name(parameter));
    if (!found) broken.push(`${at} no longer takes ${name(parameter)}`);
    else compareInput(`${at} ${name(parameter)}`, parameter.schema, found.schema, broken);
  }
  for (const parameter of now.parameters ?? []) {
    const known = (old.parameters ?? []).some((p: any) => name(p) === name(parameter));
    if (parameter.required && !known) broken.push(`${at} now requires ${name(parameter)}`);
  }
}

/** What a client may send must stay accepted. */
function compareInput(at: string, old: any, now: any, broken: string[]): void {
  if (lost(typesOf(old), typesOf(now)))
    return void broken.push(`${at} changed from ${typesOf(old)} to ${typesOf(now)}`);
  for (const required of now.required ?? []) {
    if (!(old.required ?? []).includes(required)) broken.push(`${at} now requires ${required}`);
  }
  for (const value of old.enum ?? [])
    if (now.enum && !now.enum.includes(value)) broken.push(`${at} no longer accepts ${value}`);
  for (const limit of ["maxLength", "maximum", "maxItems"])
    if (now[limit] !== undefined && now[limit] < (old[limit] ?? Infinity)) broken.push(`${at} lowered ${limit}`);
  for (const limit of ["minLength", "minimum", "minItems"])
    if (now[limit] !== undefined && now[limit] > (old[limit] ?? -Infinity)) broken.push(`${at} raised ${limit}`);
  for (const [name, property] of Object.entries<any>(old.properties ?? {})) {
    if (!now.properties?.[name]) broken.push(`${at} no longer takes ${name}`);
    else compareInput(`${at}.${name}`, property, now.properties[name], broken);
  }
  if (old.items && now.items) compareInput(`${at}[]`, old.items, now.items, broken);
}

function compareAnswers(at: string, old: any, now: any, broken: string[]): void {
  for (const [status, answer] of Object.entries<any>(old.responses).filter(([s]) => s.startsWith("2"))) {
    const schema = (response: any) => response?.content?.["application/json"]?.schema;
    if (!now.responses[status]) broken.push(`${at} no longer answers ${status}`);
    else if (schema(answer))
      compareOutput(`${at} ${status}`, schema(answer), schema(now.responses[status]) ?? {}, broken);
  }
}

/** What a client reads must still be there, of the same type. */
function compareOutput(at: string, old: any, now: any, broken: string[]): void {
  if (lost(typesOf(now), typesOf(old)))
    return void broken.push(`${at} changed from ${typesOf(old)} to ${typesOf(now)}`);
  for (const [name, property] of Object.entries<any>(old.properties ?? {})) {
    const inside = now.properties?.[name];
    if (!inside) broken.push(`${at} no longer has ${name}`);
    else {
      if ((old.required ?? []).includes(name) && !(now.required ?? []).includes(name))
        broken.push(`${at}.${name} is no longer always there`);
      compareOutput(`${at}.${name}`, property, inside, broken);
    }
  }
  if (old.items && now.items) compareOutput(`${at}[]`, old.items, now.items, broken);
}

if (import.meta.main) {
  const released = join(root, "docs/released/openapi.json");
  if (!existsSync(released)) {
    console.log("compatible: nothing is released yet");
    process.exit(0);
  }
  const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
  const broken = breakingChanges(read(released), read(join(root, "openapi.json")));
  for (const change of broken) console.error(`breaking: ${change}`);
  console.log(
    broken.length === 0
      ? "compatible: only additions"
      : `compatible: ${broken.length} breaking changes. Hint: add beside the old instead, and deprecate it.`,
  );
  process.exit(broken.length === 0 ? 0 : 1);
}
