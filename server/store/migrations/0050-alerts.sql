-- An alert is known to the matching engine by its number; sources is 1 ingest | 2 events | 4 feeds.
create table alerts (
  number integer generated always as identity primary key,
  id text not null unique,
  tenant_id integer not null references tenants (id),
  status text not null check (status in ('pending_verification', 'active', 'paused', 'expired')),
  -- A single folded word or tag ('w:kettle', 't:launch'): the engine takes it without parsing.
  term text,
  query text not null,
  sources smallint not null,
  spec jsonb not null,
  pace jsonb not null,
  conditions jsonb not null,
  stats jsonb not null,
  -- When an empty digest is to be sent.
  due_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index alerts_of_tenant on alerts (tenant_id, id desc);
-- What is read at start, without touching the wide rows.
create index alerts_terms on alerts (number) include (tenant_id, sources, term) where status = 'active' and term is not null;
create index alerts_due on alerts (due_at) where due_at is not null;
create index alerts_expiring on alerts (expires_at) where expires_at is not null;
create index alerts_by_change on alerts (updated_at);

create table alert_channels (
  id text primary key,
  alert_number integer not null references alerts (number) on delete cascade,
  tenant_id integer not null,
  position smallint not null,
  type text not null,
  target jsonb not null,
  -- Tokens and signing secrets, sealed and bound to the channel's id.
  sealed text not null,
  status text not null check (status in ('pending_verification', 'active', 'failing', 'disabled')),
  failures integer not null default 0,
  failing_since timestamptz,
  last_error text,
  -- Unguessable: confirms and ends an e-mail subscription.
  token text not null unique
);
create index alert_channels_of_alert on alert_channels (alert_number, position);

-- A feed is read once for all alerts; next_at moves forward when a worker takes it, so a killed worker's feed comes back.
create table alert_feeds (
  id text primary key,
  key text not null unique,
  url text not null,
  simulated boolean not null,
  format text,
  title text,
  hub text,
  -- WebSub: topic, sealed secret, and until when the hub pushes. The token is the callback's address.
  websub jsonb,
  hub_token text unique,
  state jsonb not null,
  next_at timestamptz
);
create index alert_feeds_due on alert_feeds (next_at) where next_at is not null;

create table alert_feed_links (
  alert_number integer not null references alerts (number) on delete cascade,
  feed_id text not null references alert_feeds (id) on delete cascade,
  interval_s integer,
  primary key (alert_number, feed_id)
);
create index alert_feed_links_of_feed on alert_feed_links (feed_id);

-- Items of a feed that are no longer new.
create table alert_feed_items (
  feed_id text not null references alert_feeds (id) on delete cascade,
  key text not null,
  seen_at timestamptz not null,
  primary key (feed_id, key)
);

-- What an alert has matched already, by guid, address or words.
create table alert_seen (
  alert_number integer not null references alerts (number) on delete cascade,
  key text not null,
  until timestamptz not null,
  primary key (alert_number, key)
);
create index alert_seen_until on alert_seen (until);

create table alert_matches (
  seq bigint generated always as identity primary key,
  id text not null unique,
  tenant_id integer not null,
  alert_number integer not null references alerts (number) on delete cascade,
  item jsonb not null,
  terms text[] not null,
  highlights jsonb not null,
  state text not null check (state in ('held', 'notified', 'suppressed')),
  reason text,
  group_key text not null,
  due_at timestamptz,
  created_at timestamptz not null
);
create index alert_matches_of_alert on alert_matches (alert_number, seq desc);
create index alert_matches_due on alert_matches (due_at) where state = 'held';
create index alert_matches_by_age on alert_matches (created_at);

create table alert_outbox (
  seq bigint generated always as identity primary key,
  id text not null unique,
  tenant_id integer not null,
  alert_number integer not null references alerts (number) on delete cascade,
  channel_id text not null references alert_channels (id) on delete cascade,
  message jsonb not null,
  status text not null check (status in ('queued', 'retrying', 'delivered', 'dead')),
  attempts integer not null default 0,
  next_at timestamptz,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index alert_outbox_due on alert_outbox (next_at) where next_at is not null;
create index alert_outbox_of_alert on alert_outbox (alert_number, seq desc);
create index alert_outbox_by_age on alert_outbox (created_at);

-- Recent content of a tenant, for previews.
create table alert_content (
  seq bigint generated always as identity primary key,
  tenant_id integer not null references tenants (id),
  content jsonb not null,
  created_at timestamptz not null
);
create index alert_content_of_tenant on alert_content (tenant_id, seq desc);
create index alert_content_by_age on alert_content (created_at);

-- How far the event log has been matched.
create table alert_position (one boolean primary key default true check (one), seq bigint not null);
