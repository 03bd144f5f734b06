// Wall-clock minutes of a time zone to UTC milliseconds. Offsets come from the runtime's time zone data, read once a
// year and zone; everything after that is arithmetic.

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

interface Shift {
  at: number;
  offsetMs: number;
}

export interface Zone {
  name: string;
  /** What to add to UTC to get the wall clock. */
  offsetAt(utcMs: number): number;
  /** The instant at which the wall shows `minutes` after midnight of the day. Minutes may be negative or past 1440. */
  toUtc(day: number, minutes: number): number;
  /** The wall-clock day at an instant. */
  dayAt(utcMs: number): number;
}

const ZONES = new Map<string, Zone>();

export function zoneOf(name: string): Zone {
  let zone = ZONES.get(name);
  if (!zone) ZONES.set(name, (zone = openZone(name)));
  return zone;
}

function openZone(name: string): Zone {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  const ask = (utcMs: number): number => {
    const text = format.format(utcMs);
    const found = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
    if (!found) throw new RangeError(`the offset of ${name} cannot be read from "${text}"`);
    const [, sign, hours, minutes, seconds] = found;
    if (!sign) return 0;
    return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1000;
  };
  const years = new Map<number, Shift[]>();
  const shiftsOf = (year: number): Shift[] => {
    let shifts = years.get(year);
    if (!shifts) years.set(year, (shifts = findShifts(year, ask)));
    return shifts;
  };
  const offsetAt = (utcMs: number): number => {
    const shifts = shiftsOf(new Date(utcMs).getUTCFullYear());
    let offset = shifts[0].offsetMs;
    for (let i = 1; i < shifts.length && shifts[i].at <= utcMs; i++) offset = shifts[i].offsetMs;
    return offset;
  };
  return {
    name,
    offsetAt,
    toUtc(day, minutes) {
      const wall = day * DAY_MS + minutes * MINUTE_MS;
      const guess = wall - offsetAt(wall);
      return wall - offsetAt(guess);
    },
    dayAt: (utcMs) => Math.floor((utcMs + offsetAt(utcMs)) / DAY_MS),
  };
}

/** The offset at the start of the year, then each change in it, found by looking every three weeks and halving. */
function findShifts(year: number, ask: (utcMs: number) => number): Shift[] {
  const start = Date.UTC(year, 0, 1);
  const end = Date.UTC(year + 1, 0, 1);
  const shifts: Shift[] = [{ at: start, offsetMs: ask(start) }];
  const step = 21 * DAY_MS;
  for (let left = start; left < end; left += step) {
    const right = Math.min(left + step, end);
    const before = shifts[shifts.length - 1].offsetMs;
    const after = ask(right);
    if (after === before) continue;
    let low = left;
    let high = right;
    while (high - low > MINUTE_MS) {
      const middle = Math.floor((low + high) / 2 / MINUTE_MS) * MINUTE_MS;
      if (ask(middle) === before) low = middle;
      else high = middle;
    }
    shifts.push({ at: high, offsetMs: after });
  }
  return shifts;
}
