-- A project: in whose name pages and servers ask, and how much they may.
create table project (
    id text primary key,
    name text not null,
    created_at integer not null,
    disabled_at integer,
    per_second integer,
    burst integer,
    per_day integer,
    secret_hash text not null
) strict;

-- What a project allows: one origin, method or chain a row. Without a row of its kind, no origin, but every method and chain.
create table project_rule (
    project_id text not null references project (id),
    kind text not null check (kind in ('origin', 'method', 'chain')),
    value text not null,
    primary key (project_id, kind, value)
) strict;
