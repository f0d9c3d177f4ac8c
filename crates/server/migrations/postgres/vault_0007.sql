-- Time at which the operator froze a wallet, which its visitor cannot thaw. Who froze it before was not kept: the careful answer is the operator.
alter table vault_user add column held_at bigint;
update vault_user set held_at = frozen_at where frozen_at is not null;
