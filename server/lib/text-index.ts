// A small search engine: BM25 over the words of some hundred texts, with prefixes of the last word found too.

const [K1, B] = [1.2, 0.6];

/** Returns the numbers of the texts that fit a question, best first. */
export function createTextIndex(texts: string[]): (question: string, limit: number) => number[] {
  const documents = texts.map((text) => countWords(words(text)));
  const lengths = documents.map((counts) => [...counts.values()].reduce((sum, n) => sum + n, 0));
  const average = lengths.reduce((sum, n) => sum + n, 0) / Math.max(1, texts.length);
  const holding = new Map<string, number>();
  for (const counts of documents) for (const word of counts.keys()) holding.set(word, (holding.get(word) ?? 0) + 1);

  /** A word that nobody uses may be the beginning of one. */
  function meant(word: string): string[] {
    if (holding.has(word) || word.length < 3) return [word];
    return [...holding.keys()].filter((known) => known.startsWith(word)).slice(0, 8);
  }

  function score(i: number, wanted: string[]): number {
    let total = 0;
    for (const word of wanted) {
      const count = documents[i].get(word);
      if (!count) continue;
      const having = holding.get(word)!;
      const rarity = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
      total += (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * lengths[i]) / average));
    }
    return total;
  }

  return (question, limit) => {
    const wanted = words(question).flatMap(meant);
    return texts
      .map((_, i) => ({ i, points: score(i, wanted) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points)
      .slice(0, limit)
      .map(({ i }) => i);
  };
}

/** Lower-case words without their endings: "deliveries" and "delivery" are one. */
function words(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/(ies|ying)$/, "y").replace(/(ing|ed|es|s)$/, "") : word,
  );
}

function countWords(list: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
