-- What was spent of limits that hold until a time, such as the end of a day, so that a restart does not give it back.
create table limit_window (
    name text primary key,
    spent integer not null,
    ends_at integer not null
) strict;

create index limit_window_by_end on limit_window (ends_at);
