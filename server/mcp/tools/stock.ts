// Tools of shares, markets and price levels.
import { TAGS, type ToolSpec } from "./spec.ts";

export const STOCK_TOOLS: ToolSpec[] = [
  {
    name: "get_stock_quote",
    title: "Quote of a share",
    route: "stock.quote",
    description:
      "Price of shares, funds, currencies or coins now, each labelled real-time, delayed, stale or simulated. For a company's name use find_stock_symbol first.",
    arguments: {
      symbols: { to: "body.symbols", text: 'Tickers or ISINs, e.g. ["AAPL","VOD.L"].', required: true },
      require: { to: "body.require", text: "Refuse quotes that are worse than this." },
    },
    readOnly: true,
    idempotent: true,
    openWorld: true,
  },
  {
    name: "find_stock_symbol",
    title: "Find a ticker",
    route: "stock.symbols",
    description: "Search securities by company name, ticker or ISIN.",
    arguments: { name: { to: "query.q", text: "Company, ticker or ISIN.", required: true } },
    readOnly: true,
    idempotent: true,
  },
  {
    name: "get_market_hours",
    title: "Is a market open",
    route: "stock.market",
    description: "Whether a stock exchange is open, now or at a time, its trading hours and holidays.",
    arguments: {
      market: {
        to: "params.mic",
        text: "MIC: XNYS New York, XNAS Nasdaq, XLON London, XETR Frankfurt, XPAR Paris, XTKS Tokyo, XHKG Hong Kong.",
        required: true,
      },
      at: { to: "query.at", text: "ISO 8601 time; now unless given." },
      from: { to: "query.from", text: "First day of sessions to list." },
      to: { to: "query.to", text: "Last day." },
    },
    readOnly: true,
    idempotent: true,
  },
  {
    name: "create_price_level",
    title: "Watch a share's price",
    route: "stock.levels.create",
    description:
      "Raise an event when a share, currency or coin crosses a price. For products in shops use track_product.",
    arguments: {
      symbol: { to: "body.symbol", text: "Ticker or ISIN.", required: true },
      above: { to: "body.above", text: 'Rises to this, e.g. "250.00".' },
      below: { to: "body.below", text: "Falls to this." },
      percent: { to: "body.percent", text: "Moves by this many percent." },
      tags: TAGS,
    },
    readOnly: false,
    idempotent: true,
  },
];
