-- Consent is looked up by address, over all alerts.
create index alert_channels_by_address on alert_channels (lower(target->>'to')) where type = 'email';
