// GET /stock/symbols: search the directory of securities.
import type { Static } from "typebox";
import { handle, type Call, type Handler } from "../../../contract/define.ts";
import { readPage, type Platform } from "../../../platform/platform.ts";
import * as contract from "../contract/index.ts";
import type { Securities } from "../securities.ts";
import { viewInstrument } from "../view.ts";

export interface SymbolDeps {
  platform: Platform;
  securities: Securities;
}

type SearchCall = Call<unknown, Static<NonNullable<typeof contract.symbols.query>>>;

function searchSymbols({ platform, securities }: SymbolDeps, call: SearchCall) {
  const { q } = call.query;
  return readPage(
    platform.cursors,
    `stock.symbols:${q}`,
    call.query,
    async (after, count) => {
      const offset = after === null ? 0 : Number(after);
      return securities
        .search(q, offset + count)
        .slice(offset)
        .map((instrument, i) => ({ instrument, position: String(offset + i + 1) }));
    },
    (row) => row.position,
    (row) => viewInstrument(row.instrument),
  );
}

export const symbolRoutes = (deps: SymbolDeps): Handler[] => [
  handle(contract.symbols, (call) => searchSymbols(deps, call)),
];
