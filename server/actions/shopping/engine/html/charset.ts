// From the bytes of a page to its text: which encoding it is in, by the order browsers use.
import { isUtf8 } from "node:buffer";

const LABELS = new Set(
  `utf-8 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258
iso-8859-1 iso-8859-2 iso-8859-5 iso-8859-7 iso-8859-9 iso-8859-15 koi8-r koi8-u gbk gb2312 gb18030 big5 euc-jp shift_jis iso-2022-jp euc-kr
macintosh utf-16le utf-16be ks_c_5601-1987 x-sjis latin1 ascii us-ascii utf8`.split(/\s+/),
);

export function decodePage(bytes: Uint8Array, contentType?: string | null): string {
  const declared = byMark(bytes) ?? label(/charset\s*=\s*["']?([\w-]+)/i.exec(contentType ?? "")?.[1]) ?? byMeta(bytes);
  if (declared && declared !== "utf-8" && declared !== "utf8") {
    try {
      return new TextDecoder(declared).decode(bytes);
    } catch {
      // An encoding this runtime does not carry: the guess below is better than nothing.
    }
  }
  if (declared) return utf8.decode(bytes);
  try {
    return strict.decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * The page for the scanner: markup is ASCII, so a UTF-8 page is scanned byte by byte as it is (half the memory, no decoding)
 * and only the texts that are asked for are decoded. Any other encoding is decoded first.
 */
export function openPage(bytes: Uint8Array, contentType?: string | null): { source: string; utf8: boolean } {
  const declared = byMark(bytes) ?? label(/charset\s*=\s*["']?([\w-]+)/i.exec(contentType ?? "")?.[1]) ?? byMeta(bytes);
  const isUtf = declared === "utf-8" || declared === "utf8" || (declared === null && isUtf8(bytes));
  if (!isUtf) return { source: decodePage(bytes, contentType), utf8: false };
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1", start);
  return { source, utf8: true };
}

const utf8 = new TextDecoder("utf-8");
const strict = new TextDecoder("utf-8", { fatal: true });

function byMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
}

function byMeta(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString("latin1");
  const meta =
    /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]+)/i.exec(head) ??
    /<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]+)/i.exec(head);
  const found = label(meta?.[1]);
  return found?.startsWith("utf-16") ? "utf-8" : found;
}

function label(name: string | undefined): string | null {
  const lower = name?.toLowerCase();
  return lower && LABELS.has(lower) ? lower : null;
}
