//! `portico doctor`: checks everything that the server needs, and explains how to fix problems.

mod frame;
mod node;
mod offers;
mod redis;
mod started;
pub(super) mod wallet;

use self::node::{Check, check_node};
use super::database::{ADD_DATABASE, DatabaseArgs};
use super::port::{self, Holder, Running, Server};
use super::printed::Printed;
use super::report::Report;
use super::serve::{closed, not_here};
use crate::config::{Config, DatabasePlace};
use crate::db::{Database, Schema};
use crate::project::snippet::relay_url;
use crate::project::table;
use crate::rpc::inside::call_many;
use crate::shared::Shared;
use crate::source::Fault;
use crate::state::AppState;
use crate::upstream::explorer;
use futures_util::future::join_all;
use portico_terms::{ChainId, Namespace};
use reqwest::Url;
use serde_json::json;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::time::Instant;

pub(super) const EXAMPLES: &str = "\
Examples:
  portico doctor                            check what portico.toml in this folder sets up
  portico doctor --config /etc/portico/portico.toml
  portico doctor --database other.sqlite    check a server that was started with this flag

Each line is `ok`, `note` (works, but needs a look) or `wrong` (doesn't work). The last line
counts them: `wrong` are problems. The exit code is 1 if anything is wrong.
Nothing is created or changed.";

/// Number of silent nodes that one line names.
const NAMED: usize = 5;

pub(super) async fn run(args: &DatabaseArgs) -> Result<(), Printed> {
    let (config, asks_public) = args.load_as_running()?;
    let path = args.file.path();
    let mut report = Report::default();
    if config.built_in {
        report.note(
            "configuration",
            "no portico.toml in this folder, so the server uses built-in settings. Write one: portico init",
        );
    } else {
        report.ok("configuration", format!("{} has no mistakes", path.display()));
    }
    for warning in &config.warnings {
        report.note(&warning.place().to_string(), warning.sentence());
    }
    let running = Running::find(&config);
    match running.and_then(|running| Some((running, running.listen?))) {
        // A flag or a variable has chosen another address.
        Some((running, address)) if running.is_own() && address != config.listen => {
            report.ok("listen", is_running(address, &running));
        }
        _ => listener_of("listen", config.listen, &config, running, &mut report),
    }
    if !config.listen.ip().is_loopback() {
        report.note(
            "listen",
            "other machines can reach this port over plain HTTP. Put a proxy that terminates TLS in front of it.",
        );
    }
    if let Some(address) = config.admin_listen {
        listener_of("admin_listen", address, &config, running, &mut report);
        if !address.ip().is_loopback() {
            let who =
                if config.admin_from.is_empty() { "this machine only" } else { "this machine and `admin_from` only" };
            report.note(
                "admin_listen",
                format!("other machines can read the metrics there. The admin page is for {who}."),
            );
        }
    }
    if asks_public {
        report.ok("chains", "with public nodes, because the running server was started with --public-nodes");
    }
    started::check(&config, running, &path, asks_public, &report);
    offers::public_url(&config, running, &mut report).await;
    offers::proxy(&config, &report);
    redis::check(&config, &mut report).await;
    offers::check(&config, &report);
    let database = database(&config, &mut report).await;
    relay(&config, database.as_ref(), &mut report).await;
    wallet::check(&config, &path, database.as_ref(), running, &mut report).await;
    let all = match database {
        Some(database) => Ok(database),
        // Nodes are asked without one too.
        None => Database::empty().await,
    };
    match all {
        Ok(database) => chains(&config, database, &mut report).await,
        Err(error) => report.wrong("chains", error),
    }
    report.end()
}

/// Sentence about a listener of one's own server.
fn is_running(address: SocketAddr, running: &Running) -> String {
    let by = after_colon(running.holder().as_ref());
    format!("your server is running on {address}{by}")
}

/// Whether the port is free, or held by a running server on the same database. Another program that holds it is named, if this user may know it.
fn listener_of(what: &str, address: SocketAddr, config: &Config, running: Option<Running>, report: &mut Report) {
    let database = &config.database;
    match TcpListener::bind(address) {
        Ok(_) if address.port() == 0 => report.ok(what, format!("any free port of {}", address.ip())),
        Ok(_) => report.ok(what, format!("{address} is free")),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            let holder = port::holder(address);
            // This user may not know the process of another.
            let named = after_colon(holder.as_ref());
            // The wallet's listener tells nothing about the database: it is the server's if the same process has both ports.
            let own = running.filter(|running| {
                let ours = running.is_own() || port::same_folder(running.at) == Some(true);
                ours && address != running.at && holder == running.holder()
            });
            match (port::server(address, &database.mark()), own) {
                (Some(Server::Own), _) | (_, Some(_)) => {
                    report.ok(what, format!("your server is running on {address}{named}"));
                }
                (Some(Server::Other), None) if port::same_folder(address) == Some(true) => report.wrong(
                    what,
                    format!(
                        "the {} uses another database than {database}. {ADD_DATABASE}",
                        port::subject(address, holder.as_ref())
                    ),
                ),
                (Some(Server::Other), None) => report.wrong(
                    what,
                    format!("{} Stop it, or set `{what}` to another port.", elsewhere(address, holder.as_ref())),
                ),
                (None, None) => {
                    let by = holder.map_or_else(|| "another program".into(), |holder| holder.to_string());
                    report.wrong(what, format!("{address} is used by {by}. Stop it, or set `{what}` to another port."))
                }
            }
        }
        Err(error) => report.wrong(what, unopened(address, what, &error)),
    }
}

/// The process of a server, after a sentence about it; nothing if this user may not know the process.
fn after_colon(holder: Option<&Holder>) -> String {
    holder.map(|holder| format!(": {holder}")).unwrap_or_default()
}

/// Sentence about a server of another folder, with its process.
fn elsewhere(address: SocketAddr, holder: Option<&Holder>) -> String {
    format!("the {} was started from another folder and uses another database.", port::subject(address, holder))
}

/// Why this machine or this user can't listen there, and what to do.
fn unopened(address: SocketAddr, what: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrNotAvailable => not_here(address, what),
        io::ErrorKind::PermissionDenied => closed(address.port(), &format!("`{what}`")),
        _ => format!("can't listen on {address}: {error}"),
    }
}

/// The database, if it is there; it is not created.
async fn database(config: &Config, report: &mut Report) -> Option<Database> {
    let begun = Instant::now();
    let database = match Database::look(&config.database, Schema::Server).await {
        Ok(Some(database)) => database,
        Ok(None) => {
            match Database::creatable(&config.database) {
                Ok(()) => {
                    report.note("database", format!("{} isn't there yet. `portico serve` creates it.", config.database))
                }
                Err(error) => report.wrong("database", error),
            }
            return None;
        }
        Err(error) => {
            report.wrong("database", error);
            return None;
        }
    };
    if let Err(error) = Database::usable(&config.database, Schema::Server).await {
        report.wrong("database", error);
        return None;
    }
    if let Some(outdated) = database.outdated().await {
        let advice = "`portico serve` and `portico migrate` update it. Make a backup first.";
        report.note("database", format!("{} {outdated}. {advice}", config.database));
        return Some(database);
    }
    match database.answers().await {
        Ok(()) => {
            report.ok("database", format!("{} responds in {} ms", config.database, begun.elapsed().as_millis()));
            if table::ids(&database).await.is_ok_and(|ids| ids.is_empty()) {
                report.note(
                    "projects",
                    "none yet, so every request is refused. Add one: portico project add Shop --origin https://shop.example",
                );
            }
        }
        Err(_) => report.note(
            "database",
            format!("{} has no tables of this version yet. `portico serve` creates them.", config.database),
        ),
    }
    Some(database)
}

async fn relay(config: &Config, database: Option<&Database>, report: &mut Report) {
    let Some(relay) = &config.relay else {
        return report.off("relay", "`relay.enabled = true`");
    };
    let names: Vec<String> =
        relay.urls.iter().map(Url::to_string).chain(config.public_url.as_deref().map(relay_url)).collect();
    match names.as_slice() {
        [] => {
            report.note("relay", "on, for clients on this machine only. For others, set `relay.urls` or `public_url`.")
        }
        names => report.ok("relay", format!("on, at {}", names.join(", "))),
    }
    // Without its tables, the line of the database says so.
    if let Some(database) = database
        && let Ok((messages, subscriptions)) = crate::relay::table::counts(database).await
    {
        let room = full(database, relay).await.unwrap_or_default();
        report.ok("relay", format!("messages waiting: {messages}, subscriptions: {subscriptions}{room}"));
    }
    if matches!(config.database, DatabasePlace::Postgres(_)) && config.redis.is_none() {
        report.note(
            "relay",
            "without Redis, several servers can't pass messages to each other. Set `redis` if you run more than one.",
        );
    }
}

/// Used part of the relay's room, in words.
async fn full(database: &Database, relay: &crate::config::Relay) -> Option<String> {
    let [bytes, subscriptions] = crate::relay::table::filled(database).await.ok()?;
    let per_cent = |used: u64, most: u64| used.saturating_mul(100) / most.max(1);
    let bytes = per_cent(bytes, relay.bytes_total);
    let subscriptions = per_cent(subscriptions, relay.subscriptions_total);
    Some(format!(" ({bytes}% of `relay.mib_total`, {subscriptions}% of `relay.subscriptions_total`)"))
}

async fn chains(config: &Config, database: Database, report: &mut Report) {
    if config.chains.is_empty() {
        report.note(
            "chains",
            "none yet, so visitors' browsers ask public nodes themselves, and those see the accounts and the visitors' IP addresses. Add [[chains]], or set `public_nodes = true` to ask them through this server.",
        );
    }
    let state = match AppState::new(config, database, Shared::in_memory()) {
        Ok(state) => state,
        Err(error) => return report.wrong("chains", error),
    };
    let mut unusable = Vec::new();
    let mut lines = Vec::new();
    for chain in &config.chains {
        let checks = chain.upstreams.iter().map(|node| check_node(config, chain, node));
        let checks = join_all(checks).await;
        if checks.iter().all(|check| matches!(check, Check::Silent { .. } | Check::Wrong(_))) {
            unusable.push(&chain.id);
        }
        lines.extend(checks.into_iter().map(|check| (chain.title(), check)));
    }
    let silent: Option<Vec<_>> = lines.iter().map(|(_, check)| check.silence()).collect();
    if let Some(mut silent) = silent.filter(|_| config.chains.len() > 1) {
        silent.dedup();
        if silent.len() > NAMED {
            silent.truncate(NAMED);
            silent.push("and others".into());
        }
        let next = node::next_step_for_all(lines.iter().all(|(_, check)| check.is_status()), config.only_public_nodes);
        report.wrong("chains", format!("no node can be used: {}. {next}", silent.join(", ")));
        lines.clear();
    }
    for (name, check) in lines {
        match check {
            Check::Ok(said) => report.ok(&name, said),
            Check::Note(said) => report.note(&name, said),
            Check::Wrong(said) => report.wrong(&name, said),
            Check::Silent { host, cause } => report.wrong(&name, node::silent(&host, &cause, config.only_public_nodes)),
        }
    }
    explorers(config, &state, report).await;
    swaps(config, &state, &unusable, report).await;
}

/// Why an explorer can't be used; a part of a sentence after its host.
fn words(fault: Fault) -> String {
    match fault {
        Fault::Unopened(fault) => match fault.to_string().strip_prefix("it ") {
            Some(words) => words.to_owned(),
            None => format!("can't be used: {fault}"),
        },
        Fault::Unreachable => "ends the connection without an answer".into(),
        Fault::Silent => "isn't responding".into(),
        Fault::Status(status) => format!("answers with status {status}"),
        Fault::NotServed | Fault::TooLong | Fault::Nonsense | Fault::Cursor => {
            "doesn't answer as a Blockscout does".into()
        }
    }
}

/// Explorers from which histories and NFTs come.
async fn explorers(config: &Config, state: &AppState, report: &mut Report) {
    for chain in &config.chains {
        let Some(url) = &chain.assets.explorer else { continue };
        let what = format!("explorer of {}", chain.title());
        match explorer::answers(state, chain).await {
            Ok(()) => report.ok(&what, format!("{} responds", node::host(url))),
            Err(fault) => {
                let next = match fault {
                    Fault::Unopened(fault) => fault.next("`explorer`"),
                    _ => "Use the URL of a Blockscout.".into(),
                };
                let said = format!(
                    "{} {}, so other sources give this chain's activity and NFTs, if there are any. {next}",
                    node::host(url),
                    words(fault)
                );
                report.note(&what, said);
            }
        }
    }
}

/// Swap providers of each chain, and whether the contracts of exchanges are deployed. Chains without a usable node are in `unusable`, and
/// have been reported.
async fn swaps(config: &Config, state: &AppState, unusable: &[&ChainId], report: &mut Report) {
    let (mut swapped, mut none) = (false, Vec::new());
    for chain in &config.chains {
        let words = state.swaps().words(chain);
        if words.is_empty() {
            none.extend((chain.id.namespace() == Namespace::Eip155).then(|| chain.title()));
            continue;
        }
        swapped = true;
        if unusable.contains(&&chain.id) {
            continue;
        }
        let what = format!("swap on {}", chain.title());
        let contracts = state.swaps().contracts(chain);
        let calls = contracts.iter().map(|address| ("eth_getCode", json!([address.to_string(), "latest"]))).collect();
        let codes = call_many(state, &chain.id, calls).await;
        let absent = contracts.iter().zip(&codes).find(|(_, code)| code.as_ref().is_ok_and(|code| code == "0x"));
        match absent {
            Some((address, _)) => report.wrong(
                &what,
                format!("no contract at {address} on this chain. Check the exchange's addresses in [swap.onchain]."),
            ),
            None if codes.iter().any(Result::is_err) => {
                report.note(&what, "couldn't check the exchange's contracts because no node is responding");
            }
            None => report.ok(&what, format!("by {}", words.join(", "))),
        }
    }
    if config.chains.is_empty() {
        report.off("swap", "`[[chains]]`");
    } else if !swapped {
        report.note("swap", "off, because no chain has a known exchange. Add one with [swap.onchain].");
    } else if !none.is_empty() {
        let sentence = format!("off on {}. Add an exchange with [swap.onchain], or a provider.", none.join(", "));
        report.note("swap", sentence);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_of_another_folder_and_user_is_not_called_another_program() {
        let told = elsewhere("127.0.0.1:8080".parse().unwrap(), None);
        let expected = "the server at 127.0.0.1:8080 was started from another folder and uses another database.";
        assert_eq!(told, expected);
    }

    #[test]
    fn a_port_that_this_user_may_not_open_is_told_with_what_to_do() {
        let told = unopened("127.0.0.1:80".parse().unwrap(), "listen", &io::ErrorKind::PermissionDenied.into());
        let next = "Choose one above 1023 with `listen`, or give this user the permission.";
        assert_eq!(told, format!("This user can't open port 80. {next}"));
    }
}
