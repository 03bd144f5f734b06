// Finds actions by what they do: BM25 over the ids, paths and texts of all routes.
import type { Route } from "../contract/define.ts";

export interface Found {
  action: string;
  request: string;
  summary: string;
}

const [K1, B] = [1.2, 0.6];

export function createSearch(routes: Route[]) {
  const documents = routes.map((route) =>
    tokens(
      `${route.id} ${route.id} ${route.path} ${route.summary} ${route.summary} ${route.description ?? ""} ${fieldsOf(route)}`,
    ),
  );
  const average = documents.reduce((sum, d) => sum + d.length, 0) / documents.length;
  const holding = new Map<string, number>();
  for (const document of documents)
    for (const word of new Set(document)) holding.set(word, (holding.get(word) ?? 0) + 1);

  function score(document: string[], words: string[]): number {
    let total = 0;
    for (const word of words) {
      const count = document.reduce((n, w) => n + (w === word ? 1 : 0), 0);
      if (count === 0) continue;
      const rarity = Math.log(1 + (documents.length - holding.get(word)! + 0.5) / (holding.get(word)! + 0.5));
      total += (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * document.length) / average));
    }
    return total;
  }

  return (question: string, limit = 8): Found[] => {
    const words = tokens(question);
    return routes
      .map((route, i) => ({ route, points: score(documents[i], words) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points)
      .slice(0, limit)
      .map(({ route }) => ({ action: route.id, request: `${route.method} ${route.path}`, summary: route.summary }));
  };
}

const fieldsOf = ({ query, body }: Route): string =>
  [query, body].flatMap((schema: any) => Object.keys(schema?.properties ?? {})).join(" ");

/** Lower-case words without their endings: "deliveries" and "delivery" are one. */
export function tokens(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/(ies|ying)$/, "y").replace(/(ing|ed|es|s)$/, "") : word,
  );
}
