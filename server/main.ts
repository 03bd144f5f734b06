// The command line: answers help and version at once, and loads a command only when it is called.
import { version } from "../package.json";
import { quickAnswer } from "./commands/help.mjs";

const argv = process.argv.slice(2);
const answer = quickAnswer(argv, version);
if (answer) {
  (answer.code === 0 ? console.log : console.error)(answer.text);
  process.exitCode = answer.code;
} else {
  const { runCommand } = await import("./commands/run.ts");
  process.exitCode = await runCommand(argv, () => import("./commands/operator.ts"));
}
