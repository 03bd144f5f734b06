-- However an alert is deleted, alone or with its account, every replica learns of it and drops it from memory.
create function alert_deleted() returns trigger language plpgsql as $$
begin
  insert into alert_gone (number, gone_at) values (old.number, now()) on conflict do nothing;
  perform pg_notify('connector_alerts', old.number::text);
  return null;
end $$;
create trigger alert_deleted after delete on alerts for each row execute function alert_deleted();
