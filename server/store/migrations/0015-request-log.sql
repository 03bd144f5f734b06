-- The last requests of every tenant, without bodies: written in batches, bounded by age and by number per tenant.
create table request_log (
  seq bigint generated always as identity primary key,
  tenant_id integer not null,
  id text not null,
  at timestamptz not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text,
  duration_ms real not null,
  key_id text not null,
  route text not null
);
create index request_log_of_tenant on request_log (tenant_id, seq desc);
create index request_log_by_age on request_log using brin (at);

-- Refusals by error code and hour; complete, where the log above keeps only the newest.
create table usage_errors (
  tenant_id integer not null,
  hour timestamptz not null,
  route text not null,
  code text not null,
  requests integer not null,
  last_at timestamptz not null,
  last_request_id text not null,
  primary key (tenant_id, hour, route, code)
);
