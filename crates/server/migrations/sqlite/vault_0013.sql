-- Network from which a login at a service began, as visitors read it: it is compared with that of the return.
alter table vault_social add column place text not null default '';
