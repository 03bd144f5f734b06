// The calibration of the promises as a picture: how often windows of each width held, against how often they should. Pure SVG.
import { escapeHtml } from "../../../lib/html.ts";

export interface StatsPicture {
  delivered: number;
  /** Shares, or null where nothing was delivered. */
  on_time: number | null;
  in_window: number | null;
  calibration: { level: number; held: number }[];
}

const SIZE = 420;
const LEFT = 56;
const TOP = 64;
const PLOT = 320;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

export function drawStats({ delivered, on_time, in_window, calibration }: StatsPicture): string {
  const x = (share: number) => round(LEFT + share * PLOT);
  const y = (share: number) => round(TOP + (1 - share) * PLOT);
  const grid = TICKS.map(
    (t) =>
      `<path class="grid" d="M${x(0)} ${y(t)}H${x(1)}M${x(t)} ${y(0)}V${y(1)}"/><text x="${LEFT - 8}" y="${y(t) + 4}" text-anchor="end">${percent(t)}</text><text x="${x(t)}" y="${y(0) + 18}" text-anchor="middle">${percent(t)}</text>`,
  );
  const points = calibration.map(({ level, held }) => `${x(level)} ${y(held)}`);
  const dots = calibration.map(
    ({ level, held }) =>
      `<circle cx="${x(level)}" cy="${y(held)}" r="5"><title>${percent(level)} promised, ${percent(held)} held</title></circle>`,
  );
  const line = points.length > 1 ? `<path class="held" d="M${points.join("L")}"/>` : "";
  const head =
    delivered === 0
      ? "Nothing was delivered in this period"
      : `${delivered} delivered · ${percent(on_time)} on time · ${percent(in_window)} in the 80 % window`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE + 24}" role="img" aria-label="${escapeHtml(head)}">
<style>svg{font:13px system-ui,sans-serif;background:#fff}text{fill:#1b1f24}.grid{stroke:#d8dee4}.ideal{stroke:#5b6570;stroke-dasharray:4 5}.held{stroke:#0b6b4f;stroke-width:2.5;fill:none}circle{fill:#0b6b4f}.soft{fill:#5b6570}
@media(prefers-color-scheme:dark){svg{background:#0d1117}text{fill:#e6edf3}.grid{stroke:#30363d}.ideal{stroke:#9aa4af}.held{stroke:#3fb98f}circle{fill:#3fb98f}.soft{fill:#9aa4af}}</style>
<text x="${LEFT}" y="24" font-size="15" font-weight="600">How well promises held</text><text class="soft" x="${LEFT}" y="44">${escapeHtml(head)}</text>
${grid.join("")}<path class="ideal" d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}"/>${line}${dots.join("")}
<text class="soft" x="${x(0.5)}" y="${SIZE + 18}" text-anchor="middle">share of arrivals the window promises</text>
<text class="soft" transform="translate(14 ${y(0.5)}) rotate(-90)" text-anchor="middle">share that arrived in it</text></svg>`;
}

const percent = (share: number | null): string => (share === null ? "–" : `${Math.round(100 * share)} %`);
const round = (value: number): number => Math.round(value * 10) / 10;
