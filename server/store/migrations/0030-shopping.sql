-- A host is visited by one worker at a time, never before free_at. robots.txt is kept with it.
create table shopping_hosts (
  host text primary key,
  free_at timestamptz not null,
  crawl_delay_s double precision,
  failures integer not null default 0,
  robots jsonb,
  robots_at timestamptz
);

-- A page is read once for all its trackers. due_at moves forward when a worker takes the page, so a killed worker's page
-- comes back by itself and no two workers hold it.
create table shopping_pages (
  id bigint generated always as identity primary key,
  key text not null unique,
  url text not null,
  host text not null references shopping_hosts (host),
  simulated boolean not null,
  asked_ms bigint not null,
  due_at timestamptz not null,
  etag text,
  last_modified text,
  body_hash text,
  result jsonb,
  checked_at timestamptz,
  changed_at timestamptz,
  checks integer not null default 0,
  failures integer not null default 0,
  http_status integer,
  not_modified boolean not null default false,
  bytes integer,
  duration_ms integer,
  robots text,
  error text,
  created_at timestamptz not null
);
create index shopping_pages_due on shopping_pages (host, due_at);
create index shopping_pages_soonest on shopping_pages (due_at);

create table shopping_trackers (
  id text primary key,
  tenant_id integer not null,
  page_id bigint not null references shopping_pages (id),
  variant text not null default '',
  settings jsonb not null,
  state jsonb not null,
  status text not null,
  tags text[] not null default '{}',
  created_at timestamptz not null,
  unique (tenant_id, page_id, variant)
);
create index shopping_trackers_of_page on shopping_trackers (page_id);
create index shopping_trackers_of_tenant on shopping_trackers (tenant_id, id desc);

create table shopping_points (
  tracker_id text not null references shopping_trackers (id) on delete cascade,
  at timestamptz not null,
  amount text,
  list_amount text,
  currency text,
  availability text not null,
  primary key (tracker_id, at)
);
