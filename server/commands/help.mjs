// The text of `connector help`, `connector COMMAND --help` and `connector --version`, made from the catalog alone.
import { catalog, groups, isCommand } from "./catalog.mjs";
import { completionOf } from "./completion.mjs";

const EXIT_CODES =
  "Exit codes: 0 done · 1 refused or failed · 2 wrong words or settings · 3 no key, or it may not · 4 no answer · 5 quota used up";

/** @param {string[]} words */
const asksForHelp = (words) => words.includes("--help") || words.includes("-h");

/**
 * The answer to words that only ask for help or for the version; null for all others.
 * @param {string[]} argv @param {string} version
 * @returns {{ text: string, code: number } | null}
 */
export function quickAnswer(argv, version) {
  const [name, topic] = argv;
  if (name === "--version" || name === "-v" || name === "version") return { text: `connector ${version}`, code: 0 };
  if (name === undefined || name === "--help" || name === "-h") return { text: overview(), code: 0 };
  if (name === "help" && topic === "config") return null;
  if (name === "help") return topic === undefined || asksForHelp(argv) ? { text: overview(), code: 0 } : helpOf(topic);
  if (isCommand(name) && asksForHelp(argv.slice(1))) return helpOf(name);
  return name === "completion" ? completionOf(topic) : null;
}

/** The list of all commands. */
function overview() {
  const width = Math.max(...Object.keys(catalog).map((name) => name.length)) + 2;
  const sections = Object.entries(groups).map(([title, commands]) => {
    const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`);
    return `${title}\n${lines.join("\n")}`;
  });
  return `connector COMMAND\n\n${sections.join("\n\n")}\n\nconnector help COMMAND says how to call it; connector help config lists every setting.\n${EXIT_CODES}`;
}

/** @param {string} name */
function helpOf(name) {
  if (!isCommand(name)) return { text: `There is no command "${name}". Hint: connector help`, code: 2 };
  const { summary, usage, options = [], notes = [], examples = [] } = catalog[name];
  const width = Math.max(0, ...options.map(([flag]) => flag.length)) + 2;
  const section = (/** @type {string} */ title, /** @type {string[]} */ lines) =>
    lines.length > 0 ? `\n${title}\n${lines.map((line) => `  ${line}`).join("\n")}\n` : "";
  const text = [
    `${summary}\n`,
    section(
      "Usage",
      usage.map((line) => `connector ${line}`),
    ),
    section(
      "Options",
      options.map(([flag, says]) => flag.padEnd(width) + says),
    ),
    section("Notes", notes),
    section(
      "Examples",
      examples.map((line) => `connector ${line}`),
    ),
  ];
  return { text: text.join("").trimEnd(), code: 0 };
}

/** How a command is called, for the message about wrong words. @param {string} name */
export function usageOf(name) {
  const [first, ...others] = catalog[name].usage.map((line) => `connector ${line}`);
  return others.length === 0 ? `Usage: ${first}` : `Usage:\n  ${[first, ...others].join("\n  ")}`;
}
