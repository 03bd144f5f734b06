-- Recipients who want no more messages of an account, by a hash of their address.
create table delivery_notice_stops (
  tenant_id integer not null,
  address_hash text not null,
  stopped_at timestamptz not null,
  primary key (tenant_id, address_hash)
);
update deliveries set view = (jsonb_set(view::jsonb, '{dropoff,notify}', 'null'))::json;
