-- Names below the operator's own. Times are epoch milliseconds; addresses are as their chain writes them, EVM ones with checksum.
create table name (
    label text primary key,
    owner text not null,
    registered_at integer not null,
    updated_at integer not null,
    -- From then on nobody has it.
    released_at integer
) strict;

create index name_by_owner on name (owner);

-- How many names an address has, so that of two that it registers at once it gets no more than it may.
create table name_owner (
    address text primary key,
    names integer not null
) strict;

create table name_address (
    label text not null references name (label) on delete cascade,
    -- SLIP-44 or ENSIP-11.
    coin_type integer not null,
    address text not null,
    created_at integer not null,
    primary key (label, coin_type)
) strict;

create table name_attribute (
    label text not null references name (label) on delete cascade,
    attribute text not null,
    value text not null,
    primary key (label, attribute)
) strict;

-- What a signed message carried once and may not carry again.
create table name_nonce (
    nonce text primary key,
    used_at integer not null
) strict;

create index name_nonce_by_time on name_nonce (used_at);

-- One row: what the nodes of this installation know their nonces by.
create table name_secret (
    id integer primary key check (id = 1),
    secret text not null
) strict;
