// Lets the event loop run between the pieces of long work, so that one request never stalls the others.

/** Resolves after other work that was waiting has had its turn. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Counts units of work, e.g. characters; waits for the next turn whenever so many have been done. Counting instead of
 * measuring time keeps it deterministic.
 */
export function createTurns(unitsPerTurn: number): (units: number) => Promise<void> | undefined {
  let done = 0;
  return (units) => {
    done += units;
    if (done < unitsPerTurn) return undefined;
    done = 0;
    return nextTurn();
  };
}
