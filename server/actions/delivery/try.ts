// `connector try geocode|eta`: single questions to the engines of this action, without a server.
import type { Try } from "../../contract/try.ts";
import { parseTime } from "../../lib/time.ts";
import { estimate, estimateDrive, type Vehicle, VEHICLES } from "./engine/eta/index.ts";
import type { Geocoder } from "./engine/geocoder/index.ts";
import { loadGeocoder } from "./providers/geodata/load.ts";

let opened: Geocoder | null = null;
const geocoder = (geodata?: string): Geocoder => (opened ??= loadGeocoder({ importedDir: geodata ?? null }));

interface EtaQuestion {
  from: string | { lat: number; lon: number };
  to: string | { lat: number; lon: number };
  /** With Z or an offset: an instant. Without: the wall clock at the pickup. */
  time: string;
  vehicle?: Vehicle;
}

function eta(question: EtaQuestion, geodata?: string) {
  const { from, to, vehicle } = question;
  if (vehicle && !VEHICLES.includes(vehicle)) throw new Error(`vehicle is one of ${VEHICLES.join(", ")}`);
  const place = (end: EtaQuestion["from"]) =>
    typeof end === "string" ? geocoder(geodata).geocode(end) : { ...end, precision: "rooftop", time_zone: null };
  const [a, b] = [place(from), place(to)];
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(question.time)) {
    if (a.precision === "none" || b.precision === "none") throw new Error("an end could not be placed");
    return local(a as never, b as never, question.time, vehicle);
  }
  const startMs = parseTime(question.time);
  if (startMs === null) throw new Error("time is ISO 8601, e.g. 2026-12-01T15:00:00Z");
  const point = (p: any) => (p.precision === "none" ? null : p);
  const done = estimate({
    from: point(a),
    to: point(b),
    startMs,
    timeZone: point(a)?.time_zone ?? point(b)?.time_zone ?? null,
    vehicle,
  });
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    estimated_arrival: iso(done.arrivalMs),
    window: { from: iso(done.windowFromMs), to: iso(done.windowToMs) },
    drive_minutes: minutes(done.driveSeconds),
    km: done.km,
    method: done.method,
  };
}

/** The drive alone, from a wall clock: what the trips of the evaluation ask. */
function local(from: { lat: number; lon: number }, to: { lat: number; lon: number }, time: string, vehicle?: Vehicle) {
  const hour = Number(time.slice(11, 13)) + Number(time.slice(14, 16)) / 60;
  const drive = estimateDrive(
    { from, to, hour, weekday: new Date(`${time.slice(0, 10)}T00:00:00Z`).getUTCDay() },
    vehicle,
  );
  return {
    drive_minutes: minutes(drive.seconds),
    window_minutes: { from: minutes(drive.quickSeconds), to: minutes(drive.slowSeconds) },
    km: Math.round(drive.km * 1000) / 1000,
    method: drive.method,
  };
}

const minutes = (seconds: number): number => Math.round((seconds / 60) * 100) / 100;

/** Also takes the columns of the public trip files. */
function etaRow(row: any, flags: Record<string, string>) {
  if (row.pickup_lat === undefined) return eta(row, flags.geodata);
  const [from, to] = [
    { lat: Number(row.pickup_lat), lon: Number(row.pickup_lon) },
    { lat: Number(row.dropoff_lat), lon: Number(row.dropoff_lon) },
  ];
  return eta({ from, to, time: row.pickup_time_local ?? row.time, vehicle: row.vehicle });
}

export const tries: Record<string, Try> = {
  geocode: {
    usage: 'geocode "10 Downing St, London" [--country GB] [--near LAT,LON] [--geodata DIR]',
    ask: (words, flags) => {
      const [lat, lon] = (flags.near ?? "").split(",").map(Number);
      const near = flags.near ? { lat, lon } : null;
      return geocoder(flags.geodata).geocode(words.join(" "), { country: flags.country ?? null, near });
    },
    askRow: (row, flags) => geocoder(flags.geodata).geocode(String(row.query ?? row.address ?? row.text), row.hint),
  },
  eta: {
    minWords: 2,
    usage: 'eta "FROM" "TO" [--time 2026-12-01T15:00:00Z] [--vehicle bicycle]',
    ask: (words, flags) =>
      eta(
        {
          from: words[0],
          to: words[1],
          time: flags.time ?? "2026-12-01T15:00:00Z",
          vehicle: flags.vehicle as Vehicle,
        },
        flags.geodata,
      ),
    askRow: etaRow,
  },
};
