// Completion scripts for bash, zsh and fish, made from the catalog: commands, their verbs and their flags.
import { catalog, flagsOf, verbsOf } from "./catalog.mjs";

/** Commands whose words are files. */
const TAKE_FILES = ["analyze", "backup", "restore", "geodata", "stock"];

const NAMES = Object.keys(catalog);

/** What may follow a command. @param {string} name */
const wordsOf = (name) => [
  ...(name === "help" ? NAMES : verbsOf(name)),
  ...[...flagsOf(name).keys()].map((f) => `--${f}`),
];

/** @type {Record<string, () => string>} */
const SHELLS = { bash, zsh, fish };

/** @param {string | undefined} shell @returns {{ text: string, code: number }} */
export function completionOf(shell) {
  const make = shell !== undefined && Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : null;
  return make
    ? { text: make(), code: 0 }
    : { text: "Which shell? Hint: connector completion bash, zsh or fish", code: 2 };
}

function bash() {
  const cases = NAMES.map((name) => `    ${name}) words="${wordsOf(name).join(" ")}" ;;`);
  return `# bash completion of connector
_connector() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${NAMES.join(" ")}"
  else case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case " ${TAKE_FILES.join(" ")} " in *" \${COMP_WORDS[1]} "*)
    [ "$COMP_CWORD" -gt 1 ] && COMPREPLY+=($(compgen -f -- "$current")) ;;
  esac
}
complete -F _connector connector`;
}

function zsh() {
  const commands = NAMES.map((name) => `    ${quote(`${name}:${catalog[name].summary}`)}`);
  const cases = NAMES.map((name) => `    ${name}) compadd -- ${wordsOf(name).join(" ")} ;;`);
  return `#compdef connector
_connector() {
  local -a commands=(
${commands.join("\n")}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "\${words[2]}" in
${cases.join("\n")}
  esac
  case "\${words[2]}" in ${TAKE_FILES.join("|")}) _files ;; esac
}
compdef _connector connector`;
}

function fish() {
  const lines = NAMES.flatMap((name) => {
    const { summary, options = [] } = catalog[name];
    const texts = new Map(options.map(([flag, text]) => [flag.split(" ")[0].slice(2), text]));
    const seen = `__fish_seen_subcommand_from ${name}`;
    const flags = [...flagsOf(name)].map(([flag, takesValue]) => {
      const text = texts.get(flag);
      return `complete -c connector -n ${quote(seen)} -l ${flag}${takesValue ? " -r" : ""}${text ? ` -d ${quote(text)}` : ""}`;
    });
    const verbs = name === "help" ? NAMES : verbsOf(name);
    return [
      `complete -c connector -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
      ...(verbs.length > 0 ? [`complete -c connector -n ${quote(seen)} -a ${quote(verbs.join(" "))}`] : []),
      ...flags,
    ];
  });
  const files = quote(`not __fish_seen_subcommand_from ${TAKE_FILES.join(" ")}`);
  return `# fish completion of connector\ncomplete -c connector -n ${files} -f\n${lines.join("\n")}`;
}

/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
