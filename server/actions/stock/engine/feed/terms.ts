// What a feed says of itself, beside its ticks.

export interface FeedTerms {
  source: string;
  currency: string | null;
  delivery: "realtime" | "delayed" | "end_of_day" | "replay";
  delaySeconds: number | null;
}
