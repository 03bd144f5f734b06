// The bodies that a route without parameters was sent lately, as they were read and checked: a client that polls sends the same
// bytes each time.

const MAX_BYTES = 4_096;
const MAX_KNOWN = 500;

/** Only what was accepted is kept; whoever gets it changes nothing in it. */
export interface KnownBodies {
  find<T>(bytes: Uint8Array, read: () => T | Promise<T>): T | Promise<T>;
}

export function createKnownBodies(): KnownBodies {
  const known = new Map<string, unknown>();
  return {
    find<T>(bytes: Uint8Array, read: () => T | Promise<T>): T | Promise<T> {
      if (bytes.length > MAX_BYTES) return read();
      // Latin 1 has a letter for every byte, so that only equal bytes are equal texts.
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
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
