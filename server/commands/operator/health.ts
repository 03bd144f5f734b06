// `connector health`: asks the running service whether it is ready.
import type { OperatorCommand } from "../command.ts";

const LIMIT_MS = 5_000;

export const health: OperatorCommand = async ({ flags, config }) => {
  const { HOST, PORT } = config();
  const host = ["0.0.0.0", "::"].includes(HOST) ? "127.0.0.1" : HOST;
  const url = flags.url ?? `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
  try {
    const answer = await fetch(`${url.replace(/\/+$/, "")}/health/ready`, { signal: AbortSignal.timeout(LIMIT_MS) });
    console.log(answer.ok ? "ready" : `not ready: ${await answer.text()}`);
    return answer.ok ? 0 : 1;
  } catch (error) {
    console.error(`${url} does not answer: ${(error as Error).message}`);
    return 1;
  }
};
