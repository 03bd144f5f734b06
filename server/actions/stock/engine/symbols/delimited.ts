// Comma, pipe, semicolon or tab separated text with a header row, quotes and all. Knows nothing of symbols.

/** Rows as objects by header name; short rows leave the rest empty. */
export function readDelimited(text: string): Record<string, string>[] {
  const clean = text.replace(/^\uFEFF/, "");
  const headerLine = clean.slice(0, clean.indexOf("\n") < 0 ? undefined : clean.indexOf("\n"));
  const separator = [",", "|", ";", "\t"]
    .map((s) => [s, headerLine.split(s).length] as const)
    .sort((a, b) => b[1] - a[1])[0][0];
  const [header, ...rows] = split(clean, separator);
  if (!header) return [];
  const names = header.map((n) => n.trim());
  return rows
    .filter((r) => r.some((c) => c.trim()))
    .map((r) => Object.fromEntries(names.map((n, i) => [n, (r[i] ?? "").trim()])));
}

function split(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"' && cell === "") quoted = true;
    else if (c === separator) {
      row.push(cell);
      cell = "";
    } else if (c === "\n") {
      row.push(cell.replace(/\r$/, ""));
      rows.push(row);
      row = [];
      cell = "";
    } else cell += c;
  }
  if (cell || row.length) rows.push([...row, cell]);
  return rows;
}
