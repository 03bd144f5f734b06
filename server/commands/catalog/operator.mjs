// What each operator command does and takes. Plain JavaScript without dependencies: see ../catalog.mjs.

const JSON_OPTION = /** @type {[string, string]} */ (["--json", "Print JSON, one object per line, for scripts."]);

/** @satisfies {Record<string, import("../catalog.mjs").CommandHelp>} */
export const operatorCatalog = {
  start: {
    summary: "Start the service: embedded database, migrations, first account, HTTP.",
    usage: ["start"],
    notes: [
      "The first start makes an account, keeps its test key in DATA_DIR/first-key and prints its live key once, on a terminal only.",
      "Settings: connector help config.",
    ],
    examples: ["start"],
  },
  work: {
    summary: "Do the background work (jobs, webhook deliveries) without serving HTTP.",
    usage: ["work"],
    notes: ["Run as many of these processes as you like beside `connector start`, on the same CONNECTOR_DATABASE_URL."],
  },
  migrate: {
    summary: "Bring the database up to date (start does it too) and list the migrations.",
    usage: ["migrate"],
  },
  accounts: {
    summary: "Make an account with its first keys, list accounts, change a plan, suspend, resume or delete an account.",
    usage: [
      "accounts create --plan free|plus|max --name NAME [--email ADDRESS] [--json]",
      "accounts list [--json]",
      "accounts plan --account ID --plan free|plus|max",
      "accounts suspend --account ID",
      "accounts resume --account ID",
      "accounts delete --account ID --yes",
    ],
    options: [
      ["--account ID", "The account, as `accounts list` shows it."],
      ["--plan PLAN", "free, plus or max."],
      ["--yes", "Really delete the account with all its data. The audit log keeps its entries."],
      JSON_OPTION,
    ],
    examples: ['accounts create --plan plus --name "Acme" --email ops@acme.example', "accounts list --json"],
  },
  keys: {
    summary: "Make, list, roll and revoke keys as the operator.",
    usage: [
      "keys create --account ID --mode test|live [--scopes a,b|all] [--name NAME] [--expires-at TIME] [--json]",
      "keys list --account ID [--json]",
      "keys roll --key ID [--grace-seconds N] [--json]",
      "keys revoke --key ID",
    ],
    options: [
      ["--scopes LIST", "Scopes separated by commas; `all` is every scope but admin. Default: all."],
      ["--expires-at TIME", "When the key stops working, e.g. 2026-12-01T15:00:00Z. Default: never."],
      ["--grace-seconds N", "How long the old key still works after a roll. Default: 86400 (a day)."],
      JSON_OPTION,
    ],
    examples: [
      "keys create --account usr_… --mode live --scopes delivery:write,delivery:read",
      "keys roll --key key_…",
    ],
  },
  health: {
    summary: "Ask the running service whether it can take requests; for the health check of a container.",
    usage: ["health [--url http://127.0.0.1:8080]"],
    notes: ["Exit code 1 when it is not ready, or does not answer within five seconds."],
  },
  jobs: {
    summary: "See background jobs that failed for good, and run them again.",
    usage: ["jobs dead [--json]", "jobs requeue ID…", "jobs requeue all"],
    options: [JSON_OPTION],
  },
  audit: {
    summary: "Walk the audit log's hash chain and name the first row that does not hold.",
    usage: ["audit verify"],
    notes: ["Exit code 1 when a row was changed or removed."],
  },
  backup: {
    summary: "Write everything into one file, from one consistent snapshot, while the service runs.",
    usage: ["backup FILE"],
    notes: ["Keep the secret (DATA_DIR/secret or CONNECTOR_SECRET) with it: without it no key in the backup works."],
    examples: ["backup connector-2026-11-15.backup"],
  },
  restore: {
    summary: "Fill an empty store from a backup; all or nothing. An older backup is migrated.",
    usage: ["restore FILE [--without-secret]"],
    options: [
      [
        "--without-secret",
        "Restore although the secret is another one. Every key and webhook secret of the backup is then useless.",
      ],
    ],
  },
  geodata: {
    summary: "Teach the geocoder: a GeoNames postal or places file, an OpenAddresses CSV, an .osm or .osm.pbf.",
    usage: [
      "geodata import FILE… [--country CC] [--into DIR]",
      "geodata list [--into DIR]",
      "geodata remove NAME [--into DIR]",
    ],
    notes: ["A running service sees a change within seconds."],
    options: [
      ["--country CC", "The country of a file that does not name one, in two letters."],
      ["--into DIR", "Another folder than DATA_DIR/geodata."],
    ],
  },
  stock: {
    summary:
      "Import a directory of securities (CSV or Nasdaq Trader files), which replaces the import before; load recorded prices at their own dates.",
    usage: [
      "stock import FILE… [--json]",
      "stock replay FILE --account ID [--mode test|live] [--currency USD] [--json]",
    ],
    options: [JSON_OPTION],
  },
  try: {
    summary: "Ask an engine one question, offline.",
    usage: [
      "try geocode ADDRESS [--country CC] [--near LAT,LON]",
      "try eta FROM TO [--time TIME] [--vehicle bicycle]",
      "try price TEXT [--locale de-DE]",
      "try page FILE --url URL",
      "try quote SYMBOL [TIME]",
      "try calendar MIC [TIME]",
      "try query QUERY TEXT|FILE",
      "try feed FILE",
      "try hashtags TEXT",
      "try detect TEXT|FILE [--detail basic|full]",
      "try NAME -",
    ],
    options: [
      ["--country CC", "geocode: the country an address is in when it does not say."],
      ["--near LAT,LON", "geocode: prefer places near this point."],
      ["--time TIME", "eta: when the courier sets out."],
      ["--vehicle VEHICLE", "eta: car, van, truck, motorbike, bicycle or foot."],
      ["--locale TAG", "price, page: how numbers are written, e.g. de-DE."],
      ["--hint CURRENCY", "price: the currency where the text names none."],
      ["--url URL", "page: the address the file came from."],
      ["--selector CSS", "page: where the price stands."],
      ["--variant TEXT", "page: which variant is meant."],
      ["--type TYPE", "feed: its media type, e.g. application/rss+xml."],
      ["--detail LEVEL", "detect: basic or full."],
      ["--title TEXT", "query: the title of the content."],
      ["--lang TAG", "query: the language of the content."],
      ["--geodata DIR", "geocode, eta: another folder than DATA_DIR/geodata."],
    ],
    notes: ["`try NAME -` reads JSON lines from standard input and writes JSON lines."],
    examples: ['try geocode "10 Downing St, London"', 'try query "kettle AND steel" "A steel kettle for 20 euros"'],
  },
};
