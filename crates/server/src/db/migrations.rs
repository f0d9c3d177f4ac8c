//! The migrations included in the binary, in two SQL dialects.

use super::Schema;
use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// One migration. An applied one is never edited: a change is a new migration.
pub(super) struct Step {
    pub(super) version: i64,
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

macro_rules! step {
    ($version:literal, $name:literal, $file:literal) => {
        Step {
            version: $version,
            name: $name,
            sqlite: include_str!(concat!("../../migrations/sqlite/", $file)),
            postgres: include_str!(concat!("../../migrations/postgres/", $file)),
        }
    };
}

/// All migrations of the server, in order.
// One per line, so that adding or removing one changes a single line.
#[rustfmt::skip]
const SERVER: &[Step] = &[
    step!(1, "installation", "0001_installation.sql"),
    step!(2, "project", "0002_project.sql"),
    step!(3, "directory", "0003_directory.sql"),
    step!(4, "name", "0004_name.sql"),
    step!(5, "analytics", "0005_analytics.sql"),
    step!(6, "limit_window", "0006_limit_window.sql"),
    step!(7, "relay", "0007_relay.sql"),
    step!(8, "relay_share", "0008_relay_share.sql"),
    step!(9, "name_message", "0009_name_message.sql"),
    step!(10, "analytics_size", "0010_analytics_size.sql"),
    step!(11, "relay_project", "0011_relay_project.sql"),
    step!(12, "relay_receipt", "0012_relay_receipt.sql"),
    step!(13, "admin_key", "0013_admin_key.sql"),
    step!(14, "siwx", "0014_siwx.sql"),
    step!(15, "siwx_ended", "0015_siwx_ended.sql"),
];

/// All migrations of the vault, in order. They count for themselves, in a table of their own.
#[rustfmt::skip]
const VAULT: &[Step] = &[
    step!(1, "vault", "vault_0001.sql"),
    step!(2, "vault_social", "vault_0002.sql"),
    step!(3, "vault_settings", "vault_0003.sql"),
    step!(4, "vault_social_back", "vault_0004.sql"),
    step!(5, "vault_confirm_language", "vault_0005.sql"),
    step!(6, "vault_undo", "vault_0006.sql"),
    step!(7, "vault_held", "vault_0007.sql"),
    step!(8, "vault_logins", "vault_0008.sql"),
    step!(9, "vault_password", "vault_0009.sql"),
    step!(10, "vault_email", "vault_0010.sql"),
    step!(11, "vault_exports", "vault_0011.sql"),
    step!(12, "vault_unsent", "vault_0012.sql"),
    step!(13, "vault_social_place", "vault_0013.sql"),
];

/// Name of the table in which the vault's migrations are counted: tests keep both kinds of tables in one PostgreSQL schema.
const VAULT_COUNTED: &str = "_vault_migrations";

pub(super) fn of(schema: Schema) -> &'static [Step] {
    match schema {
        Schema::Server => SERVER,
        Schema::Vault => VAULT,
    }
}

pub(super) fn for_sqlite(schema: Schema) -> Migrator {
    migrator(schema, |step| step.sqlite)
}

pub(super) fn for_postgres(schema: Schema) -> Migrator {
    migrator(schema, |step| step.postgres)
}

fn migrator(schema: Schema, text: fn(&Step) -> &'static str) -> Migrator {
    let migrations = of(schema).iter().map(|step| {
        Migration::new(step.version, step.name.into(), MigrationType::Simple, text(step).into_sql_str(), false)
    });
    let mut migrator = Migrator::with_migrations(migrations.collect());
    if schema == Schema::Vault {
        migrator.dangerous_set_table_name(VAULT_COUNTED);
    }
    migrator
}
