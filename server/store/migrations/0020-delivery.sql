create table deliveries (
  id text primary key,
  tenant_id integer not null,
  status text not null,
  -- What the API shows.
  view jsonb not null,
  -- The state of machine.ts: courier, excluded couriers, attempts, proof, events seen.
  machine jsonb not null,
  -- What only the service needs: points, offer, provider, plan.
  details jsonb not null,
  external_id text,
  pickup_at timestamptz not null,
  -- When the dispatcher must look at it again; null when nothing is to be done by itself.
  wake_at timestamptz,
  courier_id text,
  provider text,
  provider_ref text,
  track text not null,
  created_at timestamptz not null
);
create index deliveries_of_tenant on deliveries (tenant_id, id desc);
create unique index deliveries_external on deliveries (tenant_id, external_id) where external_id is not null;
create unique index deliveries_track on deliveries (track);
create index deliveries_wake on deliveries (wake_at) where wake_at is not null;
create index deliveries_courier on deliveries (courier_id) where courier_id is not null;
create index deliveries_provider on deliveries (provider, provider_ref) where provider_ref is not null;

create table couriers (
  id text primary key,
  tenant_id integer not null,
  token text not null unique,
  view jsonb not null,
  created_at timestamptz not null
);
create index couriers_of_tenant on couriers (tenant_id, id);

-- What finished deliveries taught about an area (engine/eta/calibration.ts).
create table delivery_areas (
  tenant_id integer not null,
  area text not null,
  calibration jsonb not null,
  primary key (tenant_id, area)
);
