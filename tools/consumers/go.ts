// oapi-codegen: generated, vetted, one call.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, run } from "../../sdks/suites/report.ts";
import { type Bench, freshFolder } from "./bench.ts";

const TOOL = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.1";
const INSTALL_MS = 600_000;

/** The tool names its own response types like our schemas unless told otherwise, and drops shapes that only webhooks use. */
const CONFIGURATION = `package: client
generate: { models: true, client: true }
output: client/client.go
output-options: { response-type-suffix: Reply, skip-prune: true }
`;

const CALL = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"consumer.example/client"
)

func main() {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	}
	api, err := client.NewClientWithResponses(os.Args[1], client.WithRequestEditorFn(authorize))
	if err != nil {
		panic(err)
	}
	reply, err := api.UserProfileWithResponse(context.Background())
	if err != nil || reply.JSON200 == nil {
		panic(fmt.Sprint(err, string(reply.Body)))
	}
	fmt.Println(reply.JSON200.Data.UserId)
}
`;

export async function checkGo(bench: Bench): Promise<void> {
  const { report, cache, openapi, service } = bench;
  if ((await run(["go", "version"])).code !== 0) return report.skip("GO IS MISSING, so oapi-codegen was NOT tried.");
  const tool = join(cache, "go/oapi-codegen");
  const env = { GOBIN: join(cache, "go"), GOFLAGS: "-mod=mod" };
  if (!existsSync(tool)) {
    const installed = await run(["go", "install", TOOL], { env, timeoutMs: INSTALL_MS });
    if (installed.code !== 0) return report.skip(`oapi-codegen could not be installed:\n${installed.all.slice(-800)}`);
  }
  const out = freshFolder(bench, "go");
  mkdirSync(join(out, "client"), { recursive: true });
  mkdirSync(join(out, "call"), { recursive: true });
  writeFileSync(join(out, "config.yaml"), CONFIGURATION);
  if (!(await check(report, "oapi-codegen generates", [tool, "-config", "config.yaml", openapi], { cwd: out }))) return;
  writeFileSync(join(out, "go.mod"), "module consumer.example\n\ngo 1.24\n");
  writeFileSync(join(out, "call/main.go"), CALL);
  const options = { cwd: out, env, timeoutMs: INSTALL_MS };
  if (!(await check(report, "oapi-codegen's modules", ["go", "mod", "tidy"], options))) return;
  await check(report, "oapi-codegen compiles", ["go", "vet", "./..."], options);
  await check(report, "oapi-codegen calls", ["go", "run", "./call", service.url, service.key], options);
}
