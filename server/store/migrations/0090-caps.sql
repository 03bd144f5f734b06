-- How much of each kind a plan holds; written at every start from platform/caps.
create table plan_caps (
  plan text not null,
  kind text not null,
  max_rows bigint not null,
  max_bytes bigint not null,
  primary key (plan, kind)
);

-- What a tenant stores, as a sum of changes: two writers that append never wait for each other. Folded together now and then.
create table stored_changes (
  tenant_id integer not null,
  kind text not null,
  rows bigint not null,
  bytes bigint not null
);
create index stored_changes_of_tenant on stored_changes (tenant_id, kind) include (rows, bytes);

create function stored_by(tenant integer, of_kind text, out total_rows bigint, out total_bytes bigint) language sql volatile as $$
  select coalesce(sum(s.rows), 0), coalesce(sum(s.bytes), 0) from stored_changes s
  where s.tenant_id = tenant and s.kind = of_kind
$$;

-- Counts what a statement adds or removes, and refuses what goes past the cap of the tenant's plan. Far from the cap nobody
-- waits for anybody; near it one writer at a time is let through, so that there is never one too many.
create function count_stored() returns trigger language plpgsql as $$
declare
  of_kind text := TG_ARGV[0];
  change record;
  cap record;
  used record;
begin
  if TG_OP = 'DELETE' then
    insert into stored_changes
    select o.tenant_id, of_kind, -count(*), -sum(octet_length(o::text)) from old_rows o group by o.tenant_id;
    return null;
  end if;
  for change in
    select n.tenant_id as tenant, count(*) as added, sum(octet_length(n::text)) as size from new_rows n group by n.tenant_id
  loop
    insert into stored_changes values (change.tenant, of_kind, change.added, change.size);
    continue when coalesce(current_setting('connector.restoring', true), '') = 'on';
    select c.max_rows, c.max_bytes, a.plan into cap
    from tenants t join accounts a on a.id = t.account_id join plan_caps c on c.plan = a.plan and c.kind = of_kind
    where t.id = change.tenant;
    continue when not found;
    used := stored_by(change.tenant, of_kind);
    continue when used.total_rows + 100 * change.added <= cap.max_rows
      and used.total_bytes + 100 * change.size <= cap.max_bytes;
    perform pg_advisory_xact_lock(7161211, hashtext(of_kind || ' ' || change.tenant));
    used := stored_by(change.tenant, of_kind);
    if used.total_rows > cap.max_rows then
      raise exception 'The % plan holds % %.', cap.plan, cap.max_rows, replace(of_kind, '_', ' ')
        using errcode = '23514', constraint = 'plan_cap', hint = of_kind;
    elsif used.total_bytes > cap.max_bytes then
      raise exception 'The % plan holds % MB of %.', cap.plan, cap.max_bytes / 1000000, replace(of_kind, '_', ' ')
        using errcode = '23514', constraint = 'plan_cap', hint = of_kind;
    end if;
  end loop;
  return null;
end $$;

do $$
declare
  counted record;
begin
  for counted in
    select * from (values ('keys', 'keys'), ('webhooks', 'webhooks'), ('deliveries', 'deliveries'), ('couriers', 'couriers'),
      ('delivery_places', 'delivery_places'), ('delivery_pictures', 'delivery_pictures'), ('shopping_trackers', 'trackers'),
      ('stock_levels', 'levels'), ('stock_books', 'own_securities'), ('alerts', 'alerts'), ('alert_channels', 'alert_channels'),
      ('alert_content', 'content'), ('detector_analyses', 'analyses'), ('sandbox_inbox', 'inbox_messages'))
      as t (table_name, kind)
  loop
    execute format('insert into stored_changes select x.tenant_id, %L, count(*), sum(octet_length(x::text)) from %I x group by x.tenant_id',
      counted.kind, counted.table_name);
    execute format('create trigger count_stored_insert after insert on %I referencing new table as new_rows
      for each statement execute function count_stored(%L)', counted.table_name, counted.kind);
    execute format('create trigger count_stored_delete after delete on %I referencing old table as old_rows
      for each statement execute function count_stored(%L)', counted.table_name, counted.kind);
  end loop;
end $$;
