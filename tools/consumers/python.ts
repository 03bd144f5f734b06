// openapi-python-client: generated, compiled, one call; the number of its files is printed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { check } from "../../sdks/suites/report.ts";
import { type Bench, freshFolder, pythonTools } from "./bench.ts";

const PACKAGES = ["openapi-python-client==0.29.*", "ruff"];

const CALL = `import sys
from client import AuthenticatedClient
from client.api.user import user_profile

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
print(user_profile.sync(client=client).data.user_id)
`;

export async function checkPython(bench: Bench): Promise<void> {
  const tools = await pythonTools(bench, PACKAGES);
  if (!tools) return;
  const out = freshFolder(bench, "python");
  const python = join(tools, "bin/python");
  writeFileSync(join(out, "config.yaml"), "literal_enums: true\n");
  const generate = [join(tools, "bin/openapi-python-client"), "generate", "--path", bench.openapi, "--meta", "none"];
  const flags = ["--overwrite", "--output-path", join(out, "client"), "--config", join(out, "config.yaml")];
  const env = { PATH: `${join(tools, "bin")}:${process.env.PATH}` };
  if (!(await check(bench.report, "openapi-python-client generates", [...generate, ...flags], { env }))) return;
  console.log(`openapi-python-client: ${[...new Glob("client/**/*.py").scanSync(out)].length} files`);
  await check(bench.report, "openapi-python-client compiles", [python, "-m", "compileall", "-q", join(out, "client")]);
  writeFileSync(join(out, "call.py"), CALL);
  const { url, key } = bench.service;
  await check(bench.report, "openapi-python-client calls", [python, join(out, "call.py"), url, key]);
}
