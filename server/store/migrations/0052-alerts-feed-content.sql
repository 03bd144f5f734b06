-- Recent items of a feed, for previews; kept for a week.
create table alert_feed_content (
  seq bigint generated always as identity primary key,
  feed_id text not null references alert_feeds (id) on delete cascade,
  content jsonb not null,
  created_at timestamptz not null
);
create index alert_feed_content_of_feed on alert_feed_content (feed_id, seq desc);
create index alert_feed_content_by_age on alert_feed_content (created_at);
