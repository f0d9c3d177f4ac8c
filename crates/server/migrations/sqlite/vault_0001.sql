-- The embedded wallet's vault. Ids, hashes and sealed bytes are base64url; times are epoch milliseconds.
-- `sealed` columns are encrypted under a key derived from the root key, which is in no database.
create table vault_setting (
    name text primary key,
    value text not null
) strict;

create table vault_user (
    id text primary key,
    email_index text unique,
    email_sealed text,
    name text,
    provider text not null,
    created_at integer not null,
    frozen_at integer
) strict;

-- A browser profile on the site of one host page that its user approved.
create table vault_device (
    user_id text not null references vault_user (id),
    id text not null,
    label text not null,
    host text not null,
    approved_at integer not null,
    used_at integer not null,
    share_sealed text,
    primary key (user_id, id)
) strict;

-- One wallet a user: the key is what makes a second one impossible.
create table vault_wallet (
    user_id text primary key references vault_user (id),
    id text not null unique,
    blob text not null,
    addresses text not null,
    version integer not null,
    created_at integer not null
) strict;

create table vault_slot (
    id text primary key,
    user_id text not null references vault_wallet (user_id),
    kind text not null check (kind in ('device', 'recovery', 'passkey', 'password', 'kit')),
    wrapped text not null,
    device text,
    hint text,
    created_at integer not null,
    unique (user_id, device)
) strict;

create unique index vault_slot_recovery on vault_slot (user_id) where kind = 'recovery';

create table vault_session (
    id text primary key,
    user_id text not null references vault_user (id),
    device text not null,
    access_hash text not null unique,
    access_ends integer not null,
    ends_at integer not null
) strict;

create index vault_session_of on vault_session (user_id, device);
create index vault_session_by_end on vault_session (ends_at);

-- Used tokens stay until their session ends: a second use ends it.
create table vault_refresh (
    hash text primary key,
    session_id text not null references vault_session (id),
    used_at integer
) strict;

create index vault_refresh_of on vault_refresh (session_id);

-- A login, from the address to the code. `id` and `approval` are hashes of what the device and the mail hold.
create table vault_login (
    id text primary key,
    state text not null check (state in ('device', 'code', 'refused', 'done')),
    email_index text not null,
    email_sealed text not null,
    device text not null,
    host text not null,
    language text not null,
    browser text not null,
    place text not null,
    number text not null,
    approval text unique,
    code text,
    tries integer not null,
    ends_at integer not null
) strict;

create index vault_login_by_end on vault_login (ends_at);

-- Mails with codes or links, for the limits of each address.
create table vault_mailing (
    subject text not null,
    at integer not null
) strict;

create index vault_mailing_of on vault_mailing (subject, at);

-- A change of the address that waits for its codes.
create table vault_change (
    user_id text primary key references vault_user (id),
    device text not null,
    state text not null check (state in ('primary', 'secondary')),
    email_index text not null,
    email_sealed text not null,
    code text not null,
    tries integer not null,
    ends_at integer not null
) strict;

-- Each hash covers its row and the hash before it, under a key derived from the root key.
create table vault_audit (
    seq integer primary key,
    at integer not null,
    event text not null,
    user_id text not null,
    detail text not null,
    hash text not null
) strict;

create index vault_audit_of on vault_audit (event, at);
