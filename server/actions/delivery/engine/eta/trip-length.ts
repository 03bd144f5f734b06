// How long a trip is when its ends are only roughly known: a prior over courier trips, corrected by what the map says.

/** Trips inside a city: median length in km and spread of its logarithm, from the taxi trips the model is fitted on. */
const PRIOR = { km: 2.5, spread: 0.95 };
/** The grid the distribution is summed on: from 200 m to 60 km. */
const GRID = Float64Array.from({ length: 36 }, (_, i) => 0.2 * (60 / 0.2) ** (i / 35));
const GRID_LOGS = GRID.map(Math.log);
const GRID_PRIORS = GRID_LOGS.map((log) => -0.5 * ((log - Math.log(PRIOR.km)) / PRIOR.spread) ** 2);
/** Half of a two-dimensional normal distribution lies within this many standard deviations. */
const HALF = 1.1774;

export interface TripLength {
  /** Middle of the plausible lengths, in km. */
  km: number;
  /** Standard deviation of the logarithm of the length; 0 when both ends are exact. */
  spread: number;
}

/**
 * `straightKm` lies between the middles of the two places, `blurKm` says how far off they are together (half lie within).
 * With sharp ends the map decides; with two ends "somewhere in the city" the prior does.
 */
export function tripLength(straightKm: number, blurKm: number, shortestKm: number): TripLength {
  if (blurKm < 0.05) return { km: Math.max(shortestKm, straightKm), spread: 0 };
  const variance = (blurKm / HALF) ** 2;
  let [total, mean, square] = [0, 0, 0];
  for (let i = 0; i < GRID.length; i++) {
    const log = GRID_LOGS[i];
    const weight = Math.exp(GRID_PRIORS[i] + logRice(GRID[i], straightKm, variance));
    total += weight;
    mean += weight * log;
    square += weight * log * log;
  }
  // The map and the grid can disagree wholly: an exact distance of hundreds of km is simply believed.
  if (total < 1e-12) return { km: Math.max(shortestKm, straightKm), spread: Math.min(0.5, blurKm / straightKm) };
  mean /= total;
  return { km: Math.max(shortestKm, Math.exp(mean)), spread: Math.sqrt(Math.max(0, square / total - mean * mean)) };
}

/** Log-likelihood that two ends `km` apart show middles `straight` apart (Rice distribution, constants left out). */
function logRice(km: number, straight: number, variance: number): number {
  return -((km - straight) ** 2) / (2 * variance) + logScaledBessel((km * straight) / variance);
}

/** log(I0(x)·e^-x), to about 1 %. */
function logScaledBessel(x: number): number {
  const decay = Math.exp(-0.32 * x);
  return -0.5 * Math.log(1 + 2 * Math.PI * x * (1 - decay) + 1.94 * x * decay);
}
