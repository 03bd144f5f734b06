// A signal inside this process: whoever appends events notifies, whoever follows them listens. Carries no event.

const listeners = new Set<() => void>();

/** For a writer that inserts into `events` by a statement of its own: says that followers should look soon. */
export function notifyLocal(): void {
  for (const listener of listeners) listener();
}

/** Calls back whenever this process appends; the rows may not be committed yet. */
export function onLocalSignal(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
