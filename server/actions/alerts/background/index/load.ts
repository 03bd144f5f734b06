// Fills a shard from the store. Several pages are on their way while one is filed: the store reads, this thread builds.
import type { Db } from "../../../../store/db.ts";
import type { Shard } from "./shard.ts";
import { readExtent, readFeedLinks, readQueries, readTerms, type Share } from "../../store/index-rows.ts";

const PAGE = 50_000;
const AHEAD = 3;
const QUERY_PAGE = 10_000;

export async function loadShard(db: Db, shard: Shard, share: Share): Promise<void> {
  const { about, last } = await readExtent(db);
  if (about > PAGE) shard.reserve(Math.ceil(about / share.parts), last);
  await Promise.all([loadTerms(db, shard, share, last), loadQueries(db, shard, share)]);
  for (const { feedId, number } of await readFeedLinks(db, share)) if (shard.has(number)) shard.link(feedId, number);
}

async function loadTerms(db: Db, shard: Shard, share: Share, last: number): Promise<void> {
  const page = PAGE * share.parts;
  const coming: Promise<string>[] = [];
  for (let after = 0; after < last || coming.length > 0; ) {
    for (; after < last && coming.length < AHEAD; after += page) coming.push(readTerms(db, share, after, after + page));
    shard.putLines(await coming.shift()!);
  }
}

async function loadQueries(db: Db, shard: Shard, share: Share): Promise<void> {
  let next = readQueries(db, share, 0, QUERY_PAGE);
  for (;;) {
    const { lines, last } = await next;
    if (last === null) return;
    next = readQueries(db, share, last, QUERY_PAGE);
    shard.putLines(lines);
  }
}
