// The parts every page is made of: cards, badges, times, errors with their hint, empty states, the windowed table.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../sdks/typescript/src/index.ts";
import type { Loaded, StreamState } from "./hooks.ts";
import { zone, zoneOption } from "./state.ts";

export interface CardProps {
  title: string;
  side?: ComponentChildren;
  /** The whole width, a third or two thirds of it; half unless given. */
  wide?: boolean;
  size?: "third" | "two-thirds";
  children: ComponentChildren;
}

export function Card(props: CardProps) {
  return (
    <section class={`card ${props.wide ? "wide" : (props.size ?? "")}`}>
      <header>
        <h2>{props.title}</h2>
        {props.side}
      </header>
      {props.children}
    </section>
  );
}

const TONES: [tone: string, of: RegExp][] = [
  [
    "good",
    /^(ok|active|enabled|delivered|live|regular|in_stock|likely_human|notified|armed|realtime|working|on_duty)$/,
  ],
  [
    "bad",
    /^(failed|error|disabled|broken|failing|gone|blocked|canceled|out_of_stock|likely_ai|degraded|returned|suspended|paused_provider|dead)$/,
  ],
  ["warn", /^(retrying|limited|stale|mixed|unclear|snoozed|paused|pending|delayed|attention|off_duty|half_open)$/],
  ["info", /^(scheduled|assigned|picked_up|en_route|in_transit|arriving|simulated|kept_in_inbox|test|idle)$/],
];

export function Badge({ of }: { of: string }) {
  const tone = TONES.find(([, pattern]) => pattern.test(of))?.[0] ?? "";
  return <span class={`badge ${tone}`}>{of.replaceAll("_", " ")}</span>;
}

/** One number with its name. */
export function Stat(props: { label: string; value: ComponentChildren; note?: ComponentChildren; tone?: string }) {
  return (
    <div class="stat">
      <span class="quiet">{props.label}</span>
      <strong class={props.tone ?? ""}>{props.value}</strong>
      {props.note && <small class="quiet">{props.note}</small>}
    </div>
  );
}

/** The parts of a page, each with an address of its own. */
export function Tabs(props: { label: string; page: string; parts: Record<string, string>; current: string }) {
  return (
    <nav class="tabs" aria-label={props.label}>
      {Object.entries(props.parts).map(([name, title]) => (
        <a key={name} href={`#/${props.page}/${name}`} aria-current={props.current === name ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <span class="quiet">—</span>;
  return (
    <time dateTime={at} title={at}>
      {timeFormat().format(new Date(at))}
    </time>
  );
}

let format: { zone: string; as: Intl.DateTimeFormat } | null = null;

/** Making a format costs a hundred times what using it does, and a long list uses it for every row. */
function timeFormat(): Intl.DateTimeFormat {
  if (format?.zone !== zone.value) {
    const parts = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;
    const name = zone.value === "local" ? {} : ({ timeZoneName: "short" } as const);
    format = { zone: zone.value, as: new Intl.DateTimeFormat("en-GB", { ...parts, ...name, timeZone: zoneOption() }) };
  }
  return format.as;
}

/** An error with its hint, and each fault of a field. */
export function Problem({ error }: { error: unknown }) {
  if (!error) return null;
  const api = error instanceof ApiError ? error : null;
  return (
    <div class="problem" role="alert">
      <strong>{api?.title ?? api?.code ?? "That did not work"}</strong>
      <p>{api?.detail ?? (error as Error)?.message ?? String(error)}</p>
      {api?.hint && <p class="hint">{api.hint}</p>}
      {api && api.errors.length > 0 && (
        <ul>
          {api.errors.map((fault) => (
            <li key={fault.pointer}>
              <code>{fault.pointer}</code> {fault.detail} <span class="hint">{fault.hint}</span>
            </li>
          ))}
        </ul>
      )}
      {api?.requestId && <small class="quiet">{api.requestId}</small>}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      <div>{children}</div>
    </div>
  );
}

/** What was loaded, or the error, or a sign that it is on its way. */
export function Show<T>({ of, children }: { of: Loaded<T>; children: (data: T) => ComponentChildren }) {
  return (
    <>
      <Problem error={of.error} />
      {of.data !== null ? children(of.data) : of.loading ? <p class="quiet">Loading…</p> : null}
    </>
  );
}

const STREAM_TEXTS: Record<StreamState, string> = {
  connecting: "connecting…",
  live: "live",
  broken: "stream broken, trying again",
};

export function StreamSign({ state }: { state: StreamState }) {
  return (
    <output class={`stream ${state}`} aria-live="polite">
      {STREAM_TEXTS[state]}
    </output>
  );
}

export function Field(props: { label: string; note?: string; children: ComponentChildren }) {
  return (
    <label class="field">
      <span>{props.label}</span>
      {props.children}
      {props.note && <small class="quiet">{props.note}</small>}
    </label>
  );
}

export function Copy({ text, label = "Copy" }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" class="small" onClick={copy}>
      {copied ? "Copied" : label}
    </button>
  );
}

export interface Column<T> {
  title: string;
  cell(row: T): ComponentChildren;
  /** A share of the width; 1 unless given. */
  grow?: number;
  /** Left out on a phone. */
  minor?: boolean;
}

const ROW_PX = 44;
const MAX_HEIGHT_PX = 528;
/** Rows drawn above and below those in sight. */
const SPARE_ROWS = 4;

/** Only the rows in sight are in the document, however long the list is. */
export function Table<T>(props: {
  label: string;
  rows: T[];
  columns: Column<T>[];
  onOpen?(row: T): void;
  onEnd?(): void;
}) {
  const { rows, columns, onOpen } = props;
  const table = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  const height = Math.min(MAX_HEIGHT_PX, Math.max(1, rows.length) * ROW_PX);
  const shown = rows.slice(first, first + Math.ceil(height / ROW_PX) + 2 * SPARE_ROWS);
  const onScroll = () => {
    const element = scroller.current!;
    setFirst(Math.max(0, Math.floor(element.scrollTop / ROW_PX) - SPARE_ROWS));
    if (element.scrollTop + element.clientHeight > element.scrollHeight - 5 * ROW_PX) props.onEnd?.();
  };
  useLayoutEffect(() => {
    table.current!.style.setProperty("--columns", columns.map((c) => `minmax(0, ${c.grow ?? 1}fr)`).join(" "));
    const major = columns.filter((c) => !c.minor);
    table.current!.style.setProperty("--columns-phone", major.map((c) => `minmax(0, ${c.grow ?? 1}fr)`).join(" "));
  }, [columns.length]);
  const cells = (row: T) =>
    columns.map((c) => (
      <div role="cell" class={c.minor ? "minor" : ""} key={c.title}>
        {c.cell(row)}
      </div>
    ));
  return (
    <div role="table" class="table" ref={table} aria-label={props.label} aria-rowcount={rows.length + 1}>
      <div role="rowgroup" class="heads">
        <div role="row" class="row head">
          {columns.map((c) => (
            <div role="columnheader" class={c.minor ? "minor" : ""} key={c.title}>
              {c.title}
            </div>
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        class="rows"
        tabIndex={0}
        onScroll={onScroll}
        style={{ height: `${height}px` }}
        ref={scroller}
      >
        <div class="space" style={{ height: `${rows.length * ROW_PX}px` }} />
        {shown.map((row, i) => (
          <div
            role="row"
            class={onOpen ? "row open" : "row"}
            key={first + i}
            aria-rowindex={first + i + 2}
            tabIndex={onOpen ? 0 : undefined}
            style={{ transform: `translateY(${(first + i) * ROW_PX}px)` }}
            onClick={() => onOpen?.(row)}
            onKeyDown={(e) => e.key === "Enter" && onOpen?.(row)}
          >
            {cells(row)}
          </div>
        ))}
      </div>
    </div>
  );
}
