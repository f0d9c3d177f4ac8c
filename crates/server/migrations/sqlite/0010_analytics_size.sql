-- Bytes of the texts of all stored events, counted as they come and go.
create table analytics_size (
    id integer primary key check (id = 1),
    bytes integer not null
) strict;

insert into analytics_size (id, bytes)
select 1, cast(coalesce(sum(octet_length(project) + octet_length(event_id) + octet_length(event) + octet_length(url) + octet_length(domain) + coalesce(octet_length(address), 0) + octet_length(properties) + octet_length(sdk_type) + octet_length(sdk_version)), 0) as bigint)
from analytics_event;
