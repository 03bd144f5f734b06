// Reads the weights and compiles the engine before the first request, once in a process.
import { analyzeText, KNOWN_LIMITS } from "../engine/analyze.ts";
import { openLight } from "../model-files.ts";

const ROUNDS = 30;
let warmed: Promise<void> | null = null;

export function warmUp(): Promise<void> {
  return (warmed ??= analyzeRepeatedly());
}

async function analyzeRepeatedly(): Promise<void> {
  const light = await openLight();
  const text = Array(6).fill(KNOWN_LIMITS.join(" ")).join("\n\n");
  for (let i = 0; i < ROUNDS; i++) {
    analyzeText(light, text, { point: "0.01", segments: true });
    await new Promise((resolve) => setImmediate(resolve));
  }
}
