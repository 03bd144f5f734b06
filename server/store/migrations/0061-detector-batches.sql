-- Detector: batches that are judged in the background, and an index for forgetting old analyses.
create table detector_batches (
  id text primary key,
  tenant_id integer not null references tenants (id) on delete cascade,
  terms jsonb not null,
  total integer not null,
  created_at timestamptz not null,
  completed_at timestamptz
);
create index detector_batches_created on detector_batches (created_at);

create table detector_batch_items (
  batch_id text not null references detector_batches (id) on delete cascade,
  position integer not null,
  item jsonb,
  result jsonb,
  primary key (batch_id, position)
);

create index detector_analyses_created on detector_analyses (created_at);
create index detector_analyses_listed on detector_analyses (tenant_id, id desc);
