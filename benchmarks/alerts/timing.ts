// Takes the time of runs that take turns, by processor time, so that whoever else uses the machine decides no ratio.

/** Documents a second of processor time for each of the runs, by the median round; rounds take turns. */
export function alternate(
  runs: (() => void)[],
  documentsPerRun: number,
  passes: number,
  rounds: number,
  warm = 40,
): number[] {
  const times: number[][] = runs.map(() => []);
  // The first rounds are not counted: compiling goes on in threads of its own, whose time would be counted as well.
  for (let round = -warm; round < rounds; round++) {
    runs.forEach((run, k) => {
      // Processor time, not the wall: whoever else uses the machine must not decide a ratio.
      const before = process.cpuUsage();
      for (let p = 0; p < passes; p++) run();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times[k].push((user + system) / 1000);
    });
  }
  return times.map((t) => (documentsPerRun * passes * 1000) / median(t));
}

export const mean = (list: number[]) => list.reduce((a, b) => a + b, 0) / list.length;
export const median = (list: number[]) => list.toSorted((a, b) => a - b)[list.length >> 1];
export const round = (x: number) => Math.round(x * 1000) / 1000;
export const p99 = (list: number[]) => round(list.toSorted((a, b) => a - b)[Math.floor(list.length * 0.99)] * 1000);

/** Keeps a result alive, so that no pass is optimised away. */
export function use(result: number): void {
  sink ^= result;
}
export let sink = 0;
