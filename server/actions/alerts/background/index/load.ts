// Loads a shard from the store. Several pages are read ahead while one is indexed.
import type { Db } from "../../../../store/db.ts";
import type { Shard } from "./shard.ts";
import type { ShardShare } from "../../rows.ts";
import { readExtent, readFeedLinks, readQueries, readTerms } from "../../store/index-rows.ts";

const PAGE = 50_000;
const READ_AHEAD = 3;
const QUERY_PAGE = 10_000;

export async function loadShard(db: Db, shard: Shard, share: ShardShare): Promise<void> {
  const { about, last } = await readExtent(db);
  if (about > PAGE) shard.reserve(Math.ceil(about / share.parts), last);
  await Promise.all([loadTerms(db, shard, share, last), loadQueries(db, shard, share)]);
  for (const { feedId, number } of await readFeedLinks(db, share)) if (shard.has(number)) shard.link(feedId, number);
}

async function loadTerms(db: Db, shard: Shard, share: ShardShare, last: number): Promise<void> {
  const pageSize = PAGE * share.parts;
  const pages: Promise<string>[] = [];
  for (let after = 0; after < last || pages.length > 0; ) {
    for (; after < last && pages.length < READ_AHEAD; after += pageSize)
      pages.push(readTerms(db, share, after, after + pageSize));
    shard.putLines(await pages.shift()!);
  }
}

async function loadQueries(db: Db, shard: Shard, share: ShardShare): Promise<void> {
  let next = readQueries(db, share, 0, QUERY_PAGE);
  for (;;) {
    const { lines, last } = await next;
    if (last === null) return;
    next = readQueries(db, share, last, QUERY_PAGE);
    shard.putLines(lines);
  }
}
