//! First look at a server without a configuration: a project for pages on this machine, and what to do next.

use super::printed::{Printed, tell};
use crate::config::Config;
use crate::db::Database;
use crate::project::origin::Pattern;
use crate::project::{Entry, ProjectId, Quota, hash, random_secret, table};
use std::net::SocketAddr;

/// Pages that may use the project.
const ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// Makes a project for pages on this machine, if there is no project at all.
pub(super) async fn make_project(config: &Config, database: &Database) -> Result<(), Printed> {
    if !config.is_first_run() || !table::ids(database).await.map_err(tell)?.is_empty() {
        return Ok(());
    }
    let origins = ORIGINS.iter().map(|origin| Pattern::parse(origin)).collect::<Result<_, _>>().map_err(tell)?;
    let entry = Entry {
        id: ProjectId::random().map_err(tell)?,
        name: "This machine".into(),
        created_at: super::project::now(),
        disabled_at: None,
        quota: Quota::default(),
        origins,
        methods: Vec::new(),
        chains: Vec::new(),
        // This secret is shown to nobody; `portico project rotate` makes another.
        secret_hash: hash(&random_secret().map_err(tell)?),
    };
    table::insert(database, &entry).await.map_err(tell)?;
    tracing::info!(project = entry.id.as_str(), "made a project for pages on localhost");
    Ok(())
}

/// Logs which settings apply, and the next steps.
pub(super) fn log_steps(config: &Config, address: SocketAddr) {
    if !config.built_in {
        return;
    }
    let commands = &config.commands;
    let init = in_one_line(&commands.init());
    tracing::info!("no portico.toml in this folder, so built-in settings apply. Write one: {init}");
    if config.chains.is_empty() {
        let serve = in_one_line(&commands.serve(true, false));
        tracing::info!("no networks are served. To use public nodes: {serve}");
    }
    if config.is_first_run() {
        tracing::info!("open http://{address}/ for the code to paste into your page");
    }
}

fn in_one_line(command: &str) -> String {
    command.replace(" \\\n  ", " ")
}
