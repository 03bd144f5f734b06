-- What the API shows is kept as it was written: jsonb would reorder the members.
alter table deliveries alter column view type json using view::text::json;
alter table couriers alter column view type json using view::text::json;

-- Photographs and drawn signatures, encrypted; removed when the retention ends.
create table delivery_pictures (
  delivery_id text not null,
  kind text not null,
  tenant_id integer not null,
  media_type text not null,
  sha256 text not null,
  sealed text not null,
  created_at timestamptz not null,
  primary key (delivery_id, kind)
);
create index delivery_pictures_by_age on delivery_pictures (created_at);

-- What was ordered can be read back, and the promise outlives the arrival.
update deliveries set view = (view::jsonb || jsonb_build_object(
  'items', coalesce(details #> '{order,items}', '[]'), 'notes', details #> '{order,notes}',
  'vehicle', details #> '{order,vehicle}', 'requested_provider', details #> '{order,provider}',
  'pickup', view::jsonb -> 'pickup' || jsonb_build_object(
    'until', null, 'contact', details #> '{order,contacts,pickup}', 'instructions', null),
  'dropoff', view::jsonb -> 'dropoff' || jsonb_build_object(
    'promised_arrival', view #> '{dropoff,estimated_arrival}',
    'actual_arrival', case when status = 'delivered' then view #> '{dropoff,estimated_arrival}' end,
    'window', null, 'contact', details #> '{order,contacts,dropoff}', 'instructions', null),
  'proof', view::jsonb -> 'proof' || jsonb_build_object('pin_tries_left', null)))::json;
update couriers set view = (view::jsonb || '{"phone": null, "area": null, "hours": null, "time_zone": "UTC"}')::json;
