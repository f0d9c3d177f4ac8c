-- What the settings show of a login at another service. Those of before show what their user does.
alter table vault_person add column provider text not null default '';
alter table vault_person add column name text;
update vault_person set
    provider = (select provider from vault_user where vault_user.id = vault_person.user_id),
    name = (select name from vault_user where vault_user.id = vault_person.user_id);
-- User to whose wallet a login is added; absent where somebody logs in.
alter table vault_social add column user_id text;
