// openapi-typescript with openapi-fetch, and hey-api: generated, type-checked, one call each.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "../../sdks/suites/report.ts";
import { type Bench, freshFolder, npmTools } from "./bench.ts";

const PACKAGES = ["openapi-typescript@7", "openapi-fetch@0.17", "@hey-api/openapi-ts@0.95", "typescript@5"];

export async function checkTypescript(bench: Bench): Promise<void> {
  const tools = await npmTools(bench, PACKAGES);
  if (!tools) return;
  await openapiTypescript(bench, tools);
  await heyApi(bench, tools);
}

const FETCH_CALL = `import createClient from "openapi-fetch";
import type { paths } from "./openapi.ts";

const client = createClient<paths>({ baseUrl: process.argv[2], headers: { Authorization: \`Bearer \${process.argv[3]}\` } });
const { data, error } = await client.GET("/api/v1/user/profile");
if (!data) throw new Error(JSON.stringify(error));
const id: string = data.data.user_id;
console.log(id);
`;

const HEY_CALL = `import { client } from "./client/client.gen.ts";
import { userProfile } from "./client/sdk.gen.ts";

client.setConfig({ baseUrl: process.argv[2], auth: process.argv[3] });
const { data, error } = await userProfile();
if (!data) throw new Error(JSON.stringify(error));
const id: string = data.data.user_id;
console.log(id);
`;

async function openapiTypescript(bench: Bench, tools: string): Promise<void> {
  const out = freshFolder(bench, "../npm/openapi-typescript");
  const bin = (name: string) => join(tools, "node_modules/.bin", name);
  const generate = [bin("openapi-typescript"), bench.openapi, "-o", join(out, "openapi.ts")];
  if (!(await check(bench.report, "openapi-typescript generates", generate))) return;
  writeFileSync(join(out, "call.ts"), FETCH_CALL);
  await compileAndCall(bench, bin("tsc"), "openapi-typescript", join(out, "call.ts"));
}

async function heyApi(bench: Bench, tools: string): Promise<void> {
  const out = freshFolder(bench, "../npm/hey-api");
  const bin = (name: string) => join(tools, "node_modules/.bin", name);
  const generate = [bin("openapi-ts"), "-i", bench.openapi, "-o", join(out, "client"), "-c", "@hey-api/client-fetch"];
  if (!(await check(bench.report, "hey-api generates", generate, { cwd: out }))) return;
  writeFileSync(join(out, "call.ts"), HEY_CALL);
  await compileAndCall(bench, bin("tsc"), "hey-api", join(out, "call.ts"));
}

async function compileAndCall(
  { report, root, service }: Bench,
  tsc: string,
  name: string,
  file: string,
): Promise<void> {
  const modules = ["--target", "es2022", "--module", "preserve", "--allowImportingTsExtensions"];
  const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types"), "--skipLibCheck"];
  await check(report, `${name} compiles`, [tsc, "--noEmit", "--strict", ...modules, ...types, file]);
  await check(report, `${name} calls`, [process.execPath, "run", "--no-install", file, service.url, service.key]);
}
