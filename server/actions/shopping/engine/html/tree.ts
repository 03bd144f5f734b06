// The flat tree of a page: numbers in arrays, a node is an index into all of them.

export interface Tree {
  source: string;
  /** Whether each character of `source` is a byte of UTF-8; slices with text in them are decoded by query.ts. */
  utf8: boolean;
  count: number;
  /** Tag number; TEXT for a run of text. */
  tag: Uint8Array;
  flags: Uint8Array;
  parent: Int32Array;
  /** Where the tag, or the text, begins. */
  open: Int32Array;
  /** Where the content begins; for a text, where it ends. */
  inner: Int32Array;
  /** Where the content ends. */
  close: Int32Array;
  /** The first node behind the subtree. */
  after: Int32Array;
  /** Where the value of `class` stands, as it was written: asked for on every element, so it is kept. */
  classFrom: Int32Array;
  classTo: Int32Array;
}

export function createTree(source: string, utf8: boolean): Tree {
  const room = Math.max(1024, source.length >> 7);
  return {
    source,
    utf8,
    count: 0,
    tag: new Uint8Array(room),
    flags: new Uint8Array(room),
    parent: new Int32Array(room),
    open: new Int32Array(room),
    inner: new Int32Array(room),
    close: new Int32Array(room),
    after: new Int32Array(room),
    classFrom: new Int32Array(room),
    classTo: new Int32Array(room),
  };
}

/** Doubles the room for nodes. */
export function growTree(tree: Tree): void {
  const room = tree.tag.length * 2;
  const bytes = (old: Uint8Array) => {
    const out = new Uint8Array(room);
    out.set(old);
    return out;
  };
  const words = (old: Int32Array) => {
    const out = new Int32Array(room);
    out.set(old);
    return out;
  };
  tree.tag = bytes(tree.tag);
  tree.flags = bytes(tree.flags);
  tree.parent = words(tree.parent);
  tree.open = words(tree.open);
  tree.inner = words(tree.inner);
  tree.close = words(tree.close);
  tree.after = words(tree.after);
  tree.classFrom = words(tree.classFrom);
  tree.classTo = words(tree.classTo);
}
