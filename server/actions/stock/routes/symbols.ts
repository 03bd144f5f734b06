// GET /stock/symbols: search the directory of securities.
import { handle, type CallOf, type Handler } from "../../../contract/define.ts";
import { readPage } from "../../../platform/pages.ts";
import type { Platform } from "../../../platform/platform.ts";
import * as contract from "../contract/index.ts";
import type { Securities } from "../securities.ts";
import { viewInstrument } from "../view.ts";

export interface SymbolDeps {
  platform: Platform;
  securities: Securities;
}

function searchSymbols({ platform, securities }: SymbolDeps, call: CallOf<typeof contract.symbols>) {
  const { q } = call.query;
  return readPage({
    cursors: platform.cursors,
    list: `stock.symbols:${q}`,
    query: call.query,
    async read(after, count) {
      const offset = after === null ? 0 : Number(after);
      return securities
        .search(q, offset + count)
        .slice(offset)
        .map((instrument, i) => ({ instrument, position: String(offset + i + 1) }));
    },
    position: (row) => row.position,
    view: (row) => viewInstrument(row.instrument),
  });
}

export const symbolRoutes = (deps: SymbolDeps): Handler[] => [
  handle(contract.symbols, (call) => searchSymbols(deps, call)),
];
