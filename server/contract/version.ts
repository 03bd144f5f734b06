// The one version of the service, its API and its SDKs: that of package.json.
import manifest from "../../package.json" with { type: "json" };

export const version: string = manifest.version;
