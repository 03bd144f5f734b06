// Runs every sample of the guides, in every language, against the real service: a document cannot promise what fails.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Tools } from "./examples.ts";
import { type Place, type Report, run } from "./report.ts";

interface Sample {
  name: string;
  language: string;
  code: string;
}

const RUNNABLE = new Set(["bash", "ts", "python", "go"]);
/** What Go samples leave out of sight, by what they use. */
const GO_IMPORTS: [pattern: RegExp, path: string][] = [
  [/\bfmt\./, '"fmt"'],
  [/\blog\./, '"log"'],
  [/\berrors\./, '"errors"'],
  [/\bhttp\./, '"net/http"'],
  [/\btime\./, '"time"'],
  [/\bbase64\./, '"encoding/base64"'],
  [/\bapi\./, '"github.com/action-connector/action-connector-go/api"'],
];

export async function runGuides(report: Report, place: Place, tools: Tools): Promise<void> {
  const missing = ["bash", "curl"].filter((program) => !Bun.which(program));
  if (missing.length > 0)
    report.skip(`${missing.join(" and ").toUpperCase()} MISSING, so the shell samples of the guides were NOT run.`);
  const samples = readSamples(place).filter(({ language }) => language !== "bash" || missing.length === 0);
  const folder = join(place.cache, "guides");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const env = {
    ACTION_CONNECTOR_BASE_URL: place.serviceUrl,
    ACTION_CONNECTOR_API_KEY: place.key,
    CONNECTOR_API_KEY: place.key,
    CONNECTOR_URL: place.serviceUrl,
    // The command line lies in the root.
    PATH: `${place.root}:${process.env.PATH}`,
  };
  const go = tools.go ? await buildGo(report, place, folder, samples) : null;
  for (const sample of samples) {
    const command = commandOf(sample, folder, tools, go);
    if (!command) continue;
    const ran = await run(command.words, { cwd: command.cwd, env: { ...env, ...command.env } });
    const refused =
      sample.language === "bash" && /"success":false/.test(ran.out) && !sample.name.startsWith("error-handling");
    if (ran.code === 0 && !refused) report.ok(sample.name);
    else report.fail(sample.name, `ended with ${ran.code}\n${ran.all.slice(0, 1500)}`);
  }
}

function readSamples({ root, serviceUrl }: Place): Sample[] {
  const folder = join(root, "docs/guides");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), "utf8").replaceAll("{{url}}", serviceUrl);
      return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
        .filter(([, language]) => RUNNABLE.has(language))
        .map(([, language, code], i) => ({ name: `${file.slice(0, -3)} ${i + 1} in ${language}`, language, code }));
    });
}

interface Command {
  words: string[];
  cwd?: string;
  env?: Record<string, string>;
}

function commandOf({ name, language, code }: Sample, folder: string, tools: Tools, go: string | null): Command | null {
  const base = fileName(name);
  if (language === "bash") return { words: ["bash", "-euo", "pipefail", "-c", code], cwd: folder };
  if (language === "ts" && tools.typescript) {
    const file = join(tools.typescript, `guide-${base}.ts`);
    const client = `import { ActionConnector } from "action-connector";\nconst client = new ActionConnector();\n`;
    writeFileSync(file, code.includes("new ActionConnector(") ? code : client + code);
    return { words: [process.execPath, file], cwd: tools.typescript };
  }
  if (language === "python" && tools.python) {
    const file = join(folder, `${base}.py`);
    const client = "from action_connector import ActionConnector\n\nclient = ActionConnector()\n";
    writeFileSync(file, code.includes("= ActionConnector(") ? code : client + code);
    return { words: [tools.python.interpreter, file], env: { PYTHONPATH: tools.python.clean, PYTHONUTF8: "1" } };
  }
  return language === "go" && go ? { words: [join(go, base)] } : null;
}

/** One build for all samples: each is a program of its own in one module. */
async function buildGo(report: Report, { root }: Place, folder: string, samples: Sample[]): Promise<string | null> {
  const module = join(folder, "go");
  const binaries = join(folder, "go-bin");
  for (const { name, code } of samples.filter((s) => s.language === "go")) {
    mkdirSync(join(module, fileName(name)), { recursive: true });
    writeFileSync(join(module, fileName(name), "main.go"), goProgram(code));
  }
  const manifest = readFileSync(join(root, "examples/go.mod"), "utf8");
  writeFileSync(join(module, "go.mod"), manifest.replace(/=> .*$/m, `=> ${JSON.stringify(join(root, "sdks/go"))}`));
  mkdirSync(binaries, { recursive: true });
  const built = await run(["go", "build", "-o", `${binaries}/`, "./..."], { cwd: module });
  if (built.code === 0) return binaries;
  report.fail("building the Go samples of the guides", built.all);
  return null;
}

function goProgram(code: string): string {
  if (code.startsWith("package main")) return code;
  const imports = GO_IMPORTS.filter(([pattern]) => pattern.test(code)).map(([, path]) => `\t${path}`);
  const log = imports.includes('\t"log"') ? [] : ['\t"log"'];
  return `package main

import (
	"context"
${[...imports, ...log].join("\n")}

	ac "github.com/action-connector/action-connector-go"
)

func main() {
	client, err := ac.New()
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	_, _ = client, ctx
${code}}
`;
}

const fileName = (name: string): string => name.replace(/[^a-z0-9]+/gi, "-");
