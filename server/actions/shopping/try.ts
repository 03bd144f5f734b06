// `connector try price|page`: the very engines that serve requests, asked one question.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Try } from "../../contract/try.ts";
import { extractPage } from "./engine/page/extract.ts";
import { parsePrice } from "./engine/price/parse.ts";

const bytesOf = (file: string): Uint8Array =>
  file.endsWith(".gz") ? gunzipSync(readFileSync(file)) : readFileSync(file);

export const tries: Record<string, Try> = {
  price: {
    usage: 'price "1.226 €" [--locale de-DE] [--hint TEXT]',
    ask: (words, flags) => parsePrice(words.join(" "), { locale: flags.locale, hint: flags.hint }),
    askRow: (row) =>
      parsePrice(row.input, {
        locale: row.locale,
        hint: row.hint ?? row.currencyHint,
        decimalSeparator: row.decimalSeparator,
      }),
  },
  page: {
    usage: "page FILE --url URL [--variant V] [--locale L] [--selector S]",
    ask: ([file], flags) =>
      extractPage({
        bytes: bytesOf(file!),
        url: flags.url ?? "https://shop.example/",
        variant: flags.variant,
        locale: flags.locale,
        selector: flags.selector,
      }),
    askRow: (row) =>
      extractPage({
        bytes: row.html !== undefined ? Buffer.from(row.html) : bytesOf(row.file),
        url: row.url ?? "https://shop.example/",
        variant: row.variant,
        locale: row.locale,
        selector: row.selector,
      }),
  },
};
