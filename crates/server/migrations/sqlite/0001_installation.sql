-- One row: the database as a whole.
create table installation (
    id integer primary key check (id = 1),
    created_at text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) strict;

insert into installation (id) values (1);
