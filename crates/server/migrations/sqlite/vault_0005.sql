-- Language of a confirmation's mail, in which its page is too.
alter table vault_confirm add column language text not null default '';
