-- Followers read events in seq order. A transaction may take its seq early and commit late, so a follower must know up to
-- where nothing can still appear. Every writer holds a shared lock from before it takes a seq until it is over; the
-- horizon is the last seq given out, once all who held that lock at that moment are gone. No writer ever waits.
create function mark_event_writer() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7161210, 0);
  return null;
end $$;
create trigger events_have_a_writer before insert on events for each statement execute function mark_event_writer();

-- The last seq first and the writers after it: whoever took a seq up to that one is among them or over.
create function event_horizon(out last bigint, out writers text[]) language plpgsql as $$
begin
  last := coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'seq')), 0);
  writers := array(
    select virtualtransaction from pg_locks
    where locktype = 'advisory' and classid = 7161210 and objid = 0 and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database()));
end $$;

create index events_by_age on events (created_at);

create table webhooks (
  id text primary key,
  tenant_id integer not null references tenants (id),
  mode text not null check (mode in ('live', 'test')),
  url text not null,
  types text[] not null,
  description text,
  -- Sealed with AES-256-GCM, bound to the webhook's id.
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  status text not null check (status in ('enabled', 'disabled')),
  disabled_reason text,
  disabled_at timestamptz,
  -- Health: the first failure since the last success, failures in a row, and until when it asked to be left alone.
  failing_since timestamptz,
  failures integer not null default 0,
  throttled_until timestamptz,
  -- Everything up to here has had its first attempt.
  position bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index webhooks_of_tenant on webhooks (tenant_id, id desc);
create index webhooks_enabled on webhooks (id) where status = 'enabled';

-- Events whose first attempt failed, and replays. next_at is null when no further attempt is made.
create table webhook_retries (
  webhook_id text not null references webhooks (id) on delete cascade,
  event_id text not null,
  seq bigint not null,
  attempts integer not null,
  next_at timestamptz,
  primary key (webhook_id, event_id)
);
create index webhook_retries_due on webhook_retries (webhook_id, next_at) where next_at is not null;

create table webhook_attempts (
  seq bigint generated always as identity primary key,
  webhook_id text not null references webhooks (id) on delete cascade,
  event_id text not null,
  event_type text not null,
  attempt integer not null,
  at timestamptz not null,
  outcome text not null check (outcome in ('delivered', 'retrying', 'failed')),
  status smallint,
  duration_ms integer not null,
  error text,
  next_at timestamptz
);
create index webhook_attempts_of_webhook on webhook_attempts (webhook_id, seq desc);
create index webhook_attempts_by_age on webhook_attempts (at);

-- What a test key's deliveries would have sent into the world.
create table sandbox_inbox (
  seq bigint generated always as identity primary key,
  id text not null unique,
  tenant_id integer not null references tenants (id),
  channel text not null,
  recipient text not null,
  content jsonb not null,
  created_at timestamptz not null
);
create index sandbox_inbox_of_tenant on sandbox_inbox (tenant_id, seq desc);
