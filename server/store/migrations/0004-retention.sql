-- Up to when each job of retention has removed what is too old. It moves by at most two days a run, so that a clock that is
-- wrong for an hour cannot empty a table.
create table retention_clock (name text primary key, at timestamptz not null);
