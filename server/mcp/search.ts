// Finds actions by what they do, over the ids, paths and texts of all routes.
import type { Route } from "../contract/define.ts";
import { createTextIndex } from "../lib/text-index.ts";

export interface Found {
  action: string;
  request: string;
  summary: string;
}

export function createSearch(routes: Route[]) {
  const find = createTextIndex(
    routes.map(
      ({ id, path, summary, description = "", ...route }) =>
        `${id} ${id} ${path} ${summary} ${summary} ${description} ${fieldsOf(route)}`,
    ),
  );
  return (question: string, limit = 8): Found[] =>
    find(question, limit).map((i) => {
      const { id, method, path, summary } = routes[i];
      return { action: id, request: `${method} ${path}`, summary };
    });
}

const fieldsOf = ({ query, body }: Pick<Route, "query" | "body">): string =>
  [query, body].flatMap((schema: any) => Object.keys(schema?.properties ?? {})).join(" ");
