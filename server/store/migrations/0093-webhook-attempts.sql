-- Who writes an attempt holds the row of its webhook already, so looking it up again for each attempt only took time (half of
-- that of the insert); who deletes a webhook deletes its attempts. Their age is removed by range, as that of events is.
alter table webhook_attempts drop constraint webhook_attempts_webhook_id_fkey;
drop index webhook_attempts_by_age;
create index webhook_attempts_by_age on webhook_attempts using brin (at) with (autosummarize = on);
