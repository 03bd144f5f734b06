// How much of a model's context the list of tools takes, counted with a public tokenizer.
import { join } from "node:path";
import { routes } from "../../server/contracts.ts";
import { createProtocol } from "../../server/mcp/protocol.ts";
import { npmPackage } from "./cache.ts";

const TOKENIZER = "gpt-tokenizer";
const TOKENIZER_VERSION = "4.0.0";
const MAX_TOKENS = 6000;

export async function run(): Promise<boolean> {
  const { encode } = await import(join(npmPackage(TOKENIZER, TOKENIZER_VERSION), "esm/encoding/o200k_base.js"));
  const { listTools } = createProtocol(routes, "1");
  const tools = listTools({ send: () => Promise.reject(new Error("unused")), allowed: () => true });
  const tokens = encode(JSON.stringify({ tools })).length;
  console.log(`\ntools/list: ${tools.length} tools, ${tokens} tokens (${TOKENIZER} ${TOKENIZER_VERSION}, o200k_base)`);
  return tokens <= MAX_TOKENS;
}
