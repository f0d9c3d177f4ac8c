-- An address may be added where there is none. Changes that wait for a code begin again.
drop table vault_change;

create table vault_change (
    user_id text primary key references vault_user (id),
    device text not null,
    state text not null check (state in ('primary', 'secondary', 'add')),
    email_index text not null,
    email_sealed text not null,
    code text not null,
    tries bigint not null,
    ends_at bigint not null
);
