// Pushed content as lines of JSON: each line is checked like a body of its own. Pure.
import { Compile } from "typebox/compile";
import type { Fault } from "../../../contract/errors.ts";
import { findFaults } from "../../../contract/faults.ts";
import { parseJson } from "../../../lib/json.ts";
import { NewContent } from "../contract/index.ts";
import { contentFromRequest, type IncomingContent } from "./content.ts";

export const MAX_LINES = 1000;
const MAX_FAULTS = 50;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const isContent = Compile(NewContent);

export interface ReadLines {
  /** How many lines there are that are not blank; more than MAX_LINES are only counted. */
  lines: number;
  contents: IncomingContent[];
  /** The first faults, each with its line, numbered from 1. */
  faults: (Fault & { line: number })[];
}

export function readContentLines(bytes: Uint8Array): ReadLines {
  const lines = splitLines(bytes);
  const contents: IncomingContent[] = [];
  const faults: ReadLines["faults"] = [];
  if (lines.length > MAX_LINES) return { lines: lines.length, contents, faults };
  for (const { number, text } of lines) {
    const parsed = parseJson(text);
    if (!parsed.ok) faults.push({ ...parsed.fault, line: number });
    else if (isContent.Check(parsed.value)) contents.push(contentFromRequest(parsed.value));
    else
      for (const fault of findFaults(NewContent, parsed.value, "body"))
        if (faults.length < MAX_FAULTS) faults.push({ ...fault, line: number });
  }
  return { lines: lines.length, contents, faults: faults.slice(0, MAX_FAULTS) };
}

/** The lines that are not blank, numbered from 1. */
function splitLines(bytes: Uint8Array): { number: number; text: Uint8Array }[] {
  const lines: { number: number; text: Uint8Array }[] = [];
  for (let start = 0, number = 1; start <= bytes.length; number++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const text = bytes.subarray(start, end);
    if (text.some((byte) => byte > SPACE)) lines.push({ number, text });
    start = end + 1;
  }
  return lines;
}
