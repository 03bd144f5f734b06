-- Deleted alerts, for replicas that missed the notification; a row is kept for a week.
create table alert_gone (number integer primary key, gone_at timestamptz not null);
create index alert_gone_at on alert_gone (gone_at);

-- What must be parsed at start, without a look at the others.
create index alerts_queries on alerts (number) where status = 'active' and term is null;
