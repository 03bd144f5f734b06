// What each command for users of a server does and takes. Plain JavaScript without dependencies: see ../catalog.mjs.

/** @type {[string, string][]} */
const CONNECTION = [
  ["--profile NAME", "Another profile than the current one (CONNECTOR_PROFILE)."],
  ["--url URL", "The address of the server (CONNECTOR_URL), instead of a profile's."],
  ["--key KEY", "The key (CONNECTOR_API_KEY), instead of a profile's."],
  ["--json", "Print JSON for scripts: the answer as it came, or one object per line."],
];
const LIMIT = /** @type {[string, string]} */ (["--limit N", "End after so many."]);

/** @satisfies {Record<string, import("../catalog.mjs").CommandHelp>} */
export const userCatalog = {
  login: {
    summary: "Keep the address and the key of a server, so that no other command has to name them.",
    usage: ["login [--url URL] [--key KEY] [--profile NAME]", "login --list", "login --remove [--profile NAME]"],
    options: [
      ["--url URL", "The address of the server. Default: http://127.0.0.1:8080."],
      ["--key KEY", "A key of that server. Without it the key is asked for, or read from standard input."],
      ["--profile NAME", "What to call it; several servers can be kept. It becomes the current one. Default: default."],
      ["--list", "List the profiles."],
      ["--remove", "Forget a profile."],
      ["--json", "Print JSON."],
    ],
    notes: ["Kept in XDG_CONFIG_HOME/action-connector/profiles.json, which only its owner can read."],
    examples: ["login --url https://connector.example.com --profile work", "login --list"],
  },
  schedule: {
    summary: "Schedule a pickup and delivery.",
    usage: ["schedule FROM TO [--time asap] [--follow]"],
    options: [
      ["--time TIME", "When to pick up: asap, or e.g. 2026-12-01T15:00:00Z. Default: asap."],
      ["--notes TEXT", "What the courier should know."],
      ["--vehicle VEHICLE", "car, van, truck, motorbike, bicycle or foot."],
      ["--tags LIST", "Labels, separated by commas."],
      ["--follow", "Show every step until it is delivered."],
      ["--dry-run", "Estimate the arrival and schedule nothing."],
      ...CONNECTION,
    ],
    examples: ['schedule "350 5th Ave, New York" "Downtown Brooklyn"', "schedule Berlin Potsdam --dry-run"],
  },
  track: {
    summary: "Watch the price of a product page, or follow a delivery.",
    usage: ["track URL [--target 39.90]", "track DELIVERY_ID [--follow]", "track"],
    options: [
      ["--target PRICE", "Alert when the price is at or below this."],
      ["--drop PERCENT", "Alert when the price falls by at least this much."],
      ["--once", "Read the page now and track nothing."],
      ["--follow", "Show every change as it happens."],
      LIMIT,
      ...CONNECTION,
    ],
    notes: ["Without a word it lists what is tracked."],
    examples: ["track http://127.0.0.1:8080/demo-shop/kettle --target 40.00", "track dlv_… --follow"],
  },
  quote: {
    summary: "Quote shares.",
    usage: ["quote SYMBOL… [--follow]"],
    options: [["--follow", "Show every new price as it comes."], LIMIT, ...CONNECTION],
    examples: ["quote AAPL MSFT", "quote AAPL --follow"],
  },
  alert: {
    summary: "Create an alert on words, tags or a query; list alerts.",
    usage: ["alert QUERY [--notify ADDRESS,…] [--follow]", "alert QUERY --dry-run", "alert"],
    options: [
      ["--name NAME", "What you call it."],
      ["--notify LIST", "Mail addresses or https addresses, separated by commas. Default: the stream alone."],
      ["--dry-run", "Show what recent content would have matched, and create nothing."],
      ["--follow", "Show every match as it happens."],
      LIMIT,
      ...CONNECTION,
    ],
    examples: ['alert "kettle AND price<30" --notify me@example.com', 'alert "#harbour" --follow'],
  },
  analyze: {
    summary: "Check texts, documents and images for signs of AI generation.",
    usage: ["analyze FILE…", "analyze -", "analyze --text TEXT"],
    options: [
      ["--text TEXT", "The text itself."],
      ["--sensitivity SHARE", "The share of human texts you accept to be flagged: 0.002, 0.005, 0.01 or 0.05."],
      ...CONNECTION,
    ],
    notes: ["Several files are judged in the background, with a line of progress. - reads standard input."],
    examples: ["analyze essay.txt", "analyze *.pdf --json"],
  },
  events: {
    summary: "Follow the events of the account as they happen.",
    usage: ["events tail [--type delivery.*,stock.*] [--after EVENT_ID]"],
    options: [
      ["--type LIST", "Only these types, separated by commas; delivery.* stands for a family."],
      ["--after EVENT_ID", "Begin behind this event instead of now."],
      LIMIT,
      ...CONNECTION,
    ],
    notes: ["A broken connection is opened again and goes on behind the last event. Ctrl+C ends it."],
    examples: ["events tail", "events tail --type delivery.* --json"],
  },
  webhooks: {
    summary: "Receive the account's events on this machine: forward them, signed, to a local address.",
    usage: ["webhooks listen --forward-to URL [--type delivery.*]"],
    options: [
      ["--forward-to URL", "Where your receiver listens, e.g. http://127.0.0.1:3000/hook or 3000/hook."],
      ["--type LIST", "Only these types, separated by commas."],
      ["--after EVENT_ID", "Begin behind this event instead of now."],
      LIMIT,
      ...CONNECTION,
    ],
    notes: [
      "Body and headers are those of a real webhook; the secret is printed and stays the same for the profile.",
      "No webhook is made on the server, and no public address is needed.",
    ],
    examples: ["webhooks listen --forward-to http://127.0.0.1:3000/hook"],
  },
  trigger: {
    summary: "Make a real test event happen.",
    usage: ["trigger EVENT", "trigger --list"],
    options: [["--list", "List the events that can be made."], ...CONNECTION],
    notes: ["Only with a test key: it does what leads to the event, on simulated parties."],
    examples: ["trigger delivery.delivered", "trigger --list"],
  },
  logs: {
    summary: "Follow the requests of the account as the server saw them.",
    usage: ["logs tail [--status 4xx]"],
    options: [["--status STATUS", "Only these: a status such as 422, or a class such as 4xx."], LIMIT, ...CONNECTION],
    notes: ["Ctrl+C ends it."],
    examples: ["logs tail --status 4xx"],
  },
  mcp: {
    summary: "Serve the tools of a server to an MCP client over standard input and output.",
    usage: ["mcp --url URL --key KEY"],
    options: [
      ["--url URL", "The address of the server."],
      [
        "--key KEY",
        "A key of that server. Other users of the machine can see it in the list of processes: give it few scopes.",
      ],
    ],
    notes: ["Clients that speak HTTP need no command: they use URL/mcp. Subscriptions are served there only."],
    examples: ["mcp --url http://127.0.0.1:8080 --key acn_test_…"],
  },
};
