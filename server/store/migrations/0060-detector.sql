-- Only analyses sent with store:true. Content is text as it was judged, or the image in base64.
create table detector_analyses (
  id text primary key,
  tenant_id integer not null references tenants (id) on delete cascade,
  analysis jsonb not null,
  content text,
  created_at timestamptz not null
);
create index detector_analyses_tenant on detector_analyses (tenant_id, created_at desc);
