-- Project of each subscription, as a keyed hash like that of its visitor. 0 for rows from before.
alter table relay_subscription add column project integer not null default 0;

create index relay_subscription_by_project on relay_subscription (project);
