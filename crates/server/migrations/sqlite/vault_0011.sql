-- Where a passkey is enrolled, only a passkey confirms an export. From these times on, a login or a mail confirms one again, and so does a passkey
-- that was itself confirmed by a mail.
alter table vault_user add column exports_from integer not null default 0;
alter table vault_passkey add column exports_from integer not null default 0;

-- Whether the visitor confirmed by such a passkey.
alter table vault_session add column by_passkey integer not null default 0;
