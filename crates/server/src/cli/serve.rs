//! `portico serve`

mod args;

use super::doctor::wallet::without_project;
use super::printed::{Printed, tell};
use super::{first_run, log, port};
use crate::admin;
use crate::analytics::retention;
use crate::config::{self, Config, MailWay};
use crate::db::Database;
use crate::guard::spent;
use crate::project::table;
use crate::reload::{self, Source};
use crate::shared::Shared;
use crate::state::AppState;
use crate::stop::{DRAIN_LIMIT, Ended, serve_until};
use crate::vault::Way;
use crate::wallet::{Wallet, child};
pub(super) use args::ServeArgs;
use std::io::{self, ErrorKind, Write};
use std::net::SocketAddr;
use tokio::net::TcpListener;
use tokio::process::Child;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;

pub(super) const EXAMPLES: &str = "\
Examples:
  portico serve                                  use portico.toml, or built-in settings for this machine if there is none
  portico serve --public-nodes                   serve the large networks over nodes run by others
  portico serve --config /etc/portico/portico.toml --listen 127.0.0.1:9000
  portico serve --listen 127.0.0.1:0             pick a free port and print it
  portico serve --database postgres://portico@db.example/portico --redis-url redis://redis.example:6379
                                                 run one of several servers; the URL with its password can be in PORTICO__DATABASE_FILE
  PORTICO__RELAY__ENABLED=true portico serve     run a relay of your own (WalletConnect)

To turn on the relay in portico.toml, at wss://portico.example.org/relay:
  public_url = \"https://portico.example.org\"

  [relay]
  enabled = true

Changes of [[chains]] apply without a restart. `portico --help` shows a portico.toml to start from, and how to set everything from the
environment.";

pub(super) async fn run(args: ServeArgs) -> Result<(), Printed> {
    let (config, source) = args.load()?;
    let events = log::begin(&config);
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    let listener = TcpListener::bind(config.listen).await.map_err(|error| tell(unheard(&config, &error)))?;
    let address =
        listener.local_addr().map_err(|error| tell(format!("Couldn't read the address of the listener: {error}")))?;
    let mut config = config.at(address);
    let admin = match config.admin_listen {
        Some(admin) => admin_listener(&config, admin).await?,
        None => None,
    };
    if admin.is_none() {
        config.lose_admin();
    }
    let config = &config;
    let database = Database::open(&config.database).await.map_err(tell)?;
    database.migrate().await.map_err(tell)?;
    first_run::make_project(config, &database).await?;
    let metrics = match config.admin_listen {
        Some(_) => Some(admin::install().map_err(|error| tell(format!("Couldn't start the metrics: {error}")))?),
        None => None,
    };
    let state = AppState::new(config, database.clone(), shared(config)?).map_err(tell)?;
    spent::load(&state).await.map_err(tell)?;
    let stop = Stop::new().map_err(|error| tell(format!("Couldn't listen for signals: {error}")))?;
    if let (Some(listener), Some(metrics)) = (admin, metrics) {
        let at = listener
            .local_addr()
            .map_err(|error| tell(format!("Couldn't read the address of the listener: {error}")))?;
        announce(&format!("metrics on http://{at}/metrics"));
        tokio::spawn(admin::serve(listener, address, state.clone(), metrics, events));
    }
    let wallet = wallet(config, &state, &source).await?;
    tokio::spawn(reload::watch(state.clone(), source, config.written.clone()));
    tokio::spawn(spent::watch(state.clone()));
    tokio::spawn(state.shared().clone().watch());
    if let Some(relay) = state.relay() {
        relay.start();
    }
    if let Some(days) = config.analytics_keep_days {
        tokio::spawn(retention::watch(database.clone(), days));
    }
    // A server that could not start has other worries.
    warn_without_project(&database).await?;
    if let Some(wallet) = &config.wallet {
        for (issuer, sentence) in without_project(wallet, &database).await {
            tracing::warn!("[[wallet.jwt]] {issuer}: {sentence}");
        }
    }
    announce(&format!("listening on http://{address}"));
    first_run::log_steps(config, address);
    notify_systemd(&[sd_notify::NotifyState::Ready]);
    let ended = serve_until(stop.heard(), listener, crate::router(state.clone()), state.clone()).await;
    if let Some(wallet) = wallet {
        wallet.end().await;
    }
    spent::write(&state).await;
    if let Some(relay) = state.relay() {
        relay.flush().await;
    }
    database.close().await;
    match ended {
        Ok(Ended::Drained) => tracing::info!("stopped"),
        Ok(Ended::Cut) => {
            tracing::warn!(seconds = DRAIN_LIMIT.as_secs(), "stopped, and cut requests that were still running")
        }
        Err(error) => return Err(tell(format!("Couldn't go on serving: {error}"))),
    }
    Ok(())
}

/// The embedded wallet while it is served.
struct ServedWallet {
    served: JoinHandle<()>,
    vault: Option<JoinHandle<Option<Child>>>,
}

impl ServedWallet {
    /// Waits until its listener has finished, then ends the vault.
    async fn end(self) {
        // A panic of the task is in the log.
        let _ = self.served.await;
        if let Some(vault) = self.vault
            && let Ok(Some(child)) = vault.await
        {
            child::end(child).await;
        }
    }
}

/// Serves the embedded wallet on its own listener, if there is one, and starts its vault.
async fn wallet(config: &Config, state: &AppState, source: &Source) -> Result<Option<ServedWallet>, Printed> {
    let Some(wallet) = &config.wallet else { return Ok(None) };
    if let Some(warning) = wallet.warning() {
        tracing::warn!("{warning}");
    }
    let listener = TcpListener::bind(wallet.listen)
        .await
        .map_err(|error| tell(no_listener(wallet.listen, WALLET, config.listen, &error)))?;
    let address =
        listener.local_addr().map_err(|error| tell(format!("Couldn't read the address of the listener: {error}")))?;
    if let Some(mistake) = Way::new(&wallet.vault).mistake() {
        return Err(tell(mistake));
    }
    let router = crate::wallet_router(state.clone(), Wallet::open(wallet).map_err(tell)?);
    let vault = match wallet.vault.start {
        true => {
            let lines = config.log_format;
            let file = source.path.exists().then(|| source.path.clone());
            let child = child::start(file.as_deref(), lines).await.map_err(tell)?;
            Some(tokio::spawn(child::watch(child, file, lines, state.clone())))
        }
        false => None,
    };
    let served = {
        let state = state.clone();
        async move {
            if let Err(error) = serve_until(stop_begun(state.clone()), listener, router, state).await {
                tracing::error!(%error, "the wallet's listener ended");
            }
        }
    };
    announce(&wallet_line(wallet, address));
    Ok(Some(ServedWallet { served: tokio::spawn(served), vault }))
}

/// The line names the host of the origin: at another name the listener answers 404.
fn wallet_line(wallet: &config::Wallet, address: SocketAddr) -> String {
    if !wallet.local {
        return format!("wallet on http://{address}");
    }
    let host = wallet.origin.trim_start_matches("http://").trim_start_matches("https://");
    let name = match host.rsplit_once(':') {
        Some((name, _)) if !host.ends_with(']') => name,
        _ => host,
    };
    let url = format!("http://{name}:{}", address.port());
    match wallet.mail {
        MailWay::Outbox => format!("wallet on {url} (emails: {url}/outbox)"),
        MailWay::Smtp { .. } => format!("wallet on {url}"),
    }
}

async fn stop_begun(state: AppState) {
    state.stop_begun().await;
}

/// Listener for operators. Built-in settings name its port, so there another server may have it: this one then works without.
async fn admin_listener(config: &Config, address: SocketAddr) -> Result<Option<TcpListener>, Printed> {
    match TcpListener::bind(address).await {
        Ok(listener) => Ok(Some(listener)),
        Err(error) if config.built_in => {
            tracing::warn!("the admin page is off. {}", no_listener(address, ADMIN, config.listen, &error));
            Ok(None)
        }
        Err(error) => Err(tell(no_listener(address, "admin_listen", config.listen, &error))),
    }
}

/// Redis may be down at startup: until it is up, this node works with its own memory.
fn shared(config: &Config) -> Result<Shared, Printed> {
    match config.redis.clone() {
        Some(place) => Shared::in_redis(place, &config.redis_prefix)
            .map_err(|error| tell(format!("Couldn't set up Redis: {error}"))),
        None => Ok(Shared::in_memory()),
    }
}

/// Without a project every request is refused; the log says so at startup.
async fn warn_without_project(database: &Database) -> Result<(), Printed> {
    if table::ids(database).await.map_err(tell)?.is_empty() {
        tracing::warn!(
            "no projects yet, so every request is refused. Add one: portico project add Shop --origin https://shop.example"
        );
    }
    Ok(())
}

/// Prints the line that scripts wait for. A closed stdout must not stop the server.
fn announce(line: &str) {
    let mut out = io::stdout();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

/// Does nothing if the process was not started by systemd.
pub(super) fn notify_systemd(states: &[sd_notify::NotifyState]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "couldn't notify systemd");
    }
}

/// Sentence about an address that no interface of this machine has; `setting` is a setting or a flag.
pub(super) fn not_here(address: SocketAddr, setting: &str) -> String {
    format!(
        "{} isn't an address of this machine. Set `{setting}` to one that is, or to 0.0.0.0:{} for all.",
        address.ip(),
        address.port()
    )
}

/// Setting of the wallet's listener.
const WALLET: &str = "wallet.listen";

/// Variable of the admin page's listener.
const ADMIN: &str = "PORTICO__ADMIN_LISTEN";

/// Sentence about a port that this user may not open; `by` chooses another one.
pub(super) fn closed(port: u16, by: &str) -> String {
    format!("This user can't open port {port}. Choose one above 1023 with {by}, or give this user the permission.")
}

/// Reason why there is no public listener. A flag is the way to another port for a try, whatever gave the address.
fn unheard(config: &Config, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::AddrNotAvailable if !config.listen_by_flag => not_here(config.listen, "listen"),
        _ => no_listener(config.listen, "--listen", config.listen, error),
    }
}

/// Reason why there is no listener; `by` is the setting or flag that chooses another address, and `public` is that of the public listener.
fn no_listener(address: SocketAddr, by: &str, public: SocketAddr, error: &io::Error) -> String {
    let port = address.port();
    match error.kind() {
        ErrorKind::AddrInUse => {
            let ip = address.ip();
            let (whose, it) = match port::holder(address) {
                Some(holder) => (format!("already taken by {holder}"), "it"),
                None => ("already taken".into(), "the program that listens there"),
            };
            if by == WALLET {
                return format!(
                    "Port {port} on {ip}, of the embedded wallet, is {whose}. Stop {it}, or set `{WALLET}` to another port (as a variable: PORTICO__WALLET__LISTEN)."
                );
            }
            // Commands find the admin page by its setting, so that its port is a fixed one.
            let near = [port.checked_add(1), port.checked_add(2), port.checked_sub(1), port.checked_sub(2)];
            let next = near.into_iter().flatten().find(|next| *next != public.port()).unwrap_or_default();
            let (port_of_choice, hint) = match by {
                ADMIN => (next, ". Set it for every command"),
                "admin_listen" => (next, ""),
                _ => (0, " for any free port"),
            };
            let other = SocketAddr::new(ip, port_of_choice);
            format!("Port {port} on {ip} is {whose}. Stop {it}, or choose another with {by}, such as {other}{hint}.")
        }
        ErrorKind::PermissionDenied => closed(port, by),
        ErrorKind::AddrNotAvailable => not_here(address, by),
        _ => format!("Couldn't listen on {address}: {error}"),
    }
}

/// Exit code of a program that Ctrl-C ended, as shells have it.
const INTERRUPTED: i32 = 130;

struct Stop {
    terminate: Signal,
    interrupt: Signal,
}

impl Stop {
    fn new() -> io::Result<Stop> {
        Ok(Stop { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn heard(mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
        notify_systemd(&[sd_notify::NotifyState::Stopping]);
        tracing::info!(
            "stopping, after the open requests finish ({} seconds at most). Ctrl-C again stops now.",
            DRAIN_LIMIT.as_secs()
        );
        tokio::spawn(async move {
            if self.interrupt.recv().await.is_some() {
                std::process::exit(INTERRUPTED);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_about_a_port_of_the_admin_page_is_a_port_that_commands_find() {
        let public = "127.0.0.1:8080".parse().unwrap();
        let told = |by: &str, address: &str| {
            no_listener(address.parse().unwrap(), by, public, &io::Error::from(ErrorKind::AddrInUse))
        };
        let next = "or choose another with admin_listen, such as 127.0.0.1:2.";
        assert!(told("admin_listen", "127.0.0.1:1").ends_with(next));
        assert!(told("admin_listen", "127.0.0.1:65535").ends_with("such as 127.0.0.1:65534."));
        // That of the public listener is taken too.
        assert!(told("admin_listen", "127.0.0.1:8079").ends_with("such as 127.0.0.1:8081."));
        assert!(told("--listen", "127.0.0.1:1").ends_with("such as 127.0.0.1:0 for any free port."));
    }

    #[test]
    fn an_address_of_another_machine_is_told_by_the_flag_or_the_setting_that_gave_it() {
        let told = |toml: &str, flag: Option<&str>| {
            let flags = config::Flags { listen: flag.map(Into::into), ..config::Flags::default() };
            let config = Config::parse(std::path::Path::new("portico.toml"), toml, [], &flags).unwrap();
            unheard(&config, &io::Error::from(ErrorKind::AddrNotAvailable))
        };
        let sentence = |by: &str| {
            format!("1.2.3.4 isn't an address of this machine. Set `{by}` to one that is, or to 0.0.0.0:80 for all.")
        };
        assert_eq!(told("", Some("1.2.3.4:80")), sentence("--listen"));
        assert_eq!(told("listen = \"1.2.3.4:80\"", None), sentence("listen"));
    }
}
