-- Every push of content asks how many alerts of the tenant wait for a confirmation.
create index alerts_unconfirmed on alerts (tenant_id) where status = 'pending_verification';
