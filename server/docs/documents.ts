// The large documents of the contract. Each is made in a thread of its own at the first request for it: building the
// OpenAPI document takes a third of a second, and whoever asks needs no key.
import { within } from "../lib/deadline.ts";
import { openThread } from "../lib/pool/index.ts";
import { SECOND_MS } from "../lib/time.ts";

export type DocumentName = "openapi.json" | "openapi.yaml" | "reference";

const SCRIPT = new URL("./document-thread.ts", import.meta.url).href;
const MAX_MS = 60 * SECOND_MS;

/** The thread ends with its document, so that the contract it loaded is not kept twice. */
export function makeDocument(name: DocumentName): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const thread = openThread<string>({
    script: SCRIPT,
    onMessage: resolve,
    onEnd: (why) => reject(new Error(`The thread that makes ${name} ended: ${why}`)),
  });
  thread.post(name);
  return within(MAX_MS, `making ${name}`, promise).finally(thread.end);
}
