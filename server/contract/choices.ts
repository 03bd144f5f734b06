// Fields of which exactly one is to be sent: JSON Schema has no plain word for it, so the contract says `exactlyOne`.

type Check = (value: any) => boolean;

/** Whether every object below the schema has exactly one of its rival fields; null when no schema says so. */
export function choiceCheckOf(schema: any): Check | null {
  if (schema?.anyOf) return null;
  if (schema?.type === "array") {
    const item = choiceCheckOf(schema.items);
    return item && ((value) => !Array.isArray(value) || value.every(item));
  }
  const rivals: string[] = schema?.exactlyOne ?? [];
  const members = Object.entries<any>(schema?.properties ?? {}).flatMap(([name, property]) => {
    const check = choiceCheckOf(property);
    return check ? [[name, check] as const] : [];
  });
  if (rivals.length === 0 && members.length === 0) return null;
  return (value) => {
    if (!value || typeof value !== "object") return true;
    if (rivals.length > 0 && rivals.filter((name) => value[name] !== undefined).length !== 1) return false;
    return members.every(([name, check]) => value[name] === undefined || check(value[name]));
  };
}
