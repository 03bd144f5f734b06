// The scripts of the public pages, made from client/ when they are first asked for.
import { join } from "node:path";

export type ClientScript = "courier-app" | "service-worker" | "tracking";

const scripts = new Map<ClientScript, Promise<string>>();

export function clientScript(name: ClientScript): Promise<string> {
  let script = scripts.get(name);
  if (!script) {
    script = build(name);
    scripts.set(name, script);
    script.catch(() => scripts.delete(name));
  }
  return script;
}

async function build(name: ClientScript): Promise<string> {
  const entry = join(import.meta.dir, "client", `${name}.ts`);
  const built = await Bun.build({ entrypoints: [entry], target: "browser", minify: true });
  return built.outputs[0].text();
}
