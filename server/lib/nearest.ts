// "Did you mean …": the known word nearest to a mistyped one, or the only one that begins with it; null when none is near.

const MIN_PREFIX = 3;

export function nearest(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 2.5)) + 1;
  const asked = word.slice(0, 64).toLowerCase();
  const longer: string[] = [];
  for (const candidate of known) {
    if (asked.length >= MIN_PREFIX && candidate.toLowerCase().startsWith(asked)) longer.push(candidate);
    const distance = editDistance(asked, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? (longer.length === 1 ? longer[0] : null);
}

/** Insertions, deletions, changes and swaps from one word to the other; `cutoff` or more when they are far apart. */
export function editDistance(a: string, b: string, cutoff: number): number {
  if (Math.abs(a.length - b.length) >= cutoff) return cutoff;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  let before: number[] = [];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    before = row;
    row = next;
  }
  return row[b.length];
}
