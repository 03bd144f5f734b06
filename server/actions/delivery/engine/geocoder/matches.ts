// Finds every run of words that is the name of something in the gazetteer. Decides nothing.
import { kind, type Layer } from "./layer.ts";
import { emptyKey, extendKey, type Key, keyOf } from "./text.ts";
import type { Word } from "./tokens.ts";

export interface Match {
  from: number;
  /** One past the last word. */
  to: number;
  layer: Layer;
  start: number;
  key: number;
  /** Letters that had to change for the name to fit. */
  typos: number;
  /** Part of a longer name that was found too. */
  inside?: boolean;
}

const LONGEST_NAME = 6;

export function findMatches(words: Word[], layers: Layer[]): Match[] {
  const matches: Match[] = [];
  const key: Key = { a: 0, b: 0 };
  for (let from = 0; from < words.length; from++) {
    key.a = emptyKey.a;
    key.b = emptyKey.b;
    const end = Math.min(words.length, from + LONGEST_NAME);
    for (let to = from + 1; to <= end; to++) {
      if (words[to - 1].part !== words[from].part) break;
      extendKey(key, words[to - 1].canon, key);
      probe(matches, layers, from, to, key);
    }
    // Alone, a short form is itself: "MT" is Montana, though "mt vernon" is mount vernon.
    if (words[from].short) {
      extendKey(emptyKey, words[from].key, key);
      probe(matches, layers, from, from + 1, key);
    }
  }
  for (const match of matches) {
    const size = match.to - match.from;
    match.inside = matches.some((m) => m.from <= match.from && m.to >= match.to && m.to - m.from > size);
  }
  postcodeShapes(words, layers, matches);
  return matches;
}

function probe(matches: Match[], layers: Layer[], from: number, to: number, key: Key): void {
  for (const layer of layers) {
    const start = layer.find(key);
    if (start >= 0) matches.push({ from, to, layer, start, key: key.a >>> 0, typos: 0 });
  }
}

/** Postcodes are written in more shapes than they are listed in: 33071-8312, 336153805, "K1A 0B1", "SW1A2AA". */
function postcodeShapes(words: Word[], layers: Layer[], matches: Match[]): void {
  const key: Key = { a: 0, b: 0 };
  for (let i = 0; i < words.length; i++) {
    // Every shape holds a digit, in this word or in the next.
    if (!words[i].digit && !words[i + 1]?.digit) continue;
    const text = words[i].text;
    const add = (code: string, to: number) => {
      Object.assign(key, keyOf(code));
      for (const layer of layers) {
        const start = layer.find(key);
        if (start >= 0 && holdsPostcode(layer, start))
          matches.push({ from: i, to, layer, start, key: key.a >>> 0, typos: 0 });
      }
    };
    if (/^\d{9}$/.test(text)) add(text.slice(0, 5), i + 1);
    else if (/^[a-z]\d[a-z]$/.test(text) && i + 1 < words.length && /^\d[a-z]\d$/.test(words[i + 1].text))
      add(text, i + 2);
    else if (/^[a-z]\d[a-z]\d[a-z]\d$/.test(text)) add(text.slice(0, 3), i + 1);
    else if (/^[a-z]{1,2}\d[a-z\d]?\d[a-z]{2}$/.test(text)) {
      add(`${text.slice(0, -3)} ${text.slice(-3)}`, i + 1);
      add(text.slice(0, -3), i + 1);
    } else if (/^[a-z]{1,2}\d[a-z\d]?$/.test(text) && /^\d[a-z]{2}$/.test(words[i + 1]?.text ?? "")) add(text, i + 2);
    else if (/^\d{3,5}$/.test(text) && /^\d{2,4}$/.test(words[i + 1]?.text ?? "")) {
      const next = words[i + 1].text;
      add(`${text} ${next}`, i + 2);
      add(`${text}-${next}`, i + 2);
      add(text + next, i + 2);
      if (text.length === 5 && next.length === 4) add(text, i + 2);
    } else if (/^[a-z]{1,3}$/.test(text) && /^\d{3,6}$/.test(words[i + 1]?.text ?? "")) add(words[i + 1].text, i + 2);
    if (/^\d{4}$/.test(text) && /^[a-z]{2}$/.test(words[i + 1]?.text ?? "")) add(text, i + 2);
  }
}

function holdsPostcode(layer: Layer, start: number): boolean {
  let found = false;
  layer.each(start, (id) => {
    if (layer.kind[id] === kind.postcode) found = true;
  });
  return found;
}
