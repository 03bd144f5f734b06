-- A row that is changed may grow or shrink, which is not counted: it would cost every change of a delivery. So now and then the
-- rows of a kind are counted, and what the sums are off by is added. A row and its entry in the sums are written by one
-- transaction, and one statement reads both: the difference is exact, whatever is being written meanwhile. Returns how many
-- tenants were off.
create function recount_stored(of_kind text, of_table text, size text) returns integer language plpgsql as $$
declare
  tenants integer[];
  added bigint[];
  sizes bigint[];
begin
  execute format($sql$
    with truth as (
      select x.tenant_id, count(*) as rows, sum(%s) as bytes from %I x group by x.tenant_id
    ), sums as (
      select c.tenant_id, sum(c.rows) as rows, sum(c.bytes) as bytes from (
        select tenant_id, rows, bytes from stored_changes where kind = %3$L
        union all
        select e.tenant_id, 1, e.bytes from stored_log l cross join unnest(l.tenants, l.bytes) as e (tenant_id, bytes) where l.kind = %3$L
      ) c group by c.tenant_id
    ), off as (
      select tenant_id, coalesce(t.rows, 0) - coalesce(s.rows, 0) as rows, coalesce(t.bytes, 0) - coalesce(s.bytes, 0) as bytes
      from truth t full join sums s using (tenant_id))
    select array_agg(tenant_id), array_agg(rows), array_agg(bytes) from off where rows <> 0 or bytes <> 0
  $sql$, size, of_table, of_kind) into tenants, added, sizes;
  if tenants is null then
    return 0;
  end if;
  perform pg_advisory_xact_lock(7161211, hashtext('fold'));
  insert into stored_changes as s (tenant_id, kind, rows, bytes, session)
  select o.tenant, of_kind, o.added, o.size, 0 from unnest(tenants, added, sizes) as o (tenant, added, size)
  on conflict (tenant_id, kind, session) do update set rows = s.rows + excluded.rows, bytes = s.bytes + excluded.bytes;
  return cardinality(tenants);
end $$;
