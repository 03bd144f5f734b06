-- The world an audit entry belongs to; null for what concerns the whole account.
alter table audit add column mode text check (mode in ('live', 'test'));
