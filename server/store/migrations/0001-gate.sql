create table accounts (
  id text primary key,
  name text not null,
  email text,
  plan text not null check (plan in ('free', 'plus', 'max')),
  created_at timestamptz not null
);

-- The data of one world (live or test) of one account belongs to a tenant.
create table tenants (
  id integer generated always as identity primary key,
  account_id text not null references accounts (id),
  mode text not null check (mode in ('live', 'test')),
  unique (account_id, mode)
);

create table keys (
  id text primary key,
  tenant_id integer not null references tenants (id),
  name text not null,
  hash text not null unique,
  first text not null,
  last text not null,
  scopes text[] not null,
  ip_allowlist text[] not null default '{}',
  expires_at timestamptz,
  revoked_at timestamptz,
  rolled_to text,
  created_by text,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index keys_of_tenant on keys (tenant_id, id desc);

-- Counters that replicas watch to learn that something they hold in memory has changed.
create table generations (
  name text primary key,
  value bigint not null
);
insert into generations (name, value) values ('keys', 1);

create table idempotency (
  digest text primary key,
  tenant_id integer not null,
  fingerprint text not null,
  status smallint not null,
  body text not null,
  created_at timestamptz not null
);
create index idempotency_by_age on idempotency (created_at);

-- Every state change writes its event here in its own transaction. How a follower reads in `seq` order without missing
-- a row that commits late is in migration 0010.
create table events (
  seq bigint generated always as identity primary key,
  id text not null unique,
  tenant_id integer not null,
  type text not null,
  tags text[] not null default '{}',
  data jsonb not null,
  created_at timestamptz not null
);
create index events_of_tenant on events (tenant_id, seq);

create table usage (
  tenant_id integer not null,
  minute timestamptz not null,
  route text not null,
  requests integer not null,
  failures integer not null,
  primary key (tenant_id, minute, route)
);

-- Append-only; each row's hash covers the row before it, so a removed or changed row breaks the chain.
create table audit (
  seq bigint primary key,
  id text not null unique,
  at timestamptz not null,
  account_id text,
  actor text not null,
  action text not null,
  target text not null,
  client_address text,
  request_id text,
  detail jsonb not null,
  previous_hash text not null,
  hash text not null
);
create index audit_of_account on audit (account_id, seq desc);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit rows are never changed or removed';
end $$;
create trigger audit_is_append_only before update or delete on audit for each row execute function refuse_change();
create trigger audit_is_kept before truncate on audit execute function refuse_change();
