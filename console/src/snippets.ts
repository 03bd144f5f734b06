// One request written for a shell and for each SDK; the key stays a variable.

export interface Written {
  method: string;
  /** Path and query under /api/v1. */
  path: string;
  /** The JSON that was sent, where it is known. */
  body: string | null;
}

/** Stands where a body was sent that nobody kept. */
const UNKNOWN_BODY = '{"…": "bodies are not kept in the log"}';
const hasBody = ({ method }: Written) => method === "POST" || method === "PATCH";
const bodyOf = (request: Written) => (hasBody(request) ? (request.body ?? UNKNOWN_BODY) : null);

/** The path and its query apart. */
function split(path: string): { path: string; query: Record<string, string> } {
  const [plain, text = ""] = path.split("?");
  return { path: plain, query: Object.fromEntries(new URLSearchParams(text)) };
}

const isEmpty = (value: object) => Object.keys(value).length === 0;
const indent = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

function readable(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function asCurl(request: Written): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const body = bodyOf(request);
  const lines = [`curl -X ${request.method} ${quote(`${location.origin}/api/v1${request.path}`)}`];
  lines.push(`-H "Authorization: Bearer $ACTION_CONNECTOR_API_KEY"`);
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d ${quote(body)}`);
  return lines.join(" \\\n  ");
}

function asTypeScript(request: Written): string {
  const { path, query } = split(request.path);
  const body = bodyOf(request);
  const parts = [
    `method: "${request.method}"`,
    `path: "${path}"`,
    ...(isEmpty(query) ? [] : [`query: ${indent(pretty(query), "  ")}`]),
    ...(body ? [`body: ${indent(pretty(readable(body)), "  ")}`] : []),
  ];
  return `import { ActionConnector } from "action-connector";

const client = new ActionConnector();
const answer = await client.request({\n  ${parts.join(",\n  ")},\n});
console.log(await answer.json());`;
}

/** JSON as Python writes it. */
const python = (value: unknown): string =>
  pretty(value)
    .replaceAll(/\btrue\b(?=[,\n\s}\]]|$)/g, "True")
    .replaceAll(/\bfalse\b(?=[,\n\s}\]]|$)/g, "False")
    .replaceAll(/\bnull\b(?=[,\n\s}\]]|$)/g, "None");

function asPython(request: Written): string {
  const { path, query } = split(request.path);
  const body = bodyOf(request);
  const parts = [
    `"${request.method}"`,
    `"${path}"`,
    ...(isEmpty(query) ? [] : [`query=${indent(python(query), "    ")}`]),
    ...(body ? [`body=${indent(python(readable(body)), "    ")}`] : []),
  ];
  return `from action_connector import ActionConnector

client = ActionConnector()
answer = client.request(\n    ${parts.join(",\n    ")},\n)
print(answer.text)`;
}

function asGo(request: Written): string {
  const { path, query } = split(request.path);
  const body = bodyOf(request);
  const pairs = Object.entries(query).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const queryText = pairs.length > 0 ? `map[string]string{${pairs.join(", ")}}` : "nil";
  const bodyText = body ? `\`${body.replaceAll("`", '` + "`" + `')}\`` : "nil";
  return `client, err := ac.New()
if err != nil {
	log.Fatal(err)
}
answer, err := client.Request(ctx, "${request.method}", "${path}", ${queryText}, ${bodyText})`;
}

export const LANGUAGES: [name: string, write: (request: Written) => string][] = [
  ["curl", asCurl],
  ["TypeScript", asTypeScript],
  ["Python", asPython],
  ["Go", asGo],
];
