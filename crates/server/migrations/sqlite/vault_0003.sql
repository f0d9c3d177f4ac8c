-- What a visitor confirms by a mail's link or a passkey, and logins by passkey (`user_id` is empty there). `id` and `approval` are hashes of what
-- the device and the mail hold.
create table vault_confirm (
    id text primary key,
    user_id text not null,
    deed text not null check (deed in ('export', 'change', 'login')),
    state text not null check (state in ('open', 'approved', 'refused')),
    device text not null,
    host text not null,
    browser text not null,
    place text not null,
    number text not null,
    approval text unique,
    ends_at integer not null
) strict;

create index vault_confirm_by_end on vault_confirm (ends_at);

-- Public keys of passkeys: they confirm and log in. What opens the wallet is in no table.
create table vault_passkey (
    credential text primary key,
    user_id text not null references vault_wallet (user_id),
    slot text not null unique references vault_slot (id) on delete cascade,
    point text not null
) strict;

-- What the visitor confirmed last in this session, and until when it is good.
alter table vault_session add column confirmed text not null default '';
alter table vault_session add column confirmed_until integer not null default 0;

-- Network of a device's last login.
alter table vault_device add column place text not null default '';
