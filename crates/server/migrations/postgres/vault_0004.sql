-- Page of the host to which a visitor is sent back where no window could be opened.
alter table vault_social add column back text;
