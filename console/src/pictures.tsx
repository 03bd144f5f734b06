// Small pictures without a library: bars, shares, a sparkline, a gauge, a span of time.
import { zoneOption } from "./state.ts";

export interface Bar {
  name: string;
  value: number;
  bad?: number;
}

/** One slot for each bar, also for those of nothing; `ends` names the first and the last. */
export function Bars({ values, label, ends }: { values: Bar[]; label: string; ends?: [string, string] }) {
  const max = Math.max(1, ...values.map((v) => v.value));
  const width = 100 / Math.max(1, values.length);
  return (
    <>
      <svg class="bars" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={label}>
        {values.map((v, i) => {
          const height = (v.value / max) * 39;
          const bad = ((v.bad ?? 0) / max) * 39;
          const at = { x: i * width + width * 0.12, width: width * 0.76 };
          return (
            <g key={v.name}>
              <title>{`${v.name}: ${v.value}${v.bad ? `, ${v.bad} failed` : ""}`}</title>
              <rect class="slot" {...at} y="39" height="1" />
              <rect class="bar" {...at} y={40 - height} height={height} />
              <rect class="bar bad" {...at} y={40 - bad} height={bad} />
            </g>
          );
        })}
      </svg>
      {ends && (
        <div class="axis">
          <span>{ends[0]}</span>
          <span>max: {max}</span>
          <span>{ends[1]}</span>
        </div>
      )}
    </>
  );
}

/** Names with their share of the largest. */
export function Shares({ rows }: { rows: Bar[] }) {
  const max = Math.max(1, ...rows.map((r) => r.value));
  return (
    <>
      {rows.map((r) => (
        <div class="share" key={r.name}>
          <div>
            <code>{r.name}</code>
            <span>
              {r.value}
              {(r.bad ?? 0) > 0 && <span class="bad-text"> · {r.bad} failed</span>}
            </span>
          </div>
          <progress value={r.value} max={max} aria-label={`${r.name}: ${r.value} requests`} />
        </div>
      ))}
    </>
  );
}

export function Sparkline({ values, label }: { values: number[]; label: string }) {
  if (values.length < 2) return <span class="quiet">waiting for a change</span>;
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const points = values.map((v, i) => `${(i / (values.length - 1)) * 100},${28 - ((v - low) / span) * 26}`).join(" ");
  return (
    <svg class="spark" viewBox="0 0 100 30" preserveAspectRatio="none" role="img" aria-label={label}>
      <polyline points={points} />
    </svg>
  );
}

export function Gauge({ value, max, label }: { value: number; max: number; label: string }) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  const tone = share < 0.7 ? "" : share < 0.9 ? "warn" : "bad";
  return (
    <div class="gauge">
      <svg viewBox="0 0 120 66" role="img" aria-label={`${label}: ${value} of ${max}`}>
        <path class="track" d="M10 60 A50 50 0 0 1 110 60" pathLength={100} />
        <path
          class={`fill ${tone}`}
          d="M10 60 A50 50 0 0 1 110 60"
          pathLength={100}
          stroke-dasharray={`${share * 100} 100`}
        />
      </svg>
      <strong>
        {value.toLocaleString()} <small>of {max.toLocaleString()}</small>
      </strong>
      <span class="quiet">{label}</span>
    </div>
  );
}

export interface Mark {
  at: string;
  name: string;
}

/** A window of time on a line, with named moments. */
export function Span({ from, to, marks, label }: { from: string; to: string; marks: Mark[]; label: string }) {
  const times = [from, to, ...marks.map((m) => m.at)].map(Date.parse);
  const low = Math.min(...times);
  const range = Math.max(...times) - low || 1;
  const x = (at: string) => 3 + ((Date.parse(at) - low) / range) * 94;
  const clock = (at: string) =>
    new Date(at).toLocaleTimeString("en-GB", { timeStyle: "short", timeZone: zoneOption() });
  return (
    <figure class="span">
      <svg viewBox="0 0 100 16" preserveAspectRatio="none" role="img" aria-label={label}>
        <rect class="line" x="0" y="7" width="100" height="2" rx="1" />
        <rect class="window" x={x(from)} y="3" width={Math.max(1, x(to) - x(from))} height="10" rx="1" />
        {marks.map((m) => (
          <rect class="mark" key={m.name} x={x(m.at) - 0.2} y="1" width="0.4" height="14" />
        ))}
      </svg>
      <figcaption>
        <span>
          window{" "}
          <strong>
            {clock(from)}–{clock(to)}
          </strong>
        </span>
        {marks.map((m) => (
          <span key={m.name}>
            {m.name} <strong>{clock(m.at)}</strong>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
