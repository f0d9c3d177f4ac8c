-- One row: the database as a whole.
create table installation (
    id bigint primary key check (id = 1),
    created_at text not null default to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
);

insert into installation (id) values (1);
