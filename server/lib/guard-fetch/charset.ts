// Bytes to text as a browser would: byte order mark, then Content-Type, then what the document says of itself.

const SNIFF_BYTES = 1024;

export function decodeText(body: Uint8Array, contentType: string | null): string {
  const mark = byteOrderMark(body);
  const label = mark ?? usable(charsetOf(contentType)) ?? usable(declared(body));
  if (label) return new TextDecoder(label).decode(body);
  // Undeclared and not UTF-8 is nearly always Western European, and windows-1252 never fails.
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return new TextDecoder("windows-1252").decode(body);
  }
}

function charsetOf(contentType: string | null): string | null {
  const match = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]+))/i.exec(contentType ?? "");
  return match ? (match[1] ?? match[2] ?? match[3]).trim() : null;
}

function byteOrderMark(body: Uint8Array): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  return null;
}

function declared(body: Uint8Array): string | null {
  const head = new TextDecoder("windows-1252").decode(body.subarray(0, SNIFF_BYTES));
  const xml = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']/.exec(head);
  const meta = /<meta[^>]*?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]+)/i.exec(head);
  const label = (xml ?? meta)?.[1] ?? null;
  // We could read the declaration as ASCII, so it cannot be UTF-16: the standard's own rule.
  return label && /^utf-16/i.test(label) ? "utf-8" : label;
}

function usable(label: string | null): string | null {
  if (!label) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
