-- Moves that a courier's app has sent, so that one sent twice counts once.
create table delivery_courier_moves (
  courier_id text not null,
  move_id text not null,
  refusal text,
  created_at timestamptz not null,
  primary key (courier_id, move_id)
);
create index delivery_courier_moves_by_age on delivery_courier_moves (created_at);
