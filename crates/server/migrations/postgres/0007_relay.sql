-- The relay of WalletConnect: who listens to which topic, what waits for whom, and who has had what waits for anyone.
-- Topics, ids of messages and clients are 64 hex digits; times are epoch milliseconds.
create table relay_subscription (
    client text not null,
    topic text not null,
    seen_at bigint not null,
    primary key (client, topic)
);

create index relay_subscription_by_topic on relay_subscription (topic, client);

-- One row a receiver. Without one at the time, the client is empty: it waits for whoever comes, until it expires.
create table relay_mailbox (
    seq bigint generated always as identity primary key,
    topic text not null,
    id text not null,
    client text not null,
    publisher text not null,
    tag bigint not null,
    published_at bigint not null,
    expires_at bigint not null,
    size bigint not null,
    attestation text,
    body text not null,
    unique (topic, id, client)
);

create index relay_mailbox_by_client on relay_mailbox (topic, client, seq, size);
create index relay_mailbox_by_end on relay_mailbox (expires_at);

create table relay_receipt (
    topic text not null,
    id text not null,
    client text not null,
    expires_at bigint not null,
    primary key (topic, id, client)
);

create index relay_receipt_by_end on relay_receipt (expires_at);
