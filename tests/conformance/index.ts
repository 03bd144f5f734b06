// `npm run conformance [-- name]`: what the MCP endpoint must show beside the tests. What it
// needs from outside is installed into .cache on demand, so it is no part of `npm test`.
const PARTS: Record<string, () => Promise<{ run(): Promise<boolean> }>> = {
  runner: () => import("./runner.ts"),
  tokens: () => import("./tokens.ts"),
  tasks: () => import("./tasks.ts"),
  python: () => import("./python.ts"),
  kill: () => import("./kill.ts"),
};

if (import.meta.main) process.exit(await main(process.argv.slice(2)));

async function main(wanted: string[]): Promise<number> {
  const unknown = wanted.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown) {
    console.error(`There is no part "${unknown}". Parts: ${Object.keys(PARTS).join(", ")}. Without a name all run.`);
    return 2;
  }
  let passed = true;
  for (const name of wanted.length > 0 ? wanted : Object.keys(PARTS)) {
    const part = await PARTS[name]();
    passed = (await part.run()) && passed;
  }
  return passed ? 0 : 1;
}

export {};
