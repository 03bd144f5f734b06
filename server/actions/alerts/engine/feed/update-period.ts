// How often a feed says it is updated (the syndication module), in seconds.

export function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

const PERIODS: Record<string, number> = {
  hourly: 3600,
  daily: 86_400,
  weekly: 604_800,
  monthly: 2_592_000,
  yearly: 31_536_000,
};

export function updateSeconds(other: Record<string, string>): number | null {
  const period = PERIODS[other.sy_updateperiod?.toLowerCase() ?? "daily"];
  const times = wholeNumber(other.sy_updatefrequency ?? "1") ?? 1;
  return period ? Math.round(period / Math.max(1, times)) : null;
}
