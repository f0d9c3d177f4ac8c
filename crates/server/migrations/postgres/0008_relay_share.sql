-- Payer of each row, whose share of the relay's room it counts against: keyed hashes of the visitor's address and of the project. 0 for rows from before.
alter table relay_mailbox add column visitor bigint not null default 0;
alter table relay_mailbox add column project bigint not null default 0;
alter table relay_subscription add column visitor bigint not null default 0;

create index relay_mailbox_by_visitor on relay_mailbox (visitor, size);
create index relay_mailbox_by_project on relay_mailbox (project, size);
create index relay_mailbox_unclaimed on relay_mailbox (seq) where client = '';
create index relay_subscription_by_visitor on relay_subscription (visitor);

-- Key of these hashes, made once per database, so that nobody who reads the tables alone learns an address.
create table relay_secret (
    id bigint primary key check (id = 1),
    secret text not null
);
