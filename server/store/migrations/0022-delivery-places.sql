-- The address book of an account: doors that couriers and people showed us, found again in other spellings.
create table delivery_places (
  id text primary key,
  tenant_id integer not null,
  -- The address as it was first written.
  address text not null,
  -- What the spelling-tolerant search looks up (engine/places/address-words.ts).
  words jsonb not null,
  keys text[] not null,
  -- Where the geocoder put the address then.
  geocoded jsonb,
  sightings jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index delivery_places_by_key on delivery_places using gin (keys);
create index delivery_places_of_tenant on delivery_places (tenant_id, id desc);
