-- A login at another service. `id`, `state` and `code` are hashes of what the device, the service and the page hold.
create table vault_social (
    id text primary key,
    state text not null unique,
    stage text not null check (stage in ('open', 'taken', 'back', 'done')),
    provider text not null,
    device text not null,
    host text not null,
    browser text not null,
    verifier_sealed text not null,
    code text,
    person_sealed text,
    ends_at bigint not null
);

create index vault_social_by_end on vault_social (ends_at);

-- A person at another service. `id` is a keyed hash of the service and its own id of the person, and of nothing else: an address joins no
-- accounts.
create table vault_person (
    id text primary key,
    user_id text not null references vault_user (id),
    created_at bigint not null
);

create index vault_person_of on vault_person (user_id);
