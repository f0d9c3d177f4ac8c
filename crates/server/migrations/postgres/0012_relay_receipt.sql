-- Payer of each receipt, as keyed hashes like those of a message's payer. 0 for rows from before.
alter table relay_receipt add column visitor bigint not null default 0;
alter table relay_receipt add column project bigint not null default 0;
