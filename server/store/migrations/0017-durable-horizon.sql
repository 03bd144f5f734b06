-- The horizon is the last seq that was committed, not the last given out. A crash of the database can take back a seq that
-- only a transaction without a commit had drawn; a reader that had passed it would miss the event that gets it next.
-- The seq first and the writers after it: whoever holds a smaller seq is among them or over.
create or replace function event_horizon(out last bigint, out writers text[]) language plpgsql as $$
begin
  last := coalesce((select max(seq) from events), 0);
  writers := array(
    select virtualtransaction from pg_locks
    where locktype = 'advisory' and classid = 7161210 and objid = 0 and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database()));
end $$;
