// Reads the CSV of OpenAddresses: one house a line, columns by name.
import type { ImportedRow } from "./imported-row.ts";

/** A reader for the lines under this header, or null when it is not such a file. */
export function openAddressesReader(header: string, country: string): ((line: string) => ImportedRow | null) | null {
  const names = splitCsv(header.replace(/^\uFEFF/, "")).map((name) => name.trim().toLowerCase());
  const col = (name: string) => names.indexOf(name);
  const [lon, lat, number, street, city, postcode] = ["lon", "lat", "number", "street", "city", "postcode"].map(col);
  if (lon < 0 || lat < 0 || number < 0 || street < 0) return null;
  return (line) => {
    const f = splitCsv(line);
    if (!f[street] || !f[lat]) return null;
    return {
      kind: "address",
      country,
      name: f[street].trim(),
      number: (f[number] ?? "").trim(),
      place: f[city]?.trim() || f[postcode]?.trim() || undefined,
      lat: Number(f[lat]),
      lon: Number(f[lon]),
    };
  };
}

function splitCsv(line: string): string[] {
  if (!line.includes('"')) return line.split(",");
  const fields: string[] = [];
  let field = "";
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (quoted && c === '"' && line[i + 1] === '"') field += line[++i];
    else if (c === '"') quoted = !quoted;
    else if (c === "," && !quoted) {
      fields.push(field);
      field = "";
    } else field += c;
  }
  return [...fields, field];
}
