-- What opens a password's slot together with the password: the server's part of OPAQUE and the client's record, sealed.
create table vault_password (
    user_id text primary key references vault_wallet (user_id),
    slot text not null unique references vault_slot (id) on delete cascade,
    sealed text not null
) strict;
