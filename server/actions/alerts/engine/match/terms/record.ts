// The memory layout of a stored term: one record of one cache line; `recent` holds copies of the same layout.

/** What a term is looked for in; each has its own hash seed, so that "#x" and "x" never meet. */
export const WORD_TERM = 1;
export const UNSPACED_TERM = 2;
export const PREFIX_TERM = 3;
export const TAG_TERM = 4;
export const META_TERM = 5;
const SEEDS = [0, 0x811c9dc5 | 0, 0x3ade68b1, 0x5bd1e995, 0x1b873593, 0x6a09e667];
export const PRIME = 0x01000193;

/** Integers of a record: hash · length << 8 | kind << 4 | flags · document stamp · postings · text · postings · users. */
export const STRIDE = 16;
export const META = 1;
/** The last document it was in << 8 | the fields it was in. */
export const STAMP = 2;
/** Number of postings inside the record, or minus the place of their list. */
export const HEAD = 3;
/** Text that fits stands in the record, a byte a unit or, if WIDE, two; of a LONG one here is the place in the pool. */
export const TEXT = 4;
export const INLINE = 8;
export const TEXT_BYTES = (INLINE - TEXT) * 4;
export const USERS = 15;
export const INLINE_MOST = USERS - INLINE;
/** In a copy, the term's id stands where the record counts its users. */
export const ID = USERS;

/** Flag: some alert needs to know where this term stands, not only that it does. */
export const POSITIONAL = 1;
/** Flag: some alert asks for this term besides the one it is filed under, so the record itself must be stamped. */
export const ASKED = 2;
/** Flags: how the text is kept. */
export const LONG = 4;
export const WIDE = 8;

export function hashOf(kind: number, text: string): number {
  let hash = SEEDS[kind];
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return hash;
}

export function seedOf(kind: number): number {
  return SEEDS[kind];
}
