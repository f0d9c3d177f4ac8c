-- Wallets that the operator brought, over those that come with the server.
create table directory_wallet (
    id text primary key,
    place bigint,
    image_id text,
    record text not null,
    imported_at bigint not null
);

create table directory_picture (
    id text primary key,
    webp bytea not null
);

-- Rises with every change, so that each node sees that there is something to read.
create table directory_version (
    id bigint primary key check (id = 1),
    version bigint not null
);

insert into directory_version (id, version) values (1, 0);
