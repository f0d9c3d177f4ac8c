-- Sign-in with a wallet: keys that sign sessions, the secret of nonces, used nonces, and open sessions. Times are epoch milliseconds.
create table siwx_key (
    id text primary key,
    -- PKCS #8, in base64.
    private text not null,
    signs_from bigint not null
);

create table siwx_secret (
    id bigint primary key,
    secret text not null
);

create table siwx_nonce (
    nonce text primary key,
    expires_at bigint not null
);

create index siwx_nonce_by_end on siwx_nonce (expires_at);

create table siwx_session (
    id text primary key,
    project text not null,
    -- CAIP-10.
    account text not null,
    origin text not null,
    -- Keyed hash of the visitor's address.
    visitor text not null,
    created_at bigint not null,
    expires_at bigint not null
);

create index siwx_session_by_end on siwx_session (expires_at);
create index siwx_session_by_visitor on siwx_session (visitor, created_at);
create index siwx_session_by_account on siwx_session (account);
