// Open Location Codes ("plus codes"): find, decode, and complete a short one near a place. Written from the public specification.

const ALPHABET = "23456789CFGHJMPQRVWX";
const PAIR_DIGITS = 10;
const SEPARATOR_AT = 8;
const GRID_ROWS = 5;
const GRID_COLUMNS = 4;
const PATTERN =
  /(?:^|[\s,])((?:[23456789CFGHJMPQRV][23456789CFGHJMPQRVWX](?:[23456789CFGHJMPQRVWX]{2}){0,3})\+[23456789CFGHJMPQRVWX]{2,7})(?=$|[\s,])/i;

export interface FoundCode {
  code: string;
  /** Eight digits before the plus: it needs no place beside it. */
  full: boolean;
  /** The text without the code. */
  rest: string;
}

export function findPlusCode(text: string): FoundCode | null {
  const match = PATTERN.exec(text);
  if (!match) return null;
  const code = match[1].toUpperCase();
  const rest = (text.slice(0, match.index) + text.slice(match.index + match[0].length)).replace(/^[\s,]+|[\s,]+$/g, "");
  return { code, full: code.indexOf("+") === SEPARATOR_AT, rest };
}

/** The middle of the code's cell. */
export function decodePlusCode(code: string): { lat: number; lon: number; radius_km: number } | null {
  const digits = code.replace("+", "");
  let lat = -90;
  let lon = -180;
  let height = 20;
  let width = 20;
  for (let i = 0; i < Math.min(digits.length, PAIR_DIGITS); i += 2) {
    if (i > 0) {
      height /= 20;
      width /= 20;
    }
    lat += ALPHABET.indexOf(digits[i]) * height;
    lon += ALPHABET.indexOf(digits[i + 1]) * width;
  }
  for (const digit of digits.slice(PAIR_DIGITS)) {
    const value = ALPHABET.indexOf(digit);
    height /= GRID_ROWS;
    width /= GRID_COLUMNS;
    lat += Math.floor(value / GRID_COLUMNS) * height;
    lon += (value % GRID_COLUMNS) * width;
  }
  if (lat >= 90 || lon >= 180) return null;
  return { lat: lat + height / 2, lon: lon + width / 2, radius_km: (height * 111.2) / 2 };
}

/** A code of ten digits for a point. */
function encodePlusCode({ lat, lon }: { lat: number; lon: number }): string {
  let y = Math.min(Math.max(lat, -90), 90 - 1e-9) + 90;
  let x = (((lon + 180) % 360) + 360) % 360;
  let code = "";
  for (let step = 20, i = 0; i < PAIR_DIGITS; i += 2, step /= 20) {
    code += ALPHABET[Math.floor(y / step)] + ALPHABET[Math.floor(x / step)];
    y %= step;
    x %= step;
  }
  return `${code.slice(0, SEPARATOR_AT)}+${code.slice(SEPARATOR_AT)}`;
}

/** The full code of a short one: of all cells with these last digits, the nearest to the place. */
export function recoverPlusCode(short: string, near: { lat: number; lon: number }): string | null {
  const missing = SEPARATOR_AT - short.indexOf("+");
  if (missing <= 0 || missing % 2 !== 0) return null;
  const step = 20 ** (2 - missing / 2);
  const code = encodePlusCode(near).slice(0, missing) + short;
  const cell = decodePlusCode(code);
  if (!cell) return null;
  const nudge = (from: number, to: number) => (to - from > step / 2 ? step : from - to > step / 2 ? -step : 0);
  const lat = cell.lat + nudge(cell.lat, near.lat);
  const lon = cell.lon + nudge(cell.lon, near.lon);
  return encodePlusCode({ lat, lon }).slice(0, missing) + short;
}
