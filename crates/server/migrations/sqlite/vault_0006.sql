-- Changes of an address that the old one can cancel. `token` is the hash of what its mail holds; index and sealed text are those of the old address.
create table vault_undo (
    token text primary key,
    user_id text not null references vault_user (id),
    email_index text not null,
    email_sealed text not null,
    device text not null,
    host text not null,
    browser text not null,
    place text not null,
    number text not null,
    language text not null,
    at integer not null,
    ends_at integer not null
) strict;

create index vault_undo_by_end on vault_undo (ends_at);
