-- Rows are written in the order of their age and removed by it once an hour: a summary of each range of pages is enough, and
-- costs a writer nothing.
drop index events_by_age;
create index events_by_age on events using brin (created_at) with (autosummarize = on);
drop index idempotency_by_age;
create index idempotency_by_age on idempotency using brin (created_at) with (autosummarize = on);
