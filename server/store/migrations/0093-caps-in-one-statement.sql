-- What is added and whether it comes near a cap, in one statement instead of two: the sum of other sessions is read beside the
-- change of one's own. Near a cap everything is as before: one writer at a time, and the sum read again under the lock.
create or replace function add_stored(of_kind text, tenants integer[], added bigint[], sizes bigint[]) returns void language plpgsql as $$
declare
  near integer[];
  tenant integer;
  cap record;
  used record;
begin
  if added[1] < 0 or coalesce(current_setting('connector.restoring', true), '') = 'on' then
    insert into stored_changes as s (tenant_id, kind, rows, bytes, session)
    select c.tenant, of_kind, c.added, c.size, pg_backend_pid() from unnest(tenants, added, sizes) as c (tenant, added, size)
    on conflict (tenant_id, kind, session) do update set rows = s.rows + excluded.rows, bytes = s.bytes + excluded.bytes;
    return;
  end if;
  with given as (
    select * from unnest(tenants, added, sizes) as c (tenant, added, size)
  ), changed as (
    insert into stored_changes as s (tenant_id, kind, rows, bytes, session)
    select c.tenant, of_kind, c.added, c.size, pg_backend_pid() from given c
    on conflict (tenant_id, kind, session) do update set rows = s.rows + excluded.rows, bytes = s.bytes + excluded.bytes
    returning tenant_id, rows, bytes
  )
  select array_agg(c.tenant order by c.tenant) into near
  from given c join changed own on own.tenant_id = c.tenant
  join tenants t on t.id = c.tenant join accounts a on a.id = t.account_id
  join plan_caps p on p.plan = a.plan and p.kind = of_kind
  cross join lateral (
    select coalesce(sum(s.rows), 0) + own.rows as rows, coalesce(sum(s.bytes), 0) + own.bytes as bytes from stored_changes s
    where s.tenant_id = c.tenant and s.kind = of_kind and s.session <> pg_backend_pid()) as stored
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
