// One account at its worst: the same request again and again from eight connections, until it is told to stop.
import { SHAPES } from "./shapes.ts";

const CONNECTIONS = 8;
const [base, key, name] = process.argv.slice(2);
const { path, type = "application/json", body } = SHAPES[name]();
const bytes = new TextEncoder().encode(body);
const headers = { Authorization: `Bearer ${key}`, "Content-Type": type };
const answers: Record<string, number> = {};

process.on("SIGTERM", () => {
  console.log(JSON.stringify(answers));
  process.exit(0);
});

async function attack(): Promise<void> {
  for (;;) {
    const status = await fetch(`${base}/v1${path}`, { method: "POST", headers, body: bytes }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return String(answer.status);
      },
      () => "failed",
    );
    answers[status] = (answers[status] ?? 0) + 1;
  }
}

await Promise.all(Array.from({ length: CONNECTIONS }, attack));
