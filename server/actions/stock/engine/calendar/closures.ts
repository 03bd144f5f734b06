// The operator's file of ad-hoc changes as text: checked as a whole, so that a mistake is named and nothing is applied
// in part.
import type { Override } from "./calendar.ts";

const KINDS = ["closed", "open", "hours"];
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Throws with every fault of the file. */
export function readClosures(text: string): Override[] {
  const rows: unknown = JSON.parse(text);
  if (!Array.isArray(rows)) throw new Error("the file must hold a JSON array");
  const faults = rows.flatMap((row, i) => faultsOf(row).map((fault) => `entry ${i}: ${fault}`));
  if (faults.length > 0) throw new Error(faults.slice(0, 10).join("; "));
  return rows as Override[];
}

function faultsOf(row: any): string[] {
  if (row === null || typeof row !== "object") return ["must be an object"];
  const faults: string[] = [];
  if (!/^[A-Z0-9]{4}$/.test(row.mic)) faults.push("mic must be four letters or digits, e.g. XNYS");
  if (!/^\d{4}-\d\d-\d\d$/.test(row.date) || Number.isNaN(Date.parse(row.date))) faults.push("date must be YYYY-MM-DD");
  if (!KINDS.includes(row.kind)) faults.push(`kind must be one of ${KINDS.join(", ")}`);
  for (const name of ["open", "close"])
    if (row[name] !== undefined && !CLOCK.test(row[name])) faults.push(`${name} must be a wall-clock time, e.g. 13:00`);
  if (row.kind === "hours" && row.open === undefined && row.close === undefined)
    faults.push("hours needs open or close");
  return faults;
}
