// The generated half of the SDKs: path → text, for the table in generate.ts. The other half is written by hand.
import { apiPage } from "./api-page.ts";
import { goResources, goTypes } from "./go.ts";
import { readModel, type Model } from "./model.ts";
import { pythonResources, pythonTypes } from "./python.ts";
import { typescriptResources, typescriptTypes } from "./typescript.ts";

const files: Record<string, (model: Model) => string> = {
  "sdks/typescript/src/generated/types.ts": typescriptTypes,
  "sdks/typescript/src/generated/resources.ts": typescriptResources,
  "sdks/go/api/types.go": goTypes,
  "sdks/go/api/resources.go": goResources,
  "sdks/python/src/action_connector/_generated/types.py": pythonTypes,
  "sdks/python/src/action_connector/_generated/resources.py": pythonResources,
  "sdks/typescript/api.md": apiPage("typescript"),
  "sdks/python/api.md": apiPage("python"),
  "sdks/go/api.md": apiPage("go"),
};

/** One maker per generated file; `openapi` is only rendered when a maker runs. */
export function sdkMakers(openapi: () => string): Record<string, () => string> {
  let model: Model | undefined;
  const read = () => (model ??= readModel(JSON.parse(openapi())));
  return Object.fromEntries(Object.entries(files).map(([path, make]) => [path, () => make(read())]));
}
