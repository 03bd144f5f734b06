// The bell of this process: whoever appends events rings, whoever follows them listens. Carries no event.

const bells = new Set<() => void>();

/** For a writer that inserts into `events` by a statement of its own: says that followers should look soon. */
export function ring(): void {
  for (const bell of bells) bell();
}

/** Calls back whenever this process appends; the rows may not be committed yet. */
export function onRing(bell: () => void): () => void {
  bells.add(bell);
  return () => bells.delete(bell);
}
