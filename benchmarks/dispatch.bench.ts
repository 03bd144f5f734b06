// Dispatch: lateness against greedy nearest over the scenario set, and the time of a plan for 1,000 open stops.
import { planDispatch } from "../server/actions/delivery/engine/dispatch/index.ts";
import { makeScenario } from "../server/actions/delivery/engine/dispatch/fixtures/scenario.ts";
import { simulate } from "../server/actions/delivery/engine/dispatch/fixtures/simulate.ts";
import type { Bench } from "../tools/bench.ts";

const median = (list: number[]) => [...list].sort((a, b) => a - b)[list.length >> 1];

export default {
  help: "dispatch [--quick]",
  async run({ quick, say }) {
    const days: { seed: number; greedy_late_min: number; insertion_late_min: number; less: number; broken: number }[] =
      [];
    for (let seed = 1; seed <= (quick ? 3 : 10); seed++) {
      const scenario = makeScenario(seed);
      const greedy = simulate(scenario, "greedy");
      const insertion = simulate(scenario, "insertion");
      const less = 1 - insertion.lateMinutes / greedy.lateMinutes;
      days.push({
        seed,
        greedy_late_min: Math.round(greedy.lateMinutes),
        insertion_late_min: Math.round(insertion.lateMinutes),
        less,
        broken: insertion.broken.length,
      });
      say(
        `day ${seed}: greedy ${Math.round(greedy.lateMinutes)} min late, insertion ${Math.round(insertion.lateMinutes)} (${(100 * less).toFixed(0)} % less), rules broken ${insertion.broken.length}`,
      );
    }
    const total = (key: "greedy_late_min" | "insertion_late_min") => days.reduce((sum, d) => sum + d[key], 0);
    const less = 1 - total("insertion_late_min") / total("greedy_late_min");
    const { couriers, orders } = makeScenario(77, 500, 40);
    const fleet = couriers.map((c) => ({
      ...c,
      at: c.home,
      freeAtMs: c.shiftStartMs,
      zone: null,
      onBoard: 0,
      stops: [],
      fixed: 0,
    }));
    const open = orders.map((o) => ({ ...o, excluded: new Set<string>() }));
    const times: number[] = [];
    for (let i = 0; i < (quick ? 3 : 7); i++) {
      const started = performance.now();
      const plan = planDispatch(fleet, open);
      times.push(performance.now() - started);
      if (plan.assignments.length + plan.unassigned.length !== 500) throw new Error("orders were lost");
    }
    say(
      `all days: ${(100 * less).toFixed(1)} % less lateness than greedy nearest; a plan for 1,000 open stops: ${Math.round(median(times))} ms (median of ${times.length}; quickest ${Math.round(Math.min(...times))} ms)`,
    );
    return {
      days,
      less,
      plan_1000_stops_ms: Math.round(median(times)),
      plan_1000_stops_quickest_ms: Math.round(Math.min(...times)),
    };
  },
} satisfies Bench;
