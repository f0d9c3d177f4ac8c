-- Whether the last mail of a login couldn't be sent: its device, which waits, is told.
alter table vault_login add column unsent integer not null default 0;
