-- An attempt of a test key is kept in the inbox and not delivered; an attempt shows what was sent and what came back.
alter table webhook_attempts drop constraint webhook_attempts_outcome_check;
alter table webhook_attempts add constraint webhook_attempts_outcome_check
  check (outcome in ('delivered', 'kept_in_inbox', 'retrying', 'failed'));
alter table webhook_attempts add column request_body text, add column answer_body text;
