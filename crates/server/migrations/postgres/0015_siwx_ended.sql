-- Ended sessions stay until their tokens have expired, for the list of `/auth/v1/revoked/{project}`. Epoch milliseconds; null while open.
alter table siwx_session add column ended_at bigint;

create index siwx_session_by_project_ended on siwx_session (project, created_at) where ended_at is not null;
