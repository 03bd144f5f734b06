-- What a tenant stores is counted in one row for each session of the database that wrote for it: a session changes only rows of
-- its own, so that writers never wait for each other, and a sum reads as many rows as there are sessions, however much was
-- written since they were last folded together (under session 0).
create table stored_sums as select tenant_id, kind, sum(rows)::bigint as rows, sum(bytes)::bigint as bytes
  from stored_changes group by tenant_id, kind;
truncate stored_changes;
drop index stored_changes_of_tenant;
alter table stored_changes add column session integer not null default 0, add primary key (tenant_id, kind, session);
alter table stored_changes set (fillfactor = 60);
insert into stored_changes select tenant_id, kind, rows, bytes, 0 from stored_sums;
drop table stored_sums;

-- Adds what a statement stored or removed, and refuses what goes past the cap of a tenant's plan. Far from the cap nobody waits
-- for anybody; near it one writer at a time is let through, so that there is never one too many.
create function add_stored(of_kind text, tenants integer[], added bigint[], sizes bigint[]) returns void language plpgsql as $$
declare
  near integer[];
  tenant integer;
  cap record;
  used record;
begin
  insert into stored_changes as s (tenant_id, kind, rows, bytes, session)
  select c.tenant, of_kind, c.added, c.size, pg_backend_pid() from unnest(tenants, added, sizes) as c (tenant, added, size)
  on conflict (tenant_id, kind, session) do update set rows = s.rows + excluded.rows, bytes = s.bytes + excluded.bytes;
  if added[1] < 0 or coalesce(current_setting('connector.restoring', true), '') = 'on' then
    return;
  end if;
  select array_agg(c.tenant order by c.tenant) into near
  from unnest(tenants, added, sizes) as c (tenant, added, size)
  join tenants t on t.id = c.tenant join accounts a on a.id = t.account_id
  join plan_caps p on p.plan = a.plan and p.kind = of_kind
  cross join lateral (
    select sum(s.rows) as rows, sum(s.bytes) as bytes from stored_changes s
    where s.tenant_id = c.tenant and s.kind = of_kind) as stored
  where stored.rows + 100 * c.added > p.max_rows or stored.bytes + 100 * c.size > p.max_bytes;
  if near is null then
    return;
  end if;
  foreach tenant in array near loop
    perform pg_advisory_xact_lock(7161211, hashtext(of_kind || ' ' || tenant));
    select p.max_rows, p.max_bytes, a.plan into cap
    from tenants t join accounts a on a.id = t.account_id join plan_caps p on p.plan = a.plan and p.kind = of_kind
    where t.id = tenant;
    used := stored_by(tenant, of_kind);
    if used.total_rows > cap.max_rows then
      raise exception 'The % plan holds % %.', cap.plan, cap.max_rows, replace(of_kind, '_', ' ')
        using errcode = '23514', constraint = 'plan_cap', hint = of_kind;
    elsif used.total_bytes > cap.max_bytes then
      raise exception 'The % plan holds % MB of %.', cap.plan, cap.max_bytes / 1000000, replace(of_kind, '_', ' ')
        using errcode = '23514', constraint = 'plan_cap', hint = of_kind;
    end if;
  end loop;
end $$;

create or replace function count_stored() returns trigger language plpgsql as $$
declare
  change record;
begin
  if TG_OP = 'DELETE' then
    select array_agg(c.tenant_id) as tenants, array_agg(-c.n) as rows, array_agg(-c.size) as bytes into change
    from (select o.tenant_id, count(*) as n, sum(octet_length(o::text)) as size from old_rows o group by o.tenant_id) c;
  else
    select array_agg(c.tenant_id) as tenants, array_agg(c.n) as rows, array_agg(c.size) as bytes into change
    from (select n.tenant_id, count(*) as n, sum(octet_length(n::text)) as size from new_rows n group by n.tenant_id) c;
  end if;
  if change.tenants is not null then
    perform add_stored(TG_ARGV[0], change.tenants, change.rows, change.bytes);
  end if;
  return null;
end $$;

-- Deliveries are written most often: the length of what the API shows is most of a row, and costs less than writing the row out.
create function count_deliveries() returns trigger language plpgsql as $$
declare
  beside constant integer := 700;
  change record;
begin
  if TG_OP = 'DELETE' then
    select array_agg(c.tenant_id) as tenants, array_agg(-c.n) as rows, array_agg(-c.size) as bytes into change
    from (select o.tenant_id, count(*) as n, sum(octet_length(o.view::text) + beside) as size from old_rows o group by o.tenant_id) c;
  else
    select array_agg(c.tenant_id) as tenants, array_agg(c.n) as rows, array_agg(c.size) as bytes into change
    from (select n.tenant_id, count(*) as n, sum(octet_length(n.view::text) + beside) as size from new_rows n group by n.tenant_id) c;
  end if;
  if change.tenants is not null then
    perform add_stored('deliveries', change.tenants, change.rows, change.bytes);
  end if;
  return null;
end $$;
create or replace trigger count_stored_insert after insert on deliveries referencing new table as new_rows
  for each statement execute function count_deliveries();
create or replace trigger count_stored_delete after delete on deliveries referencing old table as old_rows
  for each statement execute function count_deliveries();
