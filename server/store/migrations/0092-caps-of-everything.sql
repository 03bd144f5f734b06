-- Caps for what else an account can fill the disk with: events, idempotency records, feeds, batches, templates.

-- The owner stands in the row itself: when an alert goes, its links go after it and can no longer ask whose it was.
alter table alert_feed_links add column tenant_id integer;
update alert_feed_links l set tenant_id = a.tenant_id from alerts a where a.number = l.alert_number;
alter table alert_feed_links alter column tenant_id set not null;

-- Written with every change: the length of the column that holds nearly all of the row costs less than writing the row out.
-- Events that no request asked for (a courier moved, a feed had news) are counted and never refused: their cause is stored
-- already, and one transaction may carry events of many tenants.
create function count_events() returns trigger language plpgsql as $$
declare
  beside constant integer := 200;
  change record;
begin
  if TG_OP = 'DELETE' then
    select array_agg(c.tenant_id) as tenants, array_agg(-c.n) as rows, array_agg(-c.size) as bytes into change
    from (select o.tenant_id, count(*) as n, sum(octet_length(o.data::text) + beside) as size from old_rows o group by o.tenant_id) c;
  else
    select array_agg(c.tenant_id) as tenants, array_agg(c.n) as rows, array_agg(c.size) as bytes into change
    from (select n.tenant_id, count(*) as n, sum(octet_length(n.data::text) + beside) as size from new_rows n group by n.tenant_id) c;
  end if;
  if change.tenants is null then
    return null;
  end if;
  if coalesce(current_setting('connector.derived_events', true), '') = 'on' then
    insert into stored_changes as s (tenant_id, kind, rows, bytes, session)
    select c.tenant, 'events', c.added, c.size, pg_backend_pid()
    from unnest(change.tenants, change.rows, change.bytes) as c (tenant, added, size)
    on conflict (tenant_id, kind, session) do update set rows = s.rows + excluded.rows, bytes = s.bytes + excluded.bytes;
  else
    perform add_stored('events', change.tenants, change.rows, change.bytes);
  end if;
  return null;
end $$;

create function count_idempotency() returns trigger language plpgsql as $$
declare
  beside constant integer := 150;
  change record;
begin
  if TG_OP = 'DELETE' then
    select array_agg(c.tenant_id) as tenants, array_agg(-c.n) as rows, array_agg(-c.size) as bytes into change
    from (select o.tenant_id, count(*) as n, sum(octet_length(o.body) + beside) as size from old_rows o group by o.tenant_id) c;
  else
    select array_agg(c.tenant_id) as tenants, array_agg(c.n) as rows, array_agg(c.size) as bytes into change
    from (select n.tenant_id, count(*) as n, sum(octet_length(n.body) + beside) as size from new_rows n group by n.tenant_id) c;
  end if;
  if change.tenants is not null then
    perform add_stored('idempotency_records', change.tenants, change.rows, change.bytes);
  end if;
  return null;
end $$;

insert into stored_changes (tenant_id, kind, rows, bytes, session)
select tenant_id, 'events', count(*), sum(octet_length(data::text) + 200), 0 from events group by tenant_id
union all
select tenant_id, 'idempotency_records', count(*), sum(octet_length(body) + 150), 0 from idempotency group by tenant_id;

create trigger count_stored_insert after insert on events referencing new table as new_rows
  for each statement execute function count_events();
create trigger count_stored_delete after delete on events referencing old table as old_rows
  for each statement execute function count_events();
create trigger count_stored_insert after insert on idempotency referencing new table as new_rows
  for each statement execute function count_idempotency();
create trigger count_stored_delete after delete on idempotency referencing old table as old_rows
  for each statement execute function count_idempotency();

do $$
declare
  counted record;
begin
  for counted in
    select * from (values ('alert_feed_links', 'feeds'), ('detector_batches', 'batches'), ('delivery_templates', 'delivery_templates'))
      as t (table_name, kind)
  loop
    execute format('insert into stored_changes (tenant_id, kind, rows, bytes, session)
      select x.tenant_id, %L, count(*), sum(octet_length(x::text)), 0 from %I x group by x.tenant_id', counted.kind, counted.table_name);
    execute format('create trigger count_stored_insert after insert on %I referencing new table as new_rows
      for each statement execute function count_stored(%L)', counted.table_name, counted.kind);
    execute format('create trigger count_stored_delete after delete on %I referencing old table as old_rows
      for each statement execute function count_stored(%L)', counted.table_name, counted.kind);
  end loop;
end $$;
