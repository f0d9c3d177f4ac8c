-- Messages of older clients that registered a name, as hashes of signer and text: each counts once. Times are epoch milliseconds.
create table name_message (
    hash text primary key,
    expires_at bigint not null
);

create index name_message_by_end on name_message (expires_at);
