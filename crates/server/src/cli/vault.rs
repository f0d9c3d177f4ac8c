//! `portico vault`

use super::backup::copy;
use super::config::{FileArgs, load};
use super::printed::{Printed, tell};
use super::report::Report;
use super::serve::notify_systemd;
use super::{doctor, log, root_key, rotate};
use crate::admin;
use crate::config::{self, Config, DatabasePlace, Flags};
use crate::db::{Database, Schema};
use crate::vault::{self, Clock, Door, Keeper, Mailer, Root, RootError, Vault};
use crate::wallet::child::LISTENS;
use clap::{Args, Subcommand};
use futures_util::FutureExt;
use std::io::Write;
use std::path::PathBuf;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_rustls::TlsAcceptor;

pub(super) const EXAMPLES: &str = "\
Examples:
  portico vault init                             create the root key and the database
  portico vault serve                            run the vault on its own; `portico serve` starts it unless wallet.vault.start = false
  portico vault doctor                           check key, database, socket and mail server
  portico vault freeze ada@example.org           freeze this user's wallet, for example after a theft
  portico vault freeze ada@example.org --unfreeze
                                                 let it sign again
  portico vault audit verify                     check that the audit log wasn't changed
  portico vault backup vault-copy.sqlite         copy the database, without the root key
  portico vault rotate                           replace the root key, for example after a copy of it leaked

Keep a copy of the root key in a safe place: without it, no one can log in on a new device. Keep it apart from backups of the database:
together they open the wallets of all users who have recovery by email.";

const INIT_EXAMPLES: &str = "\
Examples:
  portico vault init                             write the root key and the database where portico.toml says
  portico vault init --config /etc/portico/portico.toml

A root key that exists stays as it is. Keep a copy of the new one in a safe place, apart from backups of the database. Without it, no one
can log in on a new device.";

const SERVE_EXAMPLES: &str = "\
Examples:
  portico vault serve                            run the vault of portico.toml in this folder
  portico vault serve --config /etc/portico/portico.toml

`portico serve` starts the vault unless `wallet.vault.start = false`. Set that to run the vault as a user of its own, as
packaging/portico-vault.service does.";

const DOCTOR_EXAMPLES: &str = "\
Examples:
  portico vault doctor                           check the vault of portico.toml in this folder
  portico vault doctor --config /etc/portico/portico.toml

Run it as the vault's user, who alone can read the root key. Nothing is created or changed. `portico doctor` checks this and the rest of
the server.";

const FREEZE_EXAMPLES: &str = "\
Examples:
  portico vault freeze ada@example.org           freeze the wallet of the user with this email address
  portico vault freeze ada@example.org --unfreeze

A frozen wallet can't sign. Users can't unfreeze a wallet that you froze. `--unfreeze` also ends a freeze of their own.";

const AUDIT_EXAMPLES: &str = "\
Examples:
  portico vault audit verify                     check all rows, and print their number and the hash of the last one

Note the number and the hash from time to time. Fewer rows later mean that the end was cut off.";

const BACKUP_EXAMPLES: &str = "\
Examples:
  portico vault backup /var/backups/vault-$(date +%F).sqlite

The copy is consistent even while the vault is running, and has no root key: keep a copy of that in another place. To restore, stop the
vault, replace its database with the copy, delete the files beside it that end in -wal and -shm, and start the vault again.";

#[derive(Subcommand)]
pub(super) enum VaultCommand {
    /// Create the root key and the database
    #[command(after_help = INIT_EXAMPLES)]
    Init(FileArgs),
    /// Run the vault until SIGTERM or Ctrl-C
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(ServeArgs),
    /// Check key, database, socket and mail server
    #[command(after_help = DOCTOR_EXAMPLES)]
    Doctor(FileArgs),
    /// Freeze or unfreeze a user's wallet
    #[command(after_help = FREEZE_EXAMPLES)]
    Freeze(FreezeArgs),
    /// Check the audit log
    #[command(subcommand, after_help = AUDIT_EXAMPLES)]
    Audit(AuditCommand),
    /// Copy the database, without the root key
    #[command(after_help = BACKUP_EXAMPLES)]
    Backup(BackupArgs),
    /// Replace the root key, without losing a wallet
    #[command(after_help = rotate::HELP)]
    Rotate(rotate::RotateArgs),
}

#[derive(Args)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    file: FileArgs,
    /// End with the process that started it
    #[arg(long, hide = true)]
    child: bool,
}

#[derive(Args)]
pub(super) struct FreezeArgs {
    /// Email address or id of the user
    #[arg(value_name = "USER")]
    user: String,
    /// Unfreeze the wallet
    #[arg(long, alias = "thaw")]
    unfreeze: bool,
    #[command(flatten)]
    file: FileArgs,
}

#[derive(Args)]
pub(super) struct BackupArgs {
    #[command(flatten)]
    file: FileArgs,
    /// File to write; it must not exist yet
    #[arg(value_name = "COPY")]
    copy: PathBuf,
}

#[derive(Subcommand)]
pub(super) enum AuditCommand {
    /// Check that no row was changed or removed, and print the hash of the last one
    #[command(after_help = AUDIT_EXAMPLES)]
    Verify(FileArgs),
}

pub(super) async fn run(command: VaultCommand) -> Result<(), Printed> {
    match command {
        VaultCommand::Init(args) => init(&wallet(&args)?.1, &args.flag()).await,
        VaultCommand::Serve(args) => serve(prepare(&args)?).await,
        VaultCommand::Doctor(args) => check(&wallet_seen(&args)?.1, &args.flag()).await,
        VaultCommand::Freeze(args) => freeze(&args).await,
        VaultCommand::Audit(AuditCommand::Verify(args)) => audit(&wallet(&args)?.1, &args.flag()).await,
        VaultCommand::Backup(args) => backup(&args).await,
        VaultCommand::Rotate(args) => rotate::run(&args).await,
    }
}

/// Configuration for a command on the vault. It refuses paths that mean other files here than to the running server.
pub(super) fn wallet(args: &FileArgs) -> Result<(Config, config::Wallet), Printed> {
    let (config, wallet) = wallet_seen(args)?;
    if let Some(at) = wallet.vault.away_at() {
        // Here they would make or change another vault than the one that the server uses.
        return Err(tell(format!(
            "The vault is on another host, at {at} (`wallet.vault.address`). Run this command there."
        )));
    }
    Ok((config, wallet))
}

/// The same for a command that only looks, also at a vault on another host.
fn wallet_seen(args: &FileArgs) -> Result<(Config, config::Wallet), Printed> {
    let (config, wallet) = any_wallet(args)?;
    match doctor::wallet::elsewhere(&config, &wallet, &args.path()) {
        Some(sentence) => Err(tell(sentence)),
        None => Ok((config, wallet)),
    }
}

fn any_wallet(args: &FileArgs) -> Result<(Config, config::Wallet), Printed> {
    let config = load(args, &Flags::default())?;
    let none = || tell("The embedded wallet is off. Set `wallet.origin` in portico.toml: docs/operations/wallet.md");
    let wallet = config.wallet.clone().ok_or_else(none)?;
    Ok((config, wallet))
}

pub(super) async fn database(wallet: &config::Wallet) -> Result<Database, Printed> {
    let database = Database::with_schema(&wallet.vault.database, Schema::Vault).await.map_err(tell)?;
    database.migrate().await.map_err(tell)?;
    Ok(database)
}

async fn open(wallet: &config::Wallet, root: Root, database: Database) -> Result<Vault, Printed> {
    let mailer = Mailer::new(&wallet.mail).map_err(tell)?;
    let vault =
        Vault::new(root, database, &wallet.vault, &wallet.origin, mailer, Clock::default()).await.map_err(tell)?;
    vault.with_services(wallet).map_err(tell)
}

async fn init(wallet: &config::Wallet, flag: &str) -> Result<(), Printed> {
    if root_key::was_made(wallet).await.map_err(tell)?
        && let Err(error) = Root::read(&wallet.vault.root_key_file)
    {
        if !error.is_missing() {
            // A second try would count, if it is the PIN of a token that is wrong.
            return Err(tell(error));
        }
        let lost = root_key::lost(wallet);
        return Err(tell(format!("{lost} To start over without its users, move the database away first.")));
    }
    let root = Root::create(&wallet.vault.root_key_file).map_err(|error| match error {
        RootError::There(file) => tell(format!(
            "{file} is already there and stays as it is. Start the server with `portico serve{flag}`, or replace the key with `portico vault rotate{flag}`."
        )),
        error => tell(error),
    })?;
    let database = database(wallet).await?;
    let opened = open(wallet, root, database.clone()).await;
    // Closed, SQLite leaves no files beside the database: the vault may be another user, who could not write them.
    database.close().await;
    opened?;
    let (file, made) = (wallet.vault.root_key_file.display(), &wallet.vault.database);
    match Root::keeper(&wallet.vault.root_key_file) {
        Some(Keeper::Token(_)) => {
            say!("Made the root key in the token that {file} names, and created the database {made}.");
        }
        Some(Keeper::Kms(_)) => {
            say!("Created the database {made} for the root key in AWS KMS that {file} names.");
        }
        None => {
            say!("Wrote the root key to {file} and created the database {made}.");
        }
    }
    root_key::tell_keeping(wallet);
    let next = if wallet.vault.is_alone() { "vault serve" } else { "serve" };
    say!("\nNext: portico {next}{flag}");
    Ok(())
}

/// A vault before its threads start: its secrets are read, and it is confined.
pub(super) struct Prepared {
    wallet: config::Wallet,
    root: Root,
    /// Listener for servers on other hosts.
    others: Option<(std::net::TcpListener, TlsAcceptor)>,
    child: bool,
}

/// Reads what only the start needs, and confines this thread: those that it starts later are confined too.
pub(super) fn prepare(args: &ServeArgs) -> Result<Prepared, Printed> {
    // The server that starts a vault is in the same folder, and does not answer yet.
    let (config, wallet) = if args.child { any_wallet(&args.file)? } else { wallet(&args.file)? };
    log::begin(&config);
    vault::harden(args.child);
    let root = root_key::read(&wallet, &args.file.flag())?;
    let others = vault::bind_for_others(wallet.vault.link.as_ref()).map_err(tell)?;
    vault::confine(&wallet);
    Ok(Prepared { wallet, root, others, child: args.child })
}

pub(super) async fn serve(Prepared { wallet, root, others, child }: Prepared) -> Result<(), Printed> {
    let wallet = &wallet;
    let metrics = admin::recorder().map_err(|error| tell(format!("Couldn't start the metrics: {error}")))?;
    vault::metrics::begin();
    let database = database(wallet).await?;
    let failed = |error| tell(format!("Couldn't listen for signals: {error}"));
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    // Before the database is asked whose it is: a rotation of the key looks for listeners after it has claimed the database.
    let socket = vault::bind(&wallet.vault.socket, wallet.vault.socket_mode).await.map_err(tell)?;
    let opened = open(wallet, root, database.clone()).await;
    let vault = opened.inspect_err(|_| drop(std::fs::remove_file(&wallet.vault.socket)))?;
    tokio::spawn(vault.clone().sweep());
    let mut out = std::io::stdout();
    // `serve` may have ended meanwhile.
    let failed = |error| tell(format!("Couldn't listen for other hosts: {error}"));
    let at = others.as_ref().map(|(listener, _)| listener.local_addr()).transpose().map_err(failed)?;
    let at = at.map(|at| format!(", and for servers on other hosts on {at}")).unwrap_or_default();
    let _ = writeln!(out, "{LISTENS}{}{at}", wallet.vault.socket.display()).and_then(|()| out.flush());
    // The server tells of itself, with its vault.
    if !child {
        notify_systemd(&[sd_notify::NotifyState::Ready]);
    }
    let stop = async {
        // Ctrl-C reaches the server and its vault at once; the server ends its vault when it has finished.
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv(), if !child => {}
        }
    };
    let router = vault::with_metrics(vault::router(vault), move || metrics.render());
    let stop = stop.shared();
    let here = vault::serve_until(stop.clone(), Door::Socket(socket), router.clone());
    match others {
        Some((listener, acceptor)) => {
            let listener = TcpListener::from_std(listener).map_err(failed)?;
            tokio::join!(here, vault::serve_until(stop, Door::Address(listener, acceptor), router));
        }
        None => here.await,
    }
    let _ = std::fs::remove_file(&wallet.vault.socket);
    database.close().await;
    tracing::info!("the vault stopped");
    Ok(())
}

async fn check(wallet: &config::Wallet, flag: &str) -> Result<(), Printed> {
    let mut report = Report::default();
    doctor::wallet::vault_and_mail(wallet, flag, &mut report).await;
    report.end()
}

async fn freeze(args: &FreezeArgs) -> Result<(), Printed> {
    let (_, wallet) = wallet(&args.file)?;
    let root = root_key::read(&wallet, &args.file.flag())?;
    let database = database(&wallet).await?;
    let frozen = match open(&wallet, root, database.clone()).await {
        Ok(vault) => vault.freeze(&args.user, args.unfreeze).await.map_err(|failure| tell(failure.description())),
        Err(error) => Err(error),
    };
    database.close().await;
    let found = frozen?;
    let user = &args.user;
    found.ok_or_else(|| tell(format!("No user `{user}`. Use the email address or the id of a user.")))?;
    say!("{} the wallet of {user}.", if args.unfreeze { "Unfroze" } else { "Froze" });
    Ok(())
}

async fn backup(args: &BackupArgs) -> Result<(), Printed> {
    let (_, wallet) = wallet(&args.file)?;
    let place = &wallet.vault.database;
    let there = || match place {
        DatabasePlace::Sqlite(file) if !file.is_file() => {
            Err(format!("No database of the vault at {place}. `portico vault init` makes it."))
        }
        _ => Ok(()),
    };
    copy(place, Schema::Vault, &args.copy, there).await
}

async fn audit(wallet: &config::Wallet, flag: &str) -> Result<(), Printed> {
    let root = root_key::read(wallet, flag)?;
    let database = database(wallet).await?;
    let verified = vault::verify_audit(root, &database).await.map_err(tell);
    database.close().await;
    let head = verified?;
    match head.rows {
        0 => say!("The audit log is complete. It has no rows yet."),
        rows => say!("The audit log is complete. Rows: {rows}. Hash of the last one: {}", head.hash),
    }
    Ok(())
}
