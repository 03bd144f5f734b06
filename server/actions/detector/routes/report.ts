// A kept analysis as one page to print: verdict, rates, shares, the text with its passages marked, and the signals.
import { escapeHtml } from "../../../lib/html.ts";
import { formatTime } from "../../../lib/time.ts";
import type { Analysis, Segment, Signal } from "../contract/shapes.ts";
import type { AnalysisRow } from "../store.ts";

const VERDICT_TEXT: Record<Analysis["verdict"], string> = {
  likely_ai: "Likely AI-generated",
  mixed: "Mixed: some passages look AI-generated",
  unclear: "Unclear",
  likely_human: "Likely human",
  too_short: "Too short to judge",
  unsupported_language: "Not judged: not English",
};

const STYLE = `body{font:15px/1.55 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid #ddd;padding:.3rem .5rem;text-align:left;vertical-align:top}
.text{white-space:pre-wrap;overflow-wrap:anywhere}.likely_ai{background:#ffd9d0}.unclear,.mixed{background:#fff3c9}
.note{color:#555;font-size:.9rem}@media print{body{margin:0;max-width:none}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}`;

export function renderReport(row: AnalysisRow): Response {
  const { analysis } = row;
  const sections = [
    head(row),
    figures(analysis),
    passages(analysis, row.content),
    signals(analysis.signals),
    limits(analysis),
  ];
  const title = `Analysis ${analysis.analysis_id}`;
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${sections.join("\n")}</body></html>`;
  return new Response(page, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
      "cache-control": "no-store",
    },
  });
}

function head({ analysis, createdMs }: AnalysisRow): string {
  const source = analysis.source_url ? ` · ${escapeHtml(analysis.source_url)}` : "";
  const own = analysis.id === null ? "" : ` · ${escapeHtml(analysis.id)}`;
  return `<h1>${VERDICT_TEXT[analysis.verdict]}</h1>
<p class="note">${analysis.analysis_id}${own}${source} · ${formatTime(createdMs)} · ${analysis.words} words</p>`;
}

function figures({ score, interval, confidence, abstained_because, operating_point, shares }: Analysis): string {
  const rows: [string, string][] = [];
  if (abstained_because) rows.push(["Not judged because", escapeHtml(abstained_because.replaceAll("_", " "))]);
  if (score !== null) rows.push(["Probability that it is AI-made", `${percent(score)} (${confidence} confidence)`]);
  if (interval) rows.push(["Nine in ten passages like it", interval.map(percent).join(" to ")]);
  if (shares)
    rows.push(["Words", `human ${percent(shares.human)} · mixed ${percent(shares.mixed)} · AI ${percent(shares.ai)}`]);
  if (operating_point) {
    rows.push(["Called AI from", percent(operating_point.threshold)]);
    rows.push([
      "Human texts flagged at this point",
      `${percent(operating_point.measured_false_positive_rate)}, measured on ${operating_point.measured_on} texts of sources the model never saw`,
    ]);
  }
  return `<table>${rows.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join("")}</table>`;
}

function passages({ type, segments }: Analysis, content: string | null): string {
  if (type !== "text" || content === null) return "";
  return `<h2>Text</h2><p class="note">Marked: red likely AI, yellow unclear.</p><div class="text">${mark(content, segments)}</div>`;
}

/** The text with every passage in an element of its verdict; what lies between passages stays unmarked. */
function mark(content: string, segments: Segment[]): string {
  let out = "";
  let at = 0;
  for (const { start, end, verdict, score } of segments) {
    const passage = escapeHtml(content.slice(start, end));
    out += `${escapeHtml(content.slice(at, start))}<span class="${verdict}" title="${percent(score)}">${passage}</span>`;
    at = end;
  }
  return out + escapeHtml(content.slice(at));
}

function signals(list: Signal[]): string {
  const rows = list.map(({ name, direction, weight, explanation, evidence }) => {
    const quoted = evidence.map((text) => `<q>${escapeHtml(text)}</q>`).join(" ");
    return `<tr><td>${escapeHtml(name.replaceAll("_", " "))}</td><td>${direction}</td><td>${weight}</td><td>${escapeHtml(explanation)} ${quoted}</td></tr>`;
  });
  if (rows.length === 0) return "";
  return `<h2>Signals</h2><table><tr><th>signal</th><th>points to</th><th>weight</th><th></th></tr>${rows.join("")}</table>`;
}

function limits({ model }: Analysis): string {
  const known = model.known_limits.map((limit) => `<li>${escapeHtml(limit)}</li>`).join("");
  return `<h2>What this does not say</h2><ul>${known}</ul>
<p class="note">Model ${escapeHtml(model.name)} ${escapeHtml(model.version)}. ${escapeHtml(model.trained_on)}</p>`;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
