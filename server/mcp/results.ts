// What a tool answers: the few members that matter, outside text fenced, a link to the whole, errors with their hint.
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { RestAnswer } from "./actions.ts";
import { fence } from "./outside.ts";
import type { ToolSpec } from "./tools/spec.ts";

export function resultOf(tool: Pick<ToolSpec, "show" | "outside" | "resource">, answer: RestAnswer): CallToolResult {
  if (answer.error) return refusalOf(answer);
  const whole = answer.data;
  const data = isPage(whole)
    ? { ...whole, items: whole.items.map((item: any) => marked(tool, shortOf(tool, item))) }
    : marked(tool, shortOf(tool, whole));
  const id = tool.resource ? whole?.[tool.resource.id] : undefined;
  const structured = {
    ...data,
    ...(id ? { full: `connector://${tool.resource!.kind}/${id}` } : {}),
    ...(answer.replayed
      ? { replayed: true, note: "This key was used before: nothing new was done, this is what happened then." }
      : {}),
  };
  return { content: [{ type: "text", text: JSON.stringify(structured) }], structuredContent: structured };
}

/** A refusal is a tool error that says what to send instead. */
export function refusalOf({ status, error }: RestAnswer): CallToolResult {
  const faults = (error.errors ?? []).map(
    (fault: any) => `${fault.pointer || "request"}: ${fault.detail}. ${fault.hint}`,
  );
  const text = [`${error.code}: ${error.detail}`, `Hint: ${error.hint}`, ...faults].join("\n");
  return { isError: true, content: [{ type: "text", text }], structuredContent: { error: { ...error, status } } };
}

/** A delivery has items too; only a page of a list says whether there is more. */
const isPage = (data: any): boolean => Array.isArray(data?.items) && typeof data.has_more === "boolean";

function shortOf(tool: Pick<ToolSpec, "show">, whole: any): any {
  if (!tool.show || !whole || typeof whole !== "object") return whole;
  const short: Record<string, any> = {};
  for (const path of tool.show) {
    const [first, second] = path.split(".");
    const value = second ? whole[first]?.[second] : whole[first];
    if (value === undefined || value === null) continue;
    if (second) short[first] = { ...short[first], [second]: value };
    else short[first] = value;
  }
  return short;
}

function marked(tool: Pick<ToolSpec, "outside">, data: any): any {
  if (!tool.outside || !data || typeof data !== "object") return data;
  if (tool.outside.includes("*")) return fence(data);
  const out = { ...data };
  for (const path of tool.outside) {
    const [first, second] = path.split(".");
    if (out[first] === undefined) continue;
    if (!second) out[first] = fence(out[first]);
    else if (out[first]?.[second]) out[first] = { ...out[first], [second]: fence(out[first][second]) };
  }
  return out;
}
