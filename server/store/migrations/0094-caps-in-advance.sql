-- Counting against a cap summed up every session of the tenant for each statement, which cost as much as the rest of an order.
-- Now a session that looks and finds much room takes a part of it in advance (free_rows, free_bytes), and looks again only when
-- that is used up. What was taken in advance counts as used for all others, so that there is still never one too many.
-- Folding gives back what was not used.
alter table stored_changes add column free_rows bigint not null default 0, add column free_bytes bigint not null default 0;

-- Near a cap one writer at a time is let through. At the cap itself it takes back what others took in advance and are not using.
create function refuse_past_cap(of_kind text, tenant integer) returns void language plpgsql as $$
declare
  cap record;
  used record;
begin
  perform pg_advisory_xact_lock(7161211, hashtext(of_kind || ' ' || tenant));
  update stored_changes set free_rows = 0, free_bytes = 0
  where tenant_id = tenant and kind = of_kind and session = pg_backend_pid();
  select p.max_rows, p.max_bytes, a.plan into cap
  from tenants t join accounts a on a.id = t.account_id join plan_caps p on p.plan = a.plan and p.kind = of_kind
  where t.id = tenant;
  if not found then
    return;
  end if;
  used := stored_and_taken(tenant, of_kind);
  if used.total_rows > cap.max_rows or used.total_bytes > cap.max_bytes then
    update stored_changes s set free_rows = 0, free_bytes = 0
    from (
      select o.session from stored_changes o
      where o.tenant_id = tenant and o.kind = of_kind and (o.free_rows > 0 or o.free_bytes > 0) for update skip locked) idle
    where s.tenant_id = tenant and s.kind = of_kind and s.session = idle.session;
    used := stored_and_taken(tenant, of_kind);
  end if;
  if used.total_rows > cap.max_rows then
    raise exception 'The % plan holds % %.', cap.plan, cap.max_rows, replace(of_kind, '_', ' ')
      using errcode = '23514', constraint = 'plan_cap', hint = of_kind;
  elsif used.total_bytes > cap.max_bytes then
    raise exception 'The % plan holds % MB of %.', cap.plan, cap.max_bytes / 1000000, replace(of_kind, '_', ' ')
      using errcode = '23514', constraint = 'plan_cap', hint = of_kind;
  end if;
end $$;

-- What is stored, and what other sessions have taken in advance.
create function stored_and_taken(tenant integer, of_kind text, out total_rows bigint, out total_bytes bigint) language sql volatile as $$
  select coalesce(sum(s.rows + case when s.session = pg_backend_pid() then 0 else greatest(s.free_rows, 0) end), 0),
    coalesce(sum(s.bytes + case when s.session = pg_backend_pid() then 0 else greatest(s.free_bytes, 0) end), 0)
  from stored_changes s where s.tenant_id = tenant and s.kind = of_kind
$$;

create or replace function add_stored(of_kind text, tenants integer[], added bigint[], sizes bigint[]) returns void language plpgsql as $$
declare
  short integer[];
  near integer;
begin
  if added[1] < 0 or coalesce(current_setting('connector.restoring', true), '') = 'on' then
    insert into stored_changes as s (tenant_id, kind, rows, bytes, session)
    select c.tenant, of_kind, c.added, c.size, pg_backend_pid() from unnest(tenants, added, sizes) as c (tenant, added, size)
    on conflict (tenant_id, kind, session) do update set rows = s.rows + excluded.rows, bytes = s.bytes + excluded.bytes;
    return;
  end if;
  with changed as (
    insert into stored_changes as s (tenant_id, kind, rows, bytes, session, free_rows, free_bytes)
    select c.tenant, of_kind, c.added, c.size, pg_backend_pid(), -c.added, -c.size
    from unnest(tenants, added, sizes) as c (tenant, added, size)
    on conflict (tenant_id, kind, session) do update set rows = s.rows + excluded.rows, bytes = s.bytes + excluded.bytes,
      free_rows = s.free_rows + excluded.free_rows, free_bytes = s.free_bytes + excluded.free_bytes
    returning tenant_id, free_rows, free_bytes)
  select array_agg(tenant_id order by tenant_id) into short from changed where free_rows < 0 or free_bytes < 0;
  if short is null then
    return;
  end if;
  -- A hundred sessions that look at once each add at most a 200th of the room and take a 400th in advance: together less than all.
  for near in
    with room as (
      select c.tenant, c.added, c.size, p.max_rows - used.total_rows as rows, p.max_bytes - used.total_bytes as bytes
      from unnest(tenants, added, sizes) as c (tenant, added, size)
      join tenants t on t.id = c.tenant join accounts a on a.id = t.account_id
      join plan_caps p on p.plan = a.plan and p.kind = of_kind
      cross join lateral stored_and_taken(c.tenant, of_kind) as used
      where c.tenant = any(short)
    ), taken as (
      update stored_changes s set free_rows = room.rows / 400, free_bytes = room.bytes / 400
      from room
      where s.tenant_id = room.tenant and s.kind = of_kind and s.session = pg_backend_pid()
        and room.rows >= 200 * room.added and room.bytes >= 200 * room.size
      returning s.tenant_id)
    select tenant from room where tenant not in (select tenant_id from taken) order by tenant
  loop
    perform refuse_past_cap(of_kind, near);
  end loop;
end $$;

-- Under another cap nothing that was taken in advance holds.
create function forget_taken() returns trigger language plpgsql as $$
begin
  if TG_TABLE_NAME = 'plan_caps' then
    update stored_changes set free_rows = 0, free_bytes = 0 where kind = new.kind and (free_rows > 0 or free_bytes > 0);
  else
    update stored_changes s set free_rows = 0, free_bytes = 0 from tenants t
    where t.account_id = new.id and s.tenant_id = t.id and (s.free_rows > 0 or s.free_bytes > 0);
  end if;
  return null;
end $$;
create trigger caps_change after update on plan_caps for each row
  when (old.max_rows is distinct from new.max_rows or old.max_bytes is distinct from new.max_bytes) execute function forget_taken();
create trigger plan_changes after update of plan on accounts for each row
  when (old.plan is distinct from new.plan) execute function forget_taken();
