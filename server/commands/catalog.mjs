// All commands with what they do and take: the source of `connector help`, of the flags and of completion. It has no
// dependencies and is plain JavaScript, so that Node can print help before anything is installed.
import { operatorCatalog } from "./catalog/operator.mjs";
import { userCatalog } from "./catalog/user.mjs";

/**
 * @typedef {object} CommandHelp
 * @property {string} summary One sentence for the list of commands.
 * @property {string[]} usage Each way to call it, without `connector` in front.
 * @property {[flag: string, text: string][]} [options] `--name VALUE` takes a value, `--name` is a switch.
 * @property {string[]} [notes] What a reader must know before using it.
 * @property {string[]} [examples] Complete lines, without `connector` in front.
 */

/** @satisfies {Record<string, CommandHelp>} */
const helpCatalog = {
  completion: {
    summary: "Print the completion script of a shell.",
    usage: ["completion bash|zsh|fish"],
    notes: [
      'bash: put  eval "$(connector completion bash)"  into ~/.bashrc.',
      'zsh: put  eval "$(connector completion zsh)"  into ~/.zshrc, after compinit.',
      "fish: connector completion fish > ~/.config/fish/completions/connector.fish",
    ],
  },
  help: {
    summary: "This list, the help of one command, or every setting with its default.",
    usage: ["help", "help COMMAND", "help config"],
  },
};

/** In the order that help shows them. @type {Record<string, Record<string, CommandHelp>>} */
export const groups = { Use: userCatalog, Operate: operatorCatalog, Help: helpCatalog };

/** @type {Record<string, CommandHelp>} */
export const catalog = { ...userCatalog, ...operatorCatalog, ...helpCatalog };

/** @param {string} name */
export const isCommand = (name) => Object.hasOwn(catalog, name);

/**
 * The flags of a command, from its usage and its options, and whether each takes a value.
 * @param {string} name @returns {Map<string, boolean>}
 */
export function flagsOf(name) {
  const { usage, options = [] } = catalog[name];
  const found = new Map();
  for (const line of [...usage, ...options.map(([flag]) => flag)])
    for (const [, flag, value] of line.matchAll(/--([a-z][a-z-]*)( [^\s[\]-]\S*)?/g))
      found.set(flag, (found.get(flag) ?? false) || value !== undefined);
  return found;
}

/** The words that may follow a command, e.g. `create` and `list`. @param {string} name @returns {string[]} */
export function verbsOf(name) {
  const seconds = catalog[name].usage.map((line) => line.split(" ")[1] ?? "");
  return [...new Set(seconds.flatMap((word) => word.split("|")).filter((word) => /^[a-z]+$/.test(word)))];
}
