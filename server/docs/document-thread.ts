// The script of the thread that makes one document of the contract and answers with its text.
import { buildOpenapi } from "../contract/openapi.ts";
import { contract } from "../contracts.ts";
import { lowerPriority } from "../lib/pool/priority.ts";
import type { DocumentName } from "./documents.ts";
import { renderReference } from "./reference.ts";

declare const self: Worker;

const MAKERS: Record<DocumentName, () => string> = {
  "openapi.json": () => JSON.stringify(buildOpenapi(contract)),
  "openapi.yaml": () => Bun.YAML.stringify(buildOpenapi(contract), null, 2),
  reference: () => renderReference(contract.routes, contract.tags),
};

lowerPriority();
self.onmessage = ({ data }: MessageEvent<DocumentName>) => self.postMessage(MAKERS[data]());
