// `connector mcp --url URL --key KEY`: the tools of a server over standard input and output, for clients that start a program.
import { version } from "../../contract/version.ts";
import { routes } from "../../contracts.ts";
import { serveOverStdio } from "../../mcp/stdio.ts";
import { type Command, UsageError } from "../command.ts";

export const mcp: Command = async ({ flags }) => {
  const { url = "", key = "" } = flags;
  if (!URL.canParse(url)) throw new UsageError("--url must be the address of a server, e.g. http://127.0.0.1:8080.");
  if (key === "") throw new UsageError("--key must be a key of that server. Hint: connector help mcp");
  try {
    await serveOverStdio({ url: url.replace(/\/+$/, ""), key, routes, version });
  } catch (error) {
    console.error(`${url} cannot be used: ${(error as Error).message}`);
    return 1;
  }
};
