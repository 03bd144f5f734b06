// Wall-clock time of a time zone at a given instant. Reads no clock.

const formats = new Map<string, Intl.DateTimeFormat>();
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

export interface LocalTime {
  /** 0–24 with fraction. */
  hour: number;
  /** 0 Sunday … 6 Saturday. */
  weekday: number;
}

/** Falls back to UTC where the zone is unknown. */
export function localTime(atMs: number, timeZone: string | null): LocalTime {
  const parts = formatOf(timeZone ?? "UTC").formatToParts(atMs);
  const get = (type: string) => parts.find((p) => p.type === type)!.value;
  return { hour: Number(get("hour")) + Number(get("minute")) / 60, weekday: WEEKDAYS.indexOf(get("weekday")) };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    const options = { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
    try {
      format = new Intl.DateTimeFormat("en-US", { ...options, timeZone });
    } catch {
      format = new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
    }
    formats.set(timeZone, format);
  }
  return format;
}
