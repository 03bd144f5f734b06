// JSON as shops write it: comments, CDATA, trailing commas, raw line breaks in strings, a brace too many. Never throws;
// what cannot be read is left out, and what can be read is kept. Linear in the text.

/** Every top-level value of the text. */
export function parseLoose(text: string): unknown[] {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  try {
    return [JSON.parse(trimmed)];
  } catch {
    return new LooseReader(trimmed).values();
  }
}

const DEPTH_MAX = 200;
const NOTHING = Symbol("nothing");

/** The next place of a mark at or behind a position that only grows: the text is searched once, however often it is asked. */
class NextPlace {
  private found: number | null = null;
  private readonly text: string;
  private readonly mark: string;

  constructor(text: string, mark: string) {
    this.text = text;
    this.mark = mark;
  }

  from(at: number): number {
    if (this.found === null || (this.found >= 0 && this.found < at)) this.found = this.text.indexOf(this.mark, at);
    return this.found;
  }
}

class LooseReader {
  private at = 0;
  private readonly text: string;
  private readonly commentEnd: NextPlace;
  private readonly brace: NextPlace;

  constructor(text: string) {
    this.text = text;
    this.commentEnd = new NextPlace(text, "-->");
    this.brace = new NextPlace(text, "{");
  }

  values(): unknown[] {
    const out: unknown[] = [];
    while (this.at < this.text.length && out.length < 10_000) {
      this.skipTo();
      const value = this.at < this.text.length ? this.value(0) : NOTHING;
      if (value !== NOTHING && typeof value === "object" && value !== null) out.push(value);
    }
    return out;
  }

  /** To the next brace or bracket: what stands between values is not data. */
  private skipTo(): void {
    while (this.at < this.text.length) {
      const c = this.text.charCodeAt(this.at);
      if (c === 123 || c === 91) {
        if (c === 91 && this.text.startsWith("CDATA[", this.at + 1)) {
          this.at += 7;
          continue;
        }
        return;
      }
      if (c === 60 && this.text.startsWith("<!--", this.at)) {
        const end = this.commentEnd.from(this.at + 4);
        const brace = this.brace.from(this.at + 4);
        // `<!-- … -->` with the data inside is a wrapper; without, a remark.
        this.at = end >= 0 && (brace < 0 || end < brace) ? end + 3 : this.at + 4;
        continue;
      }
      this.at++;
    }
  }

  private blank(): void {
    const { text } = this;
    while (this.at < text.length) {
      const c = text.charCodeAt(this.at);
      if (c <= 32 || c === 0xa0 || c === 0xfeff || c === 0x2028) {
        this.at++;
        continue;
      }
      if (c === 47 && text.charCodeAt(this.at + 1) === 42) {
        const end = text.indexOf("*/", this.at + 2);
        this.at = end < 0 ? text.length : end + 2;
        continue;
      }
      if (c === 47 && text.charCodeAt(this.at + 1) === 47) {
        const end = text.indexOf("\n", this.at + 2);
        this.at = end < 0 ? text.length : end + 1;
        continue;
      }
      return;
    }
  }

  private value(depth: number): unknown {
    this.blank();
    const c = this.text.charCodeAt(this.at);
    if (depth > DEPTH_MAX) {
      this.at = this.text.length;
      return NOTHING;
    }
    if (c === 123) return this.object(depth);
    if (c === 91) return this.array(depth);
    if (c === 34 || c === 39 || c === 96) return this.string(c);
    return this.word();
  }

  private object(depth: number): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    this.at++;
    while (this.at < this.text.length) {
      this.blank();
      const c = this.text.charCodeAt(this.at);
      if (c === 125) {
        this.at++;
        return out;
      }
      if (c === 44 || c === 59) {
        this.at++;
        continue;
      }
      if (c === 93) return out;
      const key = c === 34 || c === 39 ? this.string(c) : this.bareKey();
      this.blank();
      if (this.text.charCodeAt(this.at) !== 58) {
        if (key === "") this.at++;
        continue;
      }
      this.at++;
      const value = this.value(depth + 1);
      if (value !== NOTHING && key !== "__proto__") out[key] = value;
    }
    return out;
  }

  private array(depth: number): unknown[] {
    const out: unknown[] = [];
    this.at++;
    while (this.at < this.text.length) {
      this.blank();
      const c = this.text.charCodeAt(this.at);
      if (c === 93) {
        this.at++;
        return out;
      }
      if (c === 125) return out;
      if (c === 44) {
        this.at++;
        continue;
      }
      const before = this.at;
      const value = this.value(depth + 1);
      if (value !== NOTHING) out.push(value);
      if (this.at === before) this.at++;
    }
    return out;
  }

  private string(quote: number): string {
    const { text } = this;
    const parts: string[] = [];
    let from = ++this.at;
    while (this.at < text.length) {
      const c = text.charCodeAt(this.at);
      if (c === quote) break;
      if (c !== 92) {
        this.at++;
        continue;
      }
      parts.push(text.slice(from, this.at));
      const e = text[this.at + 1] ?? "";
      if (e === "u") {
        const code = Number.parseInt(text.slice(this.at + 2, this.at + 6), 16);
        if (!Number.isNaN(code)) parts.push(String.fromCharCode(code));
        this.at += 6;
      } else {
        parts.push(ESCAPES[e] ?? e);
        this.at += 2;
      }
      from = this.at;
    }
    parts.push(text.slice(from, this.at));
    this.at++;
    return parts.join("");
  }

  private bareKey(): string {
    const start = this.at;
    while (this.at < this.text.length && isKeyCharacter(this.text.charCodeAt(this.at))) this.at++;
    return this.text.slice(start, this.at);
  }

  private word(): unknown {
    const start = this.at;
    while (this.at < this.text.length && !endsWord(this.text.charCodeAt(this.at))) this.at++;
    const word = this.text.slice(start, this.at);
    if (word === "true" || word === "!0") return true;
    if (word === "false" || word === "!1") return false;
    if (word === "null" || word === "undefined" || word === "void") return null;
    const number = Number(word);
    return word !== "" && !Number.isNaN(number) ? number : NOTHING;
  }
}

/** Letters, digits, `_`, `$`, `@`, `.` and `-`. */
const isKeyCharacter = (c: number): boolean =>
  ((c | 32) >= 97 && (c | 32) <= 122) ||
  (c >= 48 && c <= 57) ||
  c === 95 ||
  c === 36 ||
  c === 64 ||
  c === 45 ||
  c === 46;
/** Blanks and `,` `]` `}` `:` `;` `[` `{` `"`. */
const endsWord = (c: number): boolean =>
  c <= 32 ||
  c === 0xa0 ||
  c === 44 ||
  c === 93 ||
  c === 125 ||
  c === 58 ||
  c === 59 ||
  c === 91 ||
  c === 123 ||
  c === 34;
const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };
