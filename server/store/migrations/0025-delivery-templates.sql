-- Orders that come again: a delivery is scheduled for every occurrence.
create table delivery_templates (
  id text primary key,
  tenant_id integer not null,
  view json not null,
  -- When the next delivery is picked up; null when there is none.
  next_at timestamptz,
  created_at timestamptz not null
);
create index delivery_templates_of_tenant on delivery_templates (tenant_id, id desc);
create index delivery_templates_due on delivery_templates (next_at) where next_at is not null;
