// Small pictures without a library: bars, a sparkline, a gauge, a span of time.

export function Bars({ values, label }: { values: { name: string; value: number; bad?: number }[]; label: string }) {
  const max = Math.max(1, ...values.map((v) => v.value));
  const width = 100 / Math.max(14, values.length);
  return (
    <svg class="bars" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={label}>
      {values.map((v, i) => {
        const height = (v.value / max) * 38;
        const bad = ((v.bad ?? 0) / max) * 38;
        return (
          <g key={v.name}>
            <title>{`${v.name}: ${v.value}${v.bad ? `, ${v.bad} failed` : ""}`}</title>
            <rect class="bar" x={i * width} y={40 - height} width={width * 0.8} height={height} />
            <rect class="bar bad" x={i * width} y={40 - bad} width={width * 0.8} height={bad} />
          </g>
        );
      })}
    </svg>
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
        {value} <small>of {max}</small>
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
  const x = (at: string) => 4 + ((Date.parse(at) - low) / range) * 92;
  const clock = (at: string) => new Date(at).toLocaleTimeString(undefined, { timeStyle: "short" });
  return (
    <figure class="span">
      <svg viewBox="0 0 100 16" preserveAspectRatio="none" role="img" aria-label={label}>
        <rect class="line" x="0" y="7" width="100" height="2" />
        <rect class="window" x={x(from)} y="4" width={Math.max(1, x(to) - x(from))} height="8" />
        {marks.map((m) => (
          <rect class="mark" key={m.name} x={x(m.at) - 0.3} y="1" width="0.8" height="14" />
        ))}
      </svg>
      <figcaption>
        <span>
          window {clock(from)}–{clock(to)}
        </span>
        {marks.map((m) => (
          <span key={m.name}>
            {m.name} {clock(m.at)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
