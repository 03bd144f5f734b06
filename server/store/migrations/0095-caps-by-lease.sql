-- Leases: a process of the service takes room under a tenant's caps in advance and counts its orders itself, in memory. See
-- docs/decisions/0305-caps-by-lease.md. Always true, for each tenant and kind:
--   what is stored = the rows of stored_changes + the entries of stored_log;
--   the free room of a holder >= its entries in stored_log + its statements under way + what it counts in memory.
-- So stored_changes alone (rows + free room) is never less than what is stored.

-- Processes that hold leases. A holder whose row is gone can write nothing more under its number; it comes back with a new one.
create table cap_holders (
  holder integer generated always as identity primary key,
  seen_at timestamptz not null default now()
);

-- What holders stored, written by the statement that stores it: one row for each statement and kind, one entry for each stored row.
-- Folded into stored_changes every few seconds. A lease is a row of stored_changes with the session -holder.
create table stored_log (
  holder integer not null,
  kind text not null,
  tenants integer[] not null,
  bytes bigint[] not null
);

-- For a statement that counts itself by an entry in stored_log: until it commits its holder cannot be ended, and the triggers
-- count nothing. Fails when the holder is gone.
create function hold_lease(of_holder integer) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7161214, of_holder);
  perform 1 from cap_holders where holder = of_holder;
  if not found then
    raise exception 'The leases of holder % are gone.', of_holder using errcode = 'CP001';
  end if;
  perform set_config('connector.counted', 'on', true);
  return true;
end $$;

-- The triggers of migrations 0091 and 0092 for new rows, which count nothing where the statement does. Asked inside and not by
-- WHEN: PostgreSQL would read that condition anew for each statement, at ten times the cost.
create function count_new_deliveries() returns trigger language plpgsql as $$
declare
  change record;
begin
  if current_setting('connector.counted', true) = 'on' then
    return null;
  end if;
  select array_agg(c.tenant_id) as tenants, array_agg(c.n) as rows, array_agg(c.size) as bytes into change
  from (select n.tenant_id, count(*) as n, sum(octet_length(n.view::text) + 700) as size from new_rows n group by n.tenant_id) c;
  if change.tenants is not null then
    perform add_stored('deliveries', change.tenants, change.rows, change.bytes);
  end if;
  return null;
end $$;

create function count_new_events() returns trigger language plpgsql as $$
declare
  change record;
begin
  if current_setting('connector.counted', true) = 'on' then
    return null;
  end if;
  select array_agg(c.tenant_id) as tenants, array_agg(c.n) as rows, array_agg(c.size) as bytes into change
  from (select n.tenant_id, count(*) as n, sum(octet_length(n.data::text) + 200) as size from new_rows n group by n.tenant_id) c;
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

create function count_new_idempotency() returns trigger language plpgsql as $$
declare
  change record;
begin
  if current_setting('connector.counted', true) = 'on' then
    return null;
  end if;
  select array_agg(c.tenant_id) as tenants, array_agg(c.n) as rows, array_agg(c.size) as bytes into change
  from (select n.tenant_id, count(*) as n, sum(octet_length(n.body) + 150) as size from new_rows n group by n.tenant_id) c;
  if change.tenants is not null then
    perform add_stored('idempotency_records', change.tenants, change.rows, change.bytes);
  end if;
  return null;
end $$;

create or replace trigger count_stored_insert after insert on deliveries referencing new table as new_rows
  for each statement execute function count_new_deliveries();
create or replace trigger count_stored_insert after insert on events referencing new table as new_rows
  for each statement execute function count_new_events();
create or replace trigger count_stored_insert after insert on idempotency referencing new table as new_rows
  for each statement execute function count_new_idempotency();

-- Takes a 16th of the room for each pair of tenant and kind, and nothing near the cap. Waits for no writer: a tenant that is
-- being written near its cap, or changes its plan, gets nothing this time.
-- Locks are always taken in this order: fold, holder, tenant and kind, rows.
create function take_leases(of_holder integer, of_tenants integer[], of_kinds text[])
returns table (tenant integer, lease_kind text, lease_rows bigint, lease_bytes bigint) language plpgsql as $$
declare
  cap record;
  used record;
begin
  perform pg_advisory_xact_lock(7161211, hashtext('fold'));
  perform hold_lease(of_holder);
  for cap in
    select t.id as tenant_id, p.kind, p.max_rows, p.max_bytes
    from unnest(of_tenants, of_kinds) as w (tenant_id, kind)
    join tenants t on t.id = w.tenant_id join accounts a on a.id = t.account_id
    join plan_caps p on p.plan = a.plan and p.kind = w.kind
    for share of a, p skip locked
  loop
    continue when not pg_try_advisory_xact_lock(7161211, hashtext(cap.kind || ' ' || cap.tenant_id));
    used := stored_and_taken(cap.tenant_id, cap.kind);
    lease_rows := (cap.max_rows - used.total_rows) / 16;
    lease_bytes := (cap.max_bytes - used.total_bytes) / 16;
    continue when lease_rows < 32 or lease_bytes < 100000;
    insert into stored_changes as s (tenant_id, kind, rows, bytes, session, free_rows, free_bytes)
    values (cap.tenant_id, cap.kind, 0, 0, -of_holder, lease_rows, lease_bytes)
    on conflict (tenant_id, kind, session) do update
      set free_rows = s.free_rows + excluded.free_rows, free_bytes = s.free_bytes + excluded.free_bytes;
    tenant := cap.tenant_id;
    lease_kind := cap.kind;
    return next;
  end loop;
end $$;

create function give_back_leases(of_holder integer, of_tenants integer[], of_kinds text[], of_rows bigint[], of_bytes bigint[])
returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7161211, hashtext('fold'));
  perform hold_lease(of_holder);
  update stored_changes s set free_rows = s.free_rows - g.rows, free_bytes = s.free_bytes - g.bytes
  from unnest(of_tenants, of_kinds, of_rows, of_bytes) as g (tenant_id, kind, rows, bytes)
  where s.tenant_id = g.tenant_id and s.kind = g.kind and s.session = -of_holder;
end $$;

-- Waits for the statements of a holder that are under way; then it can write nothing more.
create function end_holder(of_holder integer) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7161214, of_holder);
  delete from cap_holders where holder = of_holder;
end $$;

-- Ends the holders that have room of this tenant and kind; of that room remains what their entries in stored_log fill.
create function revoke_leases(of_kind text, tenant integer) returns void language plpgsql as $$
declare
  of_holder integer;
begin
  for of_holder in
    select -session from stored_changes
    where tenant_id = tenant and kind = of_kind and session < 0 and (free_rows > 0 or free_bytes > 0) order by 1
  loop
    perform end_holder(of_holder);
    -- First locked and then looked at: a fold that is under way has moved its entries by then.
    perform 1 from stored_changes where tenant_id = tenant and kind = of_kind and session = -of_holder for update;
    update stored_changes s set free_rows = left_over.rows, free_bytes = left_over.bytes
    from (
      select count(*) as rows, coalesce(sum(e.bytes), 0) as bytes
      from stored_log l cross join unnest(l.tenants, l.bytes) as e (tenant_id, bytes)
      where l.holder = of_holder and l.kind = of_kind and e.tenant_id = tenant) as left_over
    where s.tenant_id = tenant and s.kind = of_kind and s.session = -of_holder;
  end loop;
end $$;

-- Moves what stored_log holds into stored_changes, and ends holders that were not seen for a minute. The caller holds the lock
-- of folding.
create function fold_log() returns void language plpgsql as $$
declare
  silent integer;
begin
  for silent in select holder from cap_holders where seen_at < now() - interval '1 minute' loop
    if pg_try_advisory_xact_lock(7161214, silent) then
      delete from cap_holders where holder = silent and seen_at < now() - interval '1 minute';
    end if;
  end loop;
  with entries as (
    delete from stored_log returning holder, kind, tenants, bytes
  ), sums as materialized (
    select l.holder, e.tenant_id, l.kind, count(*) as rows, sum(e.bytes) as bytes
    from entries l cross join unnest(l.tenants, l.bytes) as e (tenant_id, bytes) group by 1, 2, 3
  ), used as (
    update stored_changes s set free_rows = s.free_rows - u.rows, free_bytes = s.free_bytes - u.bytes
    from sums u where s.tenant_id = u.tenant_id and s.kind = u.kind and s.session = -u.holder
  )
  insert into stored_changes as s (tenant_id, kind, rows, bytes, session)
  select tenant_id, kind, sum(rows), sum(bytes), 0 from sums group by tenant_id, kind
  on conflict (tenant_id, kind, session) do update set rows = s.rows + excluded.rows, bytes = s.bytes + excluded.bytes;
  -- Of a holder that is gone every entry can be seen here; its room is needed no longer once they are folded.
  delete from stored_changes s where s.session < 0
    and ((s.free_rows <= 0 and s.free_bytes <= 0) or not exists (select 1 from cap_holders h where h.holder = -s.session))
    and not exists (select 1 from stored_log l where l.holder = -s.session);
end $$;

-- As in migration 0094; a lease is revoked before anything is refused.
create or replace function refuse_past_cap(of_kind text, tenant integer) returns void language plpgsql as $$
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
      where o.tenant_id = tenant and o.kind = of_kind and o.session > 0 and (o.free_rows > 0 or o.free_bytes > 0)
      for update skip locked) idle
    where s.tenant_id = tenant and s.kind = of_kind and s.session = idle.session;
    used := stored_and_taken(tenant, of_kind);
  end if;
  if used.total_rows > cap.max_rows or used.total_bytes > cap.max_bytes then
    -- Without all that is leased, too much still: then nobody is stopped for it.
    used := stored_by(tenant, of_kind);
    if used.total_rows <= cap.max_rows and used.total_bytes <= cap.max_bytes then
      perform revoke_leases(of_kind, tenant);
      used := stored_and_taken(tenant, of_kind);
    end if;
  end if;
  if used.total_rows > cap.max_rows then
    raise exception 'The % plan holds % %.', cap.plan, cap.max_rows, replace(of_kind, '_', ' ')
      using errcode = '23514', constraint = 'plan_cap', hint = of_kind;
  elsif used.total_bytes > cap.max_bytes then
    raise exception 'The % plan holds % MB of %.', cap.plan, cap.max_bytes / 1000000, replace(of_kind, '_', ' ')
      using errcode = '23514', constraint = 'plan_cap', hint = of_kind;
  end if;
end $$;

-- Under another cap nothing that was taken in advance holds. Holders that took any are ended.
create or replace function forget_taken() returns trigger language plpgsql as $$
declare
  of_kinds text[] := case when TG_TABLE_NAME = 'plan_caps' then array[to_jsonb(new) ->> 'kind'] end;
  of_tenants integer[] := array(
    select t.id from tenants t join accounts a on a.id = t.account_id
    where case when TG_TABLE_NAME = 'plan_caps' then a.plan = new.plan else a.id = to_jsonb(new) ->> 'id' end);
begin
  update stored_changes set free_rows = 0, free_bytes = 0
  where tenant_id = any(of_tenants) and (of_kinds is null or kind = any(of_kinds)) and session > 0 and (free_rows > 0 or free_bytes > 0);
  perform end_holder(h.holder) from (
    select distinct -session as holder from stored_changes
    where tenant_id = any(of_tenants) and (of_kinds is null or kind = any(of_kinds)) and session < 0 order by 1) h;
  return null;
end $$;
