//! Checks of the embedded wallet: its origin, frame, vault, mails and login services. Nothing is created or changed.

use super::{frame, listener_of};
use crate::cli::config::flag_of;
use crate::cli::port::{self, Running};
use crate::cli::report::Report;
use crate::cli::root_key;
use crate::cli::serve::not_here;
use crate::config::{self, Config, FILE_NAME, MailWay};
use crate::db::{Database, Schema};
use crate::oauth::{self, HostTokens, LoginFault, Provider};
use crate::outbound::{ConnectFault, http_client};
use crate::project::{ProjectId, table};
use crate::source::Fault;
use crate::vault::{self, Root, RootError, Way};
use crate::wallet::vault_away;
use reqwest::{Client, Url, header};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::time::Duration;
use tokio::net::UnixStream;

/// Time limit of a request to a node.
const WAIT: Duration = Duration::from_secs(10);

/// Number of projects that are looked at.
const MOST_PROJECTS: usize = 200;

/// Id of OP Mainnet as its nodes tell it.
const OP_MAINNET: &str = "0xa";

pub(super) async fn check(
    config: &Config,
    file: &Path,
    database: Option<&Database>,
    running: Option<Running>,
    report: &mut Report,
) {
    let Some(wallet) = &config.wallet else {
        return report.off("logins by email", "`wallet.origin` and more: see docs/operations/wallet.md");
    };
    let served = running.is_some_and(|running| running.is_own());
    listener_of("wallet.listen", wallet.listen, config, running, report);
    let client = match http_client(true) {
        Ok(client) => client,
        Err(error) => return report.wrong("wallet", error),
    };
    own_origin(config, wallet, report);
    frame::check(wallet, served.then_some(&client), report).await;
    if let Some(database) = database {
        projects(database, report).await;
        for (issuer, sentence) in without_project(wallet, database).await {
            report.wrong(&format!("wallet.jwt {issuer}"), sentence);
        }
    }
    match elsewhere(config, wallet, file) {
        Some(sentence) => report.wrong("vault", sentence),
        None => vault_and_mail(wallet, &flag_of(file), report).await,
    }
    services(wallet, &client, report).await;
}

/// Sentence about a vault whose relative paths mean other files in this folder than to the running server; `file` is the configuration.
pub(in crate::cli) fn elsewhere(config: &Config, wallet: &config::Wallet, file: &Path) -> Option<String> {
    let at = Running::find(config).map_or(config.listen, |running| running.at);
    if wallet.vault.is_relative() && port::same_folder(at) == Some(false) {
        return Some(format!(
            "The server at {at} was started from another folder and uses another vault. Run this in its folder, or give the vault's database, key and socket full paths in {FILE_NAME}."
        ));
    }
    let folder = wallet.vault.beside(file)?.display();
    let key = wallet.vault.root_key_file.display();
    Some(format!(
        "The root key {key} isn't in this folder, but in {folder}. Run this there, or give the vault's database, key and socket full paths in {FILE_NAME}."
    ))
}

/// Checks that `portico vault doctor` makes too; `flag` is the end of commands on the same configuration.
pub(in crate::cli) async fn vault_and_mail(wallet: &config::Wallet, flag: &str, report: &mut Report) {
    if wallet.vault.is_away() {
        return away(wallet, report).await;
    }
    if let Some(root) = root(wallet, flag, report).await {
        database(wallet, root, report).await;
    }
    let runs = socket(wallet, report).await;
    own_user(wallet, report);
    link(wallet, runs, report);
    mail(wallet, report).await;
}

fn own_origin(config: &Config, wallet: &config::Wallet, report: &mut Report) {
    let origin = &wallet.origin;
    let same = |url: &String| Url::parse(url).is_ok_and(|url| url.origin().ascii_serialization() == *origin);
    if config.public_url.as_ref().is_some_and(same) {
        return report.wrong(
            "wallet.origin",
            format!("{origin} is the address of the server too. Give the wallet a host name of its own."),
        );
    }
    if !wallet.local && config.limits.trusted_proxies.is_empty() {
        report.note(
            "wallet.origin",
            format!("{origin} needs a proxy that terminates TLS. Set `trusted_proxies` to its address, or all visitors share one limit."),
        );
    }
}

/// The frame opens on pages of a project's origins only.
async fn projects(database: &Database, report: &Report) {
    let Ok((entries, _)) = table::oldest(database, MOST_PROJECTS).await else { return };
    let usable = entries.iter().filter(|entry| entry.disabled_at.is_none());
    for entry in usable.filter(|entry| entry.origins.is_empty()) {
        let id = entry.id.as_str();
        report.note(
            "wallet.origin",
            format!("no page of the project {id} can open the wallet, because it has no origins. Add one: portico project origin add {id} https://shop.example"),
        );
    }
}

/// Issuers of hosts' tokens for a project that doesn't exist, with what to do.
pub(in crate::cli) async fn without_project<'a>(
    wallet: &'a config::Wallet,
    database: &Database,
) -> Vec<(&'a str, String)> {
    let mut told = Vec::new();
    for issuer in &wallet.jwt {
        let Some(text) = issuer.project.as_deref() else { continue };
        let sentence = match ProjectId::parse(text) {
            // Without its tables, the line of the database says so.
            Some(id) if table::read(database, &id).await.map_or(true, |found| found.is_some()) => continue,
            Some(id) => format!(
                "there is no project {id}, so these logins don't work. Set `project` to the id of one (portico project list), or add it: portico project add --id {id} --origin https://shop.example",
                id = id.as_str()
            ),
            None => format!(
                "no project can have the id `{text}`, so these logins don't work. Set `project` to the id of one: portico project list"
            ),
        };
        told.push((issuer.issuer.as_str(), sentence));
    }
    told
}

/// Step after a document couldn't be fetched from the address in this setting.
fn next(fault: Fault, setting: &str, address: Option<&Url>) -> String {
    match fault {
        Fault::Unopened(ConnectFault::NoTls) if !address.is_some_and(config::may_be_http) => {
            format!("Check address and port in {setting}.")
        }
        Fault::Unopened(fault) => fault.next(setting),
        _ => format!("Check {setting}."),
    }
}

async fn root(wallet: &config::Wallet, flag: &str, report: &mut Report) -> Option<Root> {
    let file = wallet.vault.root_key_file.display();
    match Root::read(&wallet.vault.root_key_file) {
        Ok(root) => {
            report.ok("vault key", format!("{file} can be read by its owner only"));
            Some(root)
        }
        Err(error) if error.is_missing() && root_key::was_made(wallet).await.unwrap_or_default() => {
            report.wrong("vault key", root_key::lost(wallet));
            None
        }
        Err(RootError::Read(_, error)) if error.kind() == ErrorKind::NotFound => {
            report.wrong("vault key", format!("{file} isn't there. Make it: portico vault init{flag}"));
            None
        }
        Err(RootError::Read(_, error)) if error.kind() == ErrorKind::PermissionDenied => {
            report
                .note("vault key", format!("only its owner can read {file}. Run `portico vault doctor` as that user."));
            None
        }
        Err(error) => {
            report.wrong("vault key", root_key::with_flag(&error, flag));
            None
        }
    }
}

async fn database(wallet: &config::Wallet, root: Root, report: &mut Report) {
    let place = &wallet.vault.database;
    let database = match Database::look(place, Schema::Vault).await {
        Ok(Some(database)) => database,
        Ok(None) => {
            return report.wrong(
                "vault database",
                format!("{place} isn't there. `portico vault init` makes it, together with a new key."),
            );
        }
        Err(error) => return report.wrong("vault database", error),
    };
    match vault::belongs(root, &database).await {
        Ok(true) => report.ok("vault database", format!("{place} belongs to the key")),
        Ok(false) if vault::is_interrupted(&wallet.vault.root_key_file, &database).await => report.wrong(
            "vault database",
            format!("{place} belongs to a new key already. Finish the interrupted rotation: portico vault rotate"),
        ),
        Ok(false) => report
            .wrong("vault database", format!("{place} belongs to another key. Restore the key that it was made with.")),
        Err(error) => report.wrong("vault database", error),
    }
    database.close().await;
}

/// Whether the vault runs, as far as this user may know.
async fn socket(wallet: &config::Wallet, report: &mut Report) -> bool {
    let socket = wallet.vault.socket.display();
    let found = UnixStream::connect(&wallet.vault.socket).await;
    let runs = found.as_ref().err().is_none_or(|error| error.kind() == ErrorKind::PermissionDenied);
    if let Some(mistake) = wallet.vault.without_folder().filter(|_| !runs) {
        report.wrong("wallet.vault.socket", mistake.sentence());
        return false;
    }
    match found {
        Ok(_) => report.ok("vault", format!("listens at {socket}")),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            report.note("vault", format!("this user can't connect to {socket}. Run this as the server's user."));
        }
        Err(_) if !wallet.vault.is_alone() => report.note("vault", "isn't running. `portico serve` starts it."),
        Err(_) => report.wrong("vault", format!("isn't running at {socket}. Start it: portico vault serve")),
    }
    runs
}

/// A vault that `serve` starts has the server's user. A wallet of this machine has no visitors to protect.
fn own_user(wallet: &config::Wallet, report: &mut Report) {
    if !wallet.local && !wallet.vault.is_alone() {
        report.note(
            "vault",
            "runs as the server's user, so whoever takes over the server can read root key and database. Give it a user of its own: see docs/operations/wallet.md.",
        );
    }
}

/// A vault on another host, which checks its key, database and mail server there.
async fn away(wallet: &config::Wallet, report: &mut Report) {
    let way = Way::new(&wallet.vault);
    if let Some(mistake) = way.mistake() {
        return report.wrong("vault", mistake);
    }
    match vault_away(&way).await {
        None => report
            .ok("vault", format!("{way} answers by mutual TLS. For its key and emails: portico vault doctor there")),
        Some((fault, cause)) => report.wrong("vault", unreached(&way.to_string(), fault, &cause)),
    }
}

/// Sentence about a vault on another host that does not answer, with what to do.
fn unreached(way: &str, fault: ConnectFault, cause: &str) -> String {
    let setting = "`wallet.vault.address`";
    match fault {
        ConnectFault::Refused => {
            format!("Couldn't reach the vault at {way}: it refuses connections. Start it there, or check {setting}.")
        }
        ConnectFault::UnknownName => format!("Couldn't reach the vault at {way}: {fault}. {}", fault.next(setting)),
        ConnectFault::NoTls => {
            format!("What answers at {way} isn't a vault: it speaks without TLS. Check the port in {setting}.")
        }
        _ if cause.contains("invalid peer certificate") => format!(
            "The certificate of the vault at {way} isn't right ({cause}). Check its name, and `wallet.vault.authority`."
        ),
        _ if cause.contains("fatal alert") => format!(
            "The vault at {way} refuses the certificate of this server ({cause}). Check `wallet.vault.certificate`, and the vault's `wallet.vault.authority`."
        ),
        _ => format!("Couldn't reach the vault at {way} ({cause}). Start it there, and check the firewall."),
    }
}

/// Files of TLS of a vault for other hosts, and its port, which is the vault's own while it runs.
fn link(wallet: &config::Wallet, runs: bool, report: &mut Report) {
    let held = |address: &SocketAddr| TcpListener::bind(address).err().map(|error| error.kind());
    match vault::check_link(wallet.vault.link.as_ref()) {
        Ok(Some(address)) if !runs && held(&address) == Some(ErrorKind::AddrInUse) => {
            let by = port::holder(address).map_or_else(|| "another program".into(), |holder| holder.to_string());
            let said = format!("{address} is used by {by}. Stop it, or set `wallet.vault.listen` to another port.");
            report.wrong("vault", said);
        }
        Ok(Some(address)) if held(&address) == Some(ErrorKind::AddrNotAvailable) => {
            report.wrong("vault", not_here(address, "wallet.vault.listen"));
        }
        Ok(Some(address)) => report.ok("vault", format!("has certificates for servers on other hosts, at {address}")),
        Ok(None) => {}
        Err(error) => report.wrong("vault", error),
    }
}

async fn mail(wallet: &config::Wallet, report: &mut Report) {
    match (&wallet.mail, vault::check_mail(&wallet.mail).await) {
        (MailWay::Outbox, _) => report.note(
            "wallet.mail",
            format!(
                "emails stay at {}/outbox. For visitors, set `wallet.mail.smtp` and `wallet.mail.from`.",
                wallet.origin
            ),
        ),
        (MailWay::Smtp { from, .. }, Ok(dsn)) => {
            let bounces = match dsn {
                true => "It offers DSN: bounces leave out codes and links.",
                false => "It offers no DSN: bounces may contain codes and links.",
            };
            report.ok("wallet.mail", format!("the mail server is ready, from {from}. {bounces}"));
        }
        (MailWay::Smtp { .. }, Err(error)) => report.wrong("wallet.mail", error),
    }
}

async fn services(wallet: &config::Wallet, client: &Client, report: &mut Report) {
    if wallet.socials.is_empty() && wallet.farcaster.is_none() {
        report.ok("wallet.social", "no other services. To add Google and others, see docs/operations/wallet.md.");
    }
    for social in &wallet.socials {
        let what = format!("wallet.social.{}", social.word);
        let provider = match Provider::configured(social) {
            Ok(provider) => provider,
            Err(error) => {
                report.wrong(&what, error);
                continue;
            }
        };
        match provider.is_found(client).await {
            Ok(()) => report.ok(
                &what,
                format!(
                    "set up. Register {}/wallet/callback/{} there as redirect address.",
                    wallet.origin, social.word
                ),
            ),
            Err(error) => {
                let setting = format!("`{what}.issuer`");
                let next = match error {
                    LoginFault::Unread(_, _, fault) => next(fault, &setting, social.place.as_ref()),
                    _ => format!("Check {setting}."),
                };
                report.wrong(&what, format!("{error}. {next}"));
            }
        }
    }
    match HostTokens::configured(&wallet.jwt) {
        Ok(tokens) => {
            for ((issuer, found), set) in tokens.check(client).await.into_iter().zip(&wallet.jwt) {
                let what = format!("wallet.jwt {issuer}");
                match found {
                    Ok(0) => report.wrong(&what, "no key can be used. Check `jwks_url`."),
                    Ok(1) => report.ok(&what, "1 public key can be used"),
                    Ok(count) => report.ok(&what, format!("{count} public keys can be used")),
                    Err(fault) => {
                        let (cause, next) = (oauth::told(fault), next(fault, "`jwks_url`", set.keys.url()));
                        report.wrong(&what, format!("couldn't read its keys at `jwks_url`: {cause}. {next}"));
                    }
                }
            }
        }
        Err(error) => report.wrong("wallet.jwt", error),
    }
    if let Some(farcaster) = &wallet.farcaster {
        let what = "wallet.social.farcaster";
        match chain_of(client, &farcaster.node).await.as_deref() {
            Some(OP_MAINNET) => report.ok(what, "the node serves OP Mainnet"),
            Some(other) => report.wrong(
                what,
                format!("the node serves the chain {other}, not OP Mainnet. Set `{what}.node` to another."),
            ),
            None => report.wrong(what, format!("the node isn't responding. Check `{what}.node`.")),
        }
    }
}

/// Id of the chain that a node serves.
async fn chain_of(client: &Client, node: &Url) -> Option<String> {
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_chainId", "params": [] });
    let request = client.post(node.clone()).header(header::CONTENT_TYPE, "application/json").body(call.to_string());
    let text = request.timeout(WAIT).send().await.ok()?.text().await.ok()?;
    let answer: Value = serde_json::from_str(&text).ok()?;
    Some(answer.get("result")?.as_str()?.to_owned())
}
