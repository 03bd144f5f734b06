// The JSON-RPC body of a request, bounded, and errors that belong to no call.
import { Failure } from "../contract/errors.ts";

export const MAX_BODY_BYTES = 4 << 20;

export async function readJson(request: Request): Promise<unknown> {
  const length = Number(request.headers.get("content-length") ?? 0);
  if (length > MAX_BODY_BYTES) throw tooLarge();
  const text = await request.text();
  if (text.length > MAX_BODY_BYTES) throw tooLarge();
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("invalid_json", "The body is not JSON.");
  }
}

const tooLarge = () => new Failure("payload_too_large", `The body is larger than ${MAX_BODY_BYTES} bytes.`);

export function rpcError(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}
