// `connector login`: keeps servers and their keys as profiles, after asking the server whether the key is right.
import { type Command, type CommandInput, EXIT, UsageError } from "../command.ts";
import { open } from "./connection.ts";
import { DEFAULT_PROFILE, profilesPath, readProfiles, writeProfiles } from "./profiles.ts";
import { printFacts, printJson, printTable } from "./terminal.ts";

const DEFAULT_URL = "http://127.0.0.1:8080";
const NAME = /^[A-Za-z0-9][\w.-]{0,39}$/;

export const login: Command = async (input) => {
  const { flags, words } = input;
  if (words.length > 0) throw new UsageError(`login takes no words. Hint: connector login --url ${words[0]}`);
  if (flags.list) return list(flags);
  if (flags.remove) return remove(flags.profile);
  return signIn(input);
};

async function signIn({ flags }: CommandInput): Promise<void> {
  const name = flags.profile ?? DEFAULT_PROFILE;
  if (!NAME.test(name))
    throw new UsageError(`"${name}" is no name of a profile. Hint: letters, digits, dots and dashes.`);
  const known = readProfiles();
  const url = flags.url ?? process.env.CONNECTOR_URL ?? known.profiles[name]?.url ?? DEFAULT_URL;
  const key = (flags.key ?? process.env.CONNECTOR_API_KEY ?? (await askKey(url))).trim();
  if (key === "") throw new UsageError("No key was given. Hint: connector login --key acn_test_…");
  const profile = await open(url, key).user.profile();
  known.profiles[name] = { ...known.profiles[name], url, key };
  known.current = name;
  writeProfiles(known);
  if (flags.json)
    return printJson({ profile: name, url, mode: profile.mode, plan: profile.plan, user_id: profile.user_id });
  printFacts({
    profile: name,
    url,
    account: profile.name,
    mode: profile.mode,
    plan: profile.plan,
    file: profilesPath(),
  });
}

/** Asked for without showing it; from a pipe, the first line. */
async function askKey(url: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(`Key of ${url} (not shown): `);
  const echo = process.stdin.isTTY ? silence() : () => {};
  try {
    for await (const line of console) return line;
    return "";
  } finally {
    echo();
  }
}

/** Turns the echo of the terminal off; the returned function turns it on again. */
function silence(): () => void {
  const stty = (word: string) =>
    Bun.spawnSync(["stty", word], { stdin: "inherit", stdout: "ignore", stderr: "ignore" });
  stty("-echo");
  return () => {
    stty("echo");
    process.stderr.write("\n");
  };
}

function list(flags: CommandInput["flags"]): void {
  const { current, profiles } = readProfiles();
  const rows = Object.entries(profiles).map(([name, { url, key }]) => ({
    profile: name,
    current: name === current,
    url,
    key: `${key.slice(0, 9)}…${key.slice(-4)}`,
  }));
  if (flags.json) for (const row of rows) printJson(row);
  else
    printTable(
      ["", "PROFILE", "SERVER", "KEY"],
      rows.map((row) => [row.current ? "*" : "", row.profile, row.url, row.key]),
      "No profile yet. Hint: connector login",
    );
}

function remove(name: string | undefined): number {
  const known = readProfiles();
  const gone = name ?? known.current;
  if (!Object.hasOwn(known.profiles, gone))
    throw new UsageError(`There is no profile "${gone}". Hint: connector login --list`);
  delete known.profiles[gone];
  if (known.current === gone) known.current = Object.keys(known.profiles)[0] ?? DEFAULT_PROFILE;
  writeProfiles(known);
  console.log(`${gone} is forgotten`);
  return EXIT.done;
}
