// Tag names as small numbers, and what the scanner must know of each: void, raw text, what an open tag closes. Data only.

export const TEXT = 0;
export const UNKNOWN = 1;

const NAMES =
  `html head body title meta link script style base div span p a b i em strong u s del strike ins small big sup
sub font img input button form label select option optgroup textarea ul ol li dl dt dd table thead tbody tfoot
tr td th caption colgroup col h1 h2 h3 h4 h5 h6 section article aside nav header footer main figure figcaption
picture source video audio iframe object embed param track area map br hr wbr noscript template svg path time
data meter output fieldset legend address blockquote pre code center details summary dialog bdi bdo abbr q
cite var mark g use symbol xmp noembed noframes plaintext keygen canvas`.split(/\s+/);

const TAG_IDS = new Map<string, number>(NAMES.map((name, i) => [name, i + 2]));
export const tagNames: string[] = ["#text", "#unknown", ...NAMES];
export const TAG_COUNT = tagNames.length;
export const tag = (name: string): number => TAG_IDS.get(name) ?? UNKNOWN;

/** An open-addressed table of the names by hash, so that the scanner makes no string for a tag. */
const SLOTS = 1024;
const slots = new Uint8Array(SLOTS);
for (let id = 2; id < TAG_COUNT; id++) {
  let hash = 0;
  for (const letter of tagNames[id]!) hash = (hash * 31 + letter.charCodeAt(0)) | 0;
  let slot = hash & (SLOTS - 1);
  while (slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
  slots[slot] = id;
}

/** The tag whose name stands at `from`, in any case; `hash` is that of its lower-case letters. */
export function tagAt(source: string, from: number, length: number, hash: number): number {
  for (let slot = hash & (SLOTS - 1); slots[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
    const name = tagNames[slots[slot]!]!;
    if (name.length !== length) continue;
    let i = 0;
    while (i < length && lower(source.charCodeAt(from + i)) === name.charCodeAt(i)) i++;
    if (i === length) return slots[slot]!;
  }
  return UNKNOWN;
}

const lower = (c: number): number => (c >= 65 && c <= 90 ? c | 32 : c);

const flagged = (names: string): Uint8Array => {
  const out = new Uint8Array(TAG_COUNT);
  for (const name of names.split(" ")) out[tag(name)] = 1;
  return out;
};

export const isVoid = flagged("meta link base img input br hr wbr source embed param track area col keygen");
/** Their content is text up to their own end tag. */
export const isRaw = flagged("script style textarea title iframe xmp noembed noframes");
/** Their text is never seen by a reader. */
export const isUnseen = flagged("script style template head noembed noframes iframe svg");
export const isInline = flagged(
  "span a b i em strong u s del strike ins small big sup sub font label bdi bdo abbr q cite var mark code time data",
);
export const isStruck = flagged("del s strike");
const isBlock = flagged(
  `div p ul ol dl table h1 h2 h3 h4 h5 h6 section article aside nav header footer main figure form fieldset address blockquote pre center
details dialog hr`.replaceAll("\n", " "),
);

/** Which open element an opening tag ends, looked for no further than the `until` element. */
export const endsOnOpen: (readonly number[] | null)[] = Array.from({ length: TAG_COUNT }, () => null);
const ends = (opening: string, closed: string) => {
  for (const name of opening.split(" ")) endsOnOpen[tag(name)] = closed.split(" ").map(tag);
};
ends("li", "li");
ends("option optgroup", "option");
ends("dt dd", "dt dd");
ends("tr", "tr td th");
ends("td th", "td th");
ends("tbody tfoot thead", "tr td th thead tbody");
for (let id = 0; id < TAG_COUNT; id++) if (isBlock[id]) endsOnOpen[id] = [tag("p")];

/** Elements that stop the search for an element to end. */
export const isScope = flagged("table ul ol dl select td th div section article body html form template svg button");
