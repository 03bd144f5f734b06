-- What an account decides about its deliveries: brand, tariff, zones, opening hours.
create table delivery_settings (
  tenant_id integer primary key,
  settings jsonb not null,
  updated_at timestamptz not null
);
update deliveries set view = (view::jsonb || '{"price": null, "rating": null}')::json;
