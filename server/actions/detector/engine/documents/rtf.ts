// The text of an RTF file: a state machine over groups and control words. Pictures, fonts, styles and fields' codes are skipped.
const MAX_DEPTH = 500;

/** Destinations whose content is no text of the document. */
const SKIPPED = new Set(
  "fonttbl colortbl stylesheet info pict object header footer headerl headerr footerl footerr footnote fldinst themedata colorschememapping datastore latentstyles listtable listoverridetable rsidtbl generator xmlnstbl mmathPr annotation atnid atnauthor".split(
    " ",
  ),
);
const CHARACTERS: Record<string, string> = {
  par: "\n\n",
  line: "\n",
  tab: "\t",
  cell: "\t",
  row: "\n",
  sect: "\n\n",
  page: "\n\n",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
};

interface Group {
  skipped: boolean;
  /** How many characters stand in for one \u escape, to be passed over. */
  fallback: number;
}

export function rtfText(file: Uint8Array): string {
  const source = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString("latin1");
  const decoder = new TextDecoder("windows-1252");
  const groups: Group[] = [{ skipped: false, fallback: 1 }];
  let out = "";
  let toSkip = 0;
  let at = 0;
  const top = () => groups[groups.length - 1];
  const put = (text: string) => {
    if (toSkip > 0) toSkip--;
    else if (!top().skipped) out += text;
  };
  const control = /\\(?:([a-zA-Z]{1,32})(-?\d{1,10})? ?|'([0-9a-fA-F]{2})|([^a-zA-Z]))/y;
  while (at < source.length) {
    const mark = source[at];
    if (mark === "{") {
      if (groups.length < MAX_DEPTH) groups.push({ ...top() });
      at++;
    } else if (mark === "}") {
      if (groups.length > 1) groups.pop();
      toSkip = 0;
      at++;
    } else if (mark === "\\") {
      control.lastIndex = at;
      const match = control.exec(source);
      if (!match) break;
      at = control.lastIndex;
      const [, word, number, hex, sign] = match;
      if (hex) put(decoder.decode(Uint8Array.of(Number.parseInt(hex, 16))));
      else if (sign === "*") top().skipped = true;
      else if (sign) put(sign === "~" ? " " : "{}\\".includes(sign) ? sign : "");
      else if (word === "bin") at += Math.max(0, Number(number) || 0);
      else if (word === "uc") top().fallback = Math.min(8, Math.max(0, Number(number) || 0));
      else if (word === "u") {
        toSkip = 0;
        put(String.fromCharCode(Number(number) & 0xffff));
        toSkip = top().fallback;
      } else if (SKIPPED.has(word)) top().skipped = true;
      else if (CHARACTERS[word] !== undefined) put(CHARACTERS[word]);
    } else {
      const end = nextMark(source, at);
      for (; at < end && toSkip > 0; at++) toSkip--;
      if (!top().skipped) out += source.slice(at, end).replace(/[\r\n]/g, "");
      at = end;
    }
  }
  return out.replace(/\n{3,}/g, "\n\n").trim();
}

function nextMark(source: string, at: number): number {
  let end = at;
  while (end < source.length && !"{}\\".includes(source[end])) end++;
  return end;
}
