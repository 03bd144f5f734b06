-- A fingerprint of the secret that the keys of this store were hashed with: another secret is refused, not ignored.
create table store_secret (
  one boolean primary key default true check (one),
  fingerprint text not null
);
