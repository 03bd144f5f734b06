// What is left of the quota, as the last answer said it; and waiting for it, when pacing is on.

export interface QuotaSnapshot {
  /** Name of the policy, e.g. `free`. */
  policy: string | null;
  limit: number | null;
  remaining: number;
  windowSeconds: number | null;
  /** Milliseconds since the epoch when the oldest counted request leaves the window. */
  resetAt: number;
}

/** Reads the fields of draft-ietf-httpapi-ratelimit-headers-11, else X-RateLimit-*; null when neither is whole. */
export function readQuota(headers: Headers, now: number): QuotaSnapshot | null {
  const left = parseItem(headers.get("ratelimit"));
  if (left?.r !== undefined) {
    const policy = parseItem(headers.get("ratelimit-policy"));
    return {
      policy: left.name,
      limit: policy?.q ?? null,
      remaining: left.r,
      windowSeconds: policy?.w ?? null,
      resetAt: now + (left.t ?? 0) * 1000,
    };
  }
  const whole = (name: string) => (/^\d+$/.test(headers.get(name) ?? "") ? Number(headers.get(name)) : null);
  const remaining = whole("x-ratelimit-remaining");
  if (remaining === null) return null;
  return {
    policy: null,
    limit: whole("x-ratelimit-limit"),
    remaining,
    windowSeconds: null,
    resetAt: (whole("x-ratelimit-reset") ?? 0) * 1000,
  };
}

/** The first item of a structured-field list of strings with whole-number parameters; null when malformed. */
function parseItem(text: string | null): ({ name: string } & Record<string, any>) | null {
  const match = /^\s*"([^"\\]*)"((?:\s*;\s*[a-z*][a-z0-9_.*-]*=[^;,]+)*)\s*(?:,|$)/.exec(text ?? "");
  if (!match) return null;
  const item: { name: string } & Record<string, any> = { name: match[1] };
  for (const [, key, value] of match[2].matchAll(/;\s*([a-z*][a-z0-9_.*-]*)=\s*(\d+)\s*(?=;|$)/g))
    item[key] = Number(value);
  return item;
}

/** Keeps the snapshot, counts what is under way, and says how long to wait before sending. */
export class QuotaTracker {
  snapshot: QuotaSnapshot | null = null;
  #underWay = 0;

  /** 0 and counted when a request may go now; otherwise the milliseconds to wait before asking again. */
  reserve(now: number, pacing: boolean): number {
    const { snapshot } = this;
    if (pacing && snapshot && snapshot.remaining - this.#underWay <= 0) {
      if (now < snapshot.resetAt) return snapshot.resetAt - now;
      if (this.#underWay > 0) return 50;
    }
    this.#underWay++;
    return 0;
  }

  answered(headers: Headers | null, now: number): void {
    this.#underWay--;
    const seen = headers && readQuota(headers, now);
    if (seen) this.snapshot = seen;
  }
}
