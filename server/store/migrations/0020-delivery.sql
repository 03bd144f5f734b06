create table deliveries (
  id text primary key,
  tenant_id integer not null,
  status text not null,
  view jsonb not null,
  created_at timestamptz not null
);
create index deliveries_of_tenant on deliveries (tenant_id, id desc);
