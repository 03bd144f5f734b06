// A line over time by uPlot, with bands behind it that show a state (available or not), marks on it, and events across it.
import uPlot from "uplot";
import { useEffect, useRef } from "preact/hooks";
import { theme, zone, zoneOption } from "./state.ts";

export interface Band {
  fromMs: number;
  toMs: number;
  good: boolean;
}

/** A named point of the line. */
export interface PointMark {
  atMs: number;
  value: number;
  name: string;
}

export interface EventMark {
  atMs: number;
  name: string;
}

const HEIGHT = 260;
const MARK_RADIUS = 4;
const DASH = [4, 4];
const BAND_ALPHA = 0.6;
const DAY_S = 86_400;

const localZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function drawBands(bands: Band[]) {
  return (plot: uPlot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.globalAlpha = BAND_ALPHA;
    for (const band of bands) {
      const left = Math.max(bbox.left, plot.valToPos(band.fromMs / 1000, "x", true));
      const right = Math.min(bbox.left + bbox.width, plot.valToPos(band.toMs / 1000, "x", true));
      ctx.fillStyle = colour(band.good ? "--good-ground" : "--bad-ground");
      if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
    }
    ctx.restore();
  };
}

function drawEvents(events: EventMark[]) {
  return (plot: uPlot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = colour("--warn");
    ctx.setLineDash(DASH.map((n) => n * devicePixelRatio));
    for (const event of events) {
      const x = plot.valToPos(event.atMs / 1000, "x", true);
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  };
}

function drawMarks(marks: PointMark[]) {
  return (plot: uPlot) => {
    const { ctx, bbox } = plot;
    const scale = devicePixelRatio;
    ctx.save();
    ctx.font = `600 ${12 * scale}px system-ui, sans-serif`;
    for (const mark of marks) {
      const x = plot.valToPos(mark.atMs / 1000, "x", true);
      const y = plot.valToPos(mark.value, "y", true);
      ctx.fillStyle = colour("--ink");
      ctx.beginPath();
      ctx.arc(x, y, MARK_RADIUS * scale, 0, 2 * Math.PI);
      ctx.fill();
      const isRight = x > bbox.left + bbox.width * 0.8;
      ctx.textAlign = isRight ? "right" : "left";
      ctx.fillText(mark.name, x + (isRight ? -8 : 8) * scale, y - 6 * scale);
    }
    ctx.restore();
  };
}

export interface TimeChartProps {
  label: string;
  times: number[];
  values: (number | null)[];
  bands?: Band[];
  marks?: PointMark[];
  events?: EventMark[];
}

/** The time within a day, the day beyond. */
function nameTime(splits: number[]): (seconds: number) => string {
  const isLong = splits.at(-1)! - splits[0] > 2 * DAY_S;
  const parts = isLong
    ? ({ day: "numeric", month: "short" } as const)
    : ({ hour: "2-digit", minute: "2-digit" } as const);
  const format = new Intl.DateTimeFormat("en-GB", { ...parts, timeZone: zoneOption() });
  return (seconds) => format.format(seconds * 1000);
}

/** Room above and below the line, so that its marks can be read. */
function rangeOf(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const room = Math.max((high - low) * 0.25, high * 0.04, 0.01);
  return [Math.max(0, low - room), high + room];
}

export function TimeChart(props: TimeChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const { times, values, bands = [], marks = [], events = [], label } = props;
  useEffect(() => {
    const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line") }, ticks: { stroke: colour("--line") } };
    const plot = new uPlot(
      {
        width: box.current!.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        scales: { y: { range: rangeOf } },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zoneOption() ?? localZone()),
        axes: [
          { ...axis, values: (_, splits) => splits.map(nameTime(splits)) },
          { ...axis, size: 60 },
        ],
        series: [
          {},
          {
            label,
            stroke: colour("--accent"),
            width: 2,
            paths: uPlot.paths.stepped!({ align: 1 }),
            points: { show: times.length < 40 },
          },
        ],
        hooks: { drawClear: [drawBands(bands)], draw: [drawEvents(events), drawMarks(marks)] },
      },
      [times.map((ms) => ms / 1000), values],
      box.current!,
    );
    const resize = () => plot.setSize({ width: box.current!.clientWidth, height: HEIGHT });
    addEventListener("resize", resize);
    return () => {
      removeEventListener("resize", resize);
      plot.destroy();
    };
  }, [JSON.stringify([times.at(-1), values.length, events.length]), theme.value, zone.value]);
  return <div class="chart" ref={box} role="img" aria-label={label} />;
}
