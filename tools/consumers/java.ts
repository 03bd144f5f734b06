// openapi-generator for Java: generated, compiled against the libraries that the generator's own archive holds, one call.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { check, run } from "../../sdks/suites/report.ts";
import { type Bench, freshFolder, pythonTools } from "./bench.ts";

const PACKAGES = ["openapi-generator-cli==7.26.0"];
const BUILD_MS = 600_000;

/** supportUrlQuery is for form posts, which the API has none of; its template does not compile for sets of choices. */
const PROPERTIES =
  "openApiNullable=false,annotationLibrary=none,documentationProvider=none,dateLibrary=java8,supportUrlQuery=false";
const PARTS = "apis,models,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false";

/** An annotation that the generated code carries and the archive does not hold. */
const GENERATED = `package javax.annotation;
public @interface Generated { String[] value(); String date() default ""; String comments() default ""; }
`;

const CALL = `import org.openapitools.client.ApiClient;
import org.openapitools.client.api.UserApi;

public class Call {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + args[1]));
    System.out.println(new UserApi(client).userProfile().getData().getUserId());
  }
}
`;

export async function checkJava(bench: Bench): Promise<void> {
  const { report, openapi, service } = bench;
  if ((await run(["javac", "-version"])).code !== 0)
    return report.skip("JAVA IS MISSING, so openapi-generator was NOT tried.");
  const tools = await pythonTools(bench, PACKAGES);
  if (!tools) return;
  const out = freshFolder(bench, "java");
  const generate = [join(tools, "bin/openapi-generator-cli"), "generate", "-i", openapi, "-g", "java", "-o", out];
  const flags = ["--library", "native", `--additional-properties=${PROPERTIES}`, "--global-property", PARTS];
  const options = { cwd: out, timeoutMs: BUILD_MS };
  if (!(await check(report, "openapi-generator generates", [...generate, ...flags], options))) return;
  const [archive] = new Glob("lib/**/openapi-generator.jar").scanSync({ cwd: tools, absolute: true });
  mkdirSync(join(out, "stub"), { recursive: true });
  writeFileSync(join(out, "stub/Generated.java"), GENERATED);
  writeFileSync(join(out, "stub/Call.java"), CALL);
  const sources = [...new Glob("src/main/**/*.java").scanSync({ cwd: out, absolute: true })];
  writeFileSync(join(out, "sources"), [...sources, "stub/Generated.java", "stub/Call.java"].join("\n"));
  const compile = ["javac", "-nowarn", "-proc:none", "-cp", archive, "-d", "classes", "@sources"];
  if (!(await check(report, "openapi-generator compiles", compile, options))) return;
  const call = ["java", "-cp", `classes:${archive}`, "Call", service.url, service.key];
  await check(report, "openapi-generator calls", call, options);
}
