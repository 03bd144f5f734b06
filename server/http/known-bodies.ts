// The bodies that a route without parameters was sent lately, as they were read and checked: a client that polls sends the same
// bytes each time.

const MAX_BYTES = 4_096;
const MAX_KNOWN = 500;

/** Nothing is replaced and nothing left out, so that only equal bytes are equal texts. */
const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array): string | null {
  try {
    return exact.decode(bytes);
  } catch {
    return null;
  }
}

/** Only what was accepted is kept; whoever gets it changes nothing in it. */
export interface KnownBodies {
  find<T>(bytes: Uint8Array, read: () => T | Promise<T>): T | Promise<T>;
}

export function createKnownBodies(): KnownBodies {
  const known = new Map<string, unknown>();
  return {
    find<T>(bytes: Uint8Array, read: () => T | Promise<T>): T | Promise<T> {
      const text = bytes.length > MAX_BYTES ? null : textOf(bytes);
      if (text === null) return read();
      const found = known.get(text) as T | undefined;
      if (found !== undefined) return found;
      const made = read();
      if (made instanceof Promise) return made;
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(text, made);
      return made;
    },
  };
}
