-- Events that the widget told. Nothing tells the visitor apart but the address, where one was connected.
create table analytics_event (
    position integer primary key,
    project text not null,
    event_id text not null,
    received_at integer not null,
    happened_at integer not null,
    event text not null,
    url text not null,
    domain text not null,
    address text,
    properties text not null,
    sdk_type text not null,
    sdk_version text not null,
    unique (project, event_id)
) strict;

create index analytics_event_by_time on analytics_event (received_at);
