// Dates in feeds: ISO 8601 and variants, RFC 822, asctime, and some languages. Gives milliseconds, or null rather than a
// guess that cannot be right.

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
// Minutes east of Greenwich.
const ZONES: Record<string, number> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  "etc/gmt": 0,
  wet: 0,
  west: 60,
  bst: 60,
  cet: 60,
  met: 60,
  cest: 120,
  mest: 120,
  mesz: 120,
  mez: 60,
  eet: 120,
  eest: 180,
  msk: 180,
  ast: -240,
  adt: -180,
  at: -240,
  est: -300,
  edt: -240,
  et: -300,
  cst: -360,
  cdt: -300,
  ct: -360,
  mst: -420,
  mdt: -360,
  mt: -420,
  pst: -480,
  pdt: -420,
  pt: -480,
  akst: -540,
  akdt: -480,
  hst: -600,
  jst: 540,
  kst: 540,
  ist: 330,
  aest: 600,
  aedt: 660,
  acst: 570,
  awst: 480,
  nzst: 720,
  nzdt: 780,
  sgt: 480,
  hkt: 480,
  a: -60,
  n: 60,
  m: -720,
  y: 720,
};
const GREEK: Record<string, number> = {
  ιαν: 1,
  φεβ: 2,
  μάώ: 3,
  μαώ: 3,
  μαρ: 3,
  απρ: 4,
  μάι: 5,
  μαϊ: 5,
  μαι: 5,
  ιούν: 6,
  ιον: 6,
  ιουν: 6,
  ιούλ: 7,
  ιολ: 7,
  ιουλ: 7,
  αύγ: 8,
  αυγ: 8,
  σεπ: 9,
  οκτ: 10,
  νοέ: 11,
  νοε: 11,
  δεκ: 12,
};
const HUNGARIAN: Record<string, number> = {
  január: 1,
  februári: 2,
  február: 2,
  március: 3,
  április: 4,
  máujus: 5,
  május: 5,
  június: 6,
  július: 7,
  augusztus: 8,
  szeptember: 9,
  október: 10,
  november: 11,
  december: 12,
};

export function parseFeedDate(source: string): number | null {
  const text = source.trim().replace(/\s+/g, " ");
  if (text === "" || text.length > 100) return null;
  for (const reader of [iso, compact, slashes, spoken, korean]) {
    const time = reader(text);
    if (time !== null && Number.isFinite(time)) return time;
  }
  return null;
}

function utc(year: number, month: number, day: number, hour = 0, minute = 0, second = 0, offset = 0): number | null {
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 && day > 29) return null;
  date.setUTCHours(hour, minute, Math.floor(second), Math.round((second % 1) * 1000));
  return date.getTime() - offset * 60_000;
}

/** Two digits mean this century up to 2068, as POSIX has it. */
function century(year: string): number {
  const value = Number(year);
  return year.length > 2 ? value : value < 69 ? 2000 + value : 1900 + value;
}

function zone(text: string | undefined): number | null {
  if (!text) return 0;
  const numeric = /^(?:gmt|utc)?\s*([+-])(\d{1,2}):?(\d{2})?$/i.exec(text);
  if (numeric && (Number(numeric[2]) > 24 || Number(numeric[3] ?? 0) > 59)) return null;
  if (numeric) return (numeric[1] === "-" ? -1 : 1) * (Number(numeric[2]) * 60 + Number(numeric[3] ?? 0));
  return ZONES[text.toLowerCase()] ?? null;
}

function iso(text: string): number | null {
  const hungarian = text.replace(/^(\d{4})-([^\d-]+)-/, (whole, year, month) =>
    HUNGARIAN[month.toLowerCase()] ? `${year}-${HUNGARIAN[month.toLowerCase()]}-` : whole,
  );
  const m =
    /^(\d{4})(?:-(\d{1,3})(?:-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?\s*(Z|[+-]\d{1,2}:?\d{0,2}|[A-Z]{1,5})?)?)?)?$/i.exec(
      hungarian,
    );
  if (!m) return null;
  const offset = zone(m[7]);
  if (offset === null && /\d/.test(m[7])) return null;
  return utc(
    Number(m[1]),
    Number(m[2] ?? 1),
    Number(m[3] ?? 1),
    Number(m[4] ?? 0),
    Number(m[5] ?? 0),
    Number((m[6] ?? "0").replace(",", ".")),
    offset ?? 0,
  );
}

/** ISO 8601 without dashes, with two-digit years, ordinal days. */
function compact(text: string): number | null {
  const time = "(?:T?(\\d{2}):?(\\d{2})(?::?(\\d{2})(?:\\.\\d+)?)?\\s*(Z|[+-]\\d{2}:?\\d{0,2})?)?$";
  const at = (m: RegExpExecArray, i: number, y: number, mo: number, d: number) =>
    utc(y, mo, d, Number(m[i] ?? 0), Number(m[i + 1] ?? 0), Number(m[i + 2] ?? 0), zone(m[i + 3]) ?? 0);
  let m = new RegExp(`^(\\d{4})(\\d{2})(\\d{2})${time}`).exec(text);
  if (m) return at(m, 4, Number(m[1]), Number(m[2]), Number(m[3]));
  if ((m = new RegExp(`^(\\d{4})-?(\\d{3})${time}`).exec(text))) {
    const first = utc(Number(m[1]), 1, 1, Number(m[3] ?? 0), Number(m[4] ?? 0), Number(m[5] ?? 0), zone(m[6]) ?? 0);
    return first === null ? null : first + (Number(m[2]) - 1) * 86_400_000;
  }
  if ((m = /^(\d{2})-?(\d{2})-?(\d{2})$/.exec(text))) return utc(century(m[1]), Number(m[2]), Number(m[3]));
  if ((m = /^(\d{2})-?(\d{3})$/.exec(text))) return (utc(century(m[1]), 1, 1) ?? NaN) + (Number(m[2]) - 1) * 86_400_000;
  if ((m = /^-(\d{2})-?(\d{2})$/.exec(text))) return utc(century(m[1]), Number(m[2]), 1);
  if ((m = /^-(\d{2})$/.exec(text))) return utc(century(m[1]), 1, 1);
  return null;
}

function slashes(text: string): number | null {
  const m =
    /^(?:\w{3,9},? )?(\d{4})\/(\d{1,2})\/(\d{1,2})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?(?: ?([+-]\d{4}|[A-Z]{1,5}))?$/i.exec(
      text,
    );
  return (
    m &&
    utc(
      Number(m[1]),
      Number(m[2]),
      Number(m[3]),
      Number(m[4] ?? 0),
      Number(m[5] ?? 0),
      Number(m[6] ?? 0),
      zone(m[7]) ?? 0,
    )
  );
}

/** RFC 822, asctime and what people make of them: words in any order. */
function spoken(text: string): number | null {
  let day: number | null = null;
  let month: number | null = null;
  let year: string | null = null;
  let clock: number[] = [0, 0, 0];
  let offset = 0;
  for (const word of text.replace(/,/g, " ").split(" ").filter(Boolean)) {
    const lower = word.toLowerCase().replace(/\.$/, "");
    const time = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d+)?)?$/.exec(lower);
    if (time) clock = [Number(time[1]), Number(time[2]), Number(time[3] ?? 0)];
    else if (month === null && monthOf(lower) > 0) month = monthOf(lower);
    else if (/^\d{1,2}$/.test(lower) && day === null) day = Number(lower);
    else if (/^\d{2,4}$/.test(lower) && year === null) year = lower;
    else if (/^[+-]\d{2}:?\d{2}$|^(?:gmt|utc)[+-]/.test(lower)) offset = zone(lower) ?? 0;
    else if (ZONES[lower] !== undefined) offset = ZONES[lower];
    else {
      const joined = /^(\d{1,2})-(\D+)-(\d{2,4})$/.exec(lower);
      if (joined && monthOf(joined[2]) > 0) {
        day = Number(joined[1]);
        month = monthOf(joined[2]);
        year = joined[3];
      } else if (/[:+]/.test(lower)) return null;
    }
  }
  if (day === null || month === null || year === null) return null;
  return utc(century(year), month, day, clock[0], clock[1], clock[2], offset);
}

function monthOf(word: string): number {
  if (/^[a-z]{3,9}$/.test(word) && !/^(?:mon|mond)/.test(word)) {
    const index = MONTHS.indexOf(word.slice(0, 3));
    if (index >= 0) return index + 1;
  }
  return GREEK[word] ?? GREEK[word.slice(0, 4)] ?? GREEK[word.slice(0, 3)] ?? 0;
}

function korean(text: string): number | null {
  const onblog = /^(\d{4})년 (\d{2})월 (\d{2})일 ?(\d{2}):(\d{2}):(\d{2})$/.exec(text);
  if (onblog) return utc(...(onblog.slice(1).map(Number) as [number, number, number, number, number, number]), 540);
  const nate = /^(\d{4})-(\d{2})-(\d{2}) (오전|오후) (\d{1,2}):(\d{1,2}):(\d{1,2})$/.exec(text);
  if (!nate) return null;
  const hour = (Number(nate[5]) % 12) + (nate[4] === "오후" ? 12 : 0);
  return utc(Number(nate[1]), Number(nate[2]), Number(nate[3]), hour, Number(nate[6]), Number(nate[7]), 540);
}
