-- Usage is counted per key as well; rows of before carry no key.
alter table usage add column key_id text not null default '';
alter table usage drop constraint usage_pkey;
alter table usage add primary key (tenant_id, minute, route, key_id);
