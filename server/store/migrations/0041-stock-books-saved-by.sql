-- A process reads again only what others saved since it last looked. The database's clock: those of the processes may differ.
alter table stock_books add column saved_at timestamptz not null default clock_timestamp(), add column saved_by text;
create index stock_books_saved on stock_books (tenant_id, saved_at);
