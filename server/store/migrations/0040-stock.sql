-- Stock: an operator's directory, books of users' own feeds, price levels.
create table stock_instruments (
  symbol text not null,
  mic text not null,
  data jsonb not null,
  primary key (symbol, mic)
);

create table stock_books (
  tenant_id int not null,
  key text not null,
  source text not null,
  symbol text not null,
  mic text,
  terms jsonb not null,
  state jsonb not null,
  updated_at timestamptz not null,
  primary key (tenant_id, key)
);

create table stock_levels (
  id text primary key,
  tenant_id int not null,
  key text not null,
  symbol text not null,
  mic text,
  above text,
  below text,
  percent text,
  hysteresis text,
  repeat boolean not null,
  state text not null,
  tags text[] not null,
  mode text not null,
  created_at timestamptz not null,
  crossed_at timestamptz,
  crossed_price text
);
create index stock_levels_tenant on stock_levels (tenant_id, id);
create index stock_levels_active on stock_levels (id) where state <> 'done';
