// A line over time by uPlot, with bands behind it that show a state (available or not).
import uPlot from "uplot";
import { useEffect, useRef } from "preact/hooks";
import { theme } from "./state.ts";

export interface Band {
  fromMs: number;
  toMs: number;
  good: boolean;
}

const HEIGHT = 220;

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function drawBands(bands: Band[]) {
  return (plot: uPlot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    for (const band of bands) {
      const left = Math.max(bbox.left, plot.valToPos(band.fromMs / 1000, "x", true));
      const right = Math.min(bbox.left + bbox.width, plot.valToPos(band.toMs / 1000, "x", true));
      ctx.fillStyle = colour(band.good ? "--good-ground" : "--bad-ground");
      if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
    }
    ctx.restore();
  };
}

export function TimeChart(props: { label: string; times: number[]; values: (number | null)[]; bands?: Band[] }) {
  const box = useRef<HTMLDivElement>(null);
  const { times, values, bands = [], label } = props;
  useEffect(() => {
    const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line") }, ticks: { stroke: colour("--line") } };
    const plot = new uPlot(
      {
        width: box.current!.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        axes: [axis, { ...axis, size: 60 }],
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
        hooks: { drawClear: [drawBands(bands)] },
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
  }, [JSON.stringify([times.at(-1), values.length]), theme.value]);
  return <div class="chart" ref={box} role="img" aria-label={label} />;
}
