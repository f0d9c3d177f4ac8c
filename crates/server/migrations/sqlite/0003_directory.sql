-- Wallets that the operator brought, over those that come with the server.
create table directory_wallet (
    id text primary key,
    place integer,
    image_id text,
    record text not null,
    imported_at integer not null
) strict;

create table directory_picture (
    id text primary key,
    webp blob not null
) strict;

-- Rises with every change, so that each node sees that there is something to read.
create table directory_version (
    id integer primary key check (id = 1),
    version integer not null
) strict;

insert into directory_version (id, version) values (1, 0);
