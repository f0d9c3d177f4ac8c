-- One-time links to the admin page, and the sessions that they open. The secret half of each key is stored as its SHA-256 only.
create table admin_key (
    id text primary key,
    kind text not null,
    secret_hash text not null,
    ends_at bigint not null
);
