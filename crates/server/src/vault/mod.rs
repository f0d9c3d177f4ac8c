//! The embedded wallet's vault: who may open which wallet (decision 19, spec 3.28–3.30, 7.14–7.22, 7.29, 7.30).
//!
//! It runs as a process of its own with its own database and root key, and listens at a Unix socket for the web tier. It trusts the web
//! tier for the address and browser of a visitor only, which limits and mails need; proofs, codes, tokens and approvals it checks itself.

mod account;
mod approval;
mod arrival;
mod asked;
mod audit;
mod change;
mod clock;
mod code;
#[cfg(target_os = "linux")]
mod confine;
mod confirm;
mod encoding;
mod enter;
mod export;
mod farcaster;
mod harden;
mod jwt;
mod kept;
mod kms;
mod limits;
mod link;
mod login;
mod logins;
mod mail;
pub(crate) mod metrics;
mod passkey;
mod password;
mod proof;
mod replay;
mod root;
mod rotate;
mod seal;
mod session;
mod social;
mod socket;
mod table;
mod tls;
mod token;
mod undo;
mod wait;
mod wallet;
mod way;

use crate::Failure;
use crate::config::{self, VaultPlace};
use crate::db::Database;
use crate::error::json;
use crate::oauth::{FARCASTER, Farcaster, HostTokens, JWT, Provider, ServicesError};
use crate::outbound::http_client;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::Response;
use axum::routing::post;
use portico_api::project::SocialService;
use portico_json::to_text;
use std::sync::Arc;
use tokio::sync::Mutex;

pub(crate) use approval::{DECIDE, SHOW};
pub(crate) use asked::{BROWSER, CLIENT, LANGUAGE};
pub use audit::{Broken, Head, verify as verify_audit};
pub use clock::Clock;
pub(crate) use confirm::{DECIDE as DECIDE_CONFIRMATION, SHOW as SHOW_CONFIRMATION};
pub(crate) use harden::{confine, harden};
pub(crate) use link::{Asking, Decision, Shown};
pub(crate) use mail::{Kept, OUTBOX};
pub use mail::{Letter, MailError, Mailer, check as check_mail};
pub use root::{Keeper, Root, RootError};
pub(crate) use rotate::is_interrupted;
pub use rotate::{Begun, Committed, Course, RotateError, Rotated, Rotation};
pub(crate) use social::{BACK, Back, ELSEWHERE, Returned};
pub(crate) use socket::{Door, bind, bind_for_others, check_link, serve_until};
pub(crate) use undo::{DECIDE as DECIDE_UNDO, SHOW as SHOW_UNDO};
pub(crate) use way::Way;

/// Path at which the vault tells its metrics to the web tier.
pub(crate) const METRICS: &str = "/metrics";

/// Largest body of a request in bytes.
pub(crate) const LARGEST: usize = 64 * 1024;

/// Paths of requests that devices sign. The web tier passes these on and no others.
pub(crate) const PATHS: [&str; 40] = [
    "/wallet/v1/login/email",
    "/wallet/v1/login/device",
    "/wallet/v1/login/code",
    "/wallet/v1/login/social",
    "/wallet/v1/login/social/finish",
    "/wallet/v1/login/jwt",
    "/wallet/v1/login/link",
    "/wallet/v1/login/link/finish",
    "/wallet/v1/login/link/farcaster",
    "/wallet/v1/login/link/farcaster/finish",
    "/wallet/v1/login/link/jwt",
    "/wallet/v1/login/unlink",
    "/wallet/v1/login/passkey",
    "/wallet/v1/login/passkey/finish",
    "/wallet/v1/login/passkey/new",
    "/wallet/v1/confirm",
    "/wallet/v1/confirm/wait",
    "/wallet/v1/confirm/passkey",
    "/wallet/v1/export",
    "/wallet/v1/recovery",
    "/wallet/v1/devices/end",
    "/wallet/v1/login/farcaster",
    "/wallet/v1/login/farcaster/finish",
    "/wallet/v1/wallet",
    "/wallet/v1/slot",
    "/wallet/v1/slot/remove",
    "/wallet/v1/unlock",
    "/wallet/v1/password",
    "/wallet/v1/password/set",
    "/wallet/v1/session/refresh",
    "/wallet/v1/session/end",
    "/wallet/v1/me",
    "/wallet/v1/device/remove",
    "/wallet/v1/freeze",
    "/wallet/v1/thaw",
    "/wallet/v1/email/add",
    "/wallet/v1/email/add/finish",
    "/wallet/v1/email/update",
    "/wallet/v1/email/primary",
    "/wallet/v1/email/secondary",
];

/// A running vault; clones share one state.
#[derive(Clone)]
pub struct Vault {
    inner: Arc<Inner>,
}

struct Inner {
    keys: root::Keys,
    /// Text that tells that the database belongs to them.
    belongs: String,
    database: Database,
    clock: Clock,
    started: i64,
    used: replay::Replays,
    limits: limits::Limits,
    mailer: Mailer,
    /// Origin of the approval page.
    origin: String,
    waiting: wait::Waiting,
    /// Held while a row is added to the audit log, so that each row continues the last one.
    audit: Mutex<()>,
    /// Held while the mails of an address or the tries of a password are counted, so that two at once are not both the last one.
    mailings: Mutex<()>,
    /// Milliseconds between two mails to one address.
    mail_pause: i64,
    releases_per_hour: u32,
    user_releases_per_hour: u32,
    /// Services at which visitors log in; `None` without any.
    desk: Option<social::Desk>,
}

/// Reason why a vault cannot start. Each text is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// The keys cannot be derived.
    #[error("Couldn't derive the keys of the vault from its root key")]
    Keys,
    /// The database belongs to another root key.
    #[error(
        "The database of the vault belongs to another root key. If `portico vault rotate` was interrupted, run it again. Otherwise set `wallet.vault.root_key_file` to the key it was made with."
    )]
    OtherRoot,
    /// The database failed.
    #[error("Couldn't use the database of the vault: {0}")]
    Database(#[from] sqlx::Error),
}

impl Vault {
    /// Vault over a migrated database. A new database is bound to the root key.
    pub async fn new(
        root: Root,
        database: Database,
        place: &VaultPlace,
        origin: &str,
        mailer: Mailer,
        clock: Clock,
    ) -> Result<Vault, VaultError> {
        let keys = root::Keys::new(root).map_err(|_| VaultError::Keys)?;
        let belongs = table::root_check(&database, &keys.check(false)).await?;
        if !keys.is_check(&belongs) {
            return Err(VaultError::OtherRoot);
        }
        let keys = keys.complete(&database).await?;
        let inner = Inner {
            keys,
            belongs,
            database,
            started: clock.now(),
            clock,
            used: replay::Replays::default(),
            limits: limits::Limits::new(place.logins_per_minute),
            mail_pause: i64::from(place.mail_pause) * 1000,
            mailer,
            origin: origin.into(),
            waiting: wait::Waiting::default(),
            audit: Mutex::default(),
            mailings: Mutex::default(),
            releases_per_hour: place.releases_per_hour,
            // One user gets a quarter of all releases at most, so that others still log in.
            user_releases_per_hour: place.user_releases_per_hour.min((place.releases_per_hour / 4).max(1)),
            desk: None,
        };
        Ok(Vault { inner: Arc::new(inner) })
    }

    /// The same vault with logins at these services, before anybody has a clone of it.
    pub fn with_services(mut self, config: &config::Wallet) -> Result<Vault, ServicesError> {
        let there = !config.socials.is_empty() || config.farcaster.is_some() || !config.jwt.is_empty();
        if let (true, Some(inner)) = (there, Arc::get_mut(&mut self.inner)) {
            let services =
                config.socials.iter().map(|social| Ok((social.word.to_owned(), Provider::configured(social)?)));
            let services = services.collect::<Result<_, ServicesError>>()?;
            let farcaster = config.farcaster.as_ref().map(Farcaster::configured);
            let tokens = HostTokens::configured(&config.jwt)?;
            let named =
                config.socials.iter().map(|social| SocialService { id: social.word.into(), name: social.name.clone() });
            // Farcaster and the site's own login have no name of the operator's.
            let own = [(farcaster.is_some(), FARCASTER), (!config.jwt.is_empty(), JWT)];
            let own = own
                .into_iter()
                .filter(|(there, _)| *there)
                .map(|(_, word)| SocialService { id: word.into(), name: None });
            let named = named.chain(own).collect();
            inner.desk = Some(social::Desk { services, named, farcaster, tokens, client: http_client(true)? });
        }
        Ok(self)
    }

    fn now(&self) -> i64 {
        self.inner.clock.now()
    }

    fn database(&self) -> &Database {
        &self.inner.database
    }

    fn keys(&self) -> &root::Keys {
        &self.inner.keys
    }

    /// Deletes logins and sessions that have ended, as long as the vault runs.
    pub(crate) async fn sweep(self) {
        let mut each = tokio::time::interval(std::time::Duration::from_secs(60));
        loop {
            each.tick().await;
            self.sweep_once().await;
        }
    }

    /// Deletes logins and sessions that have ended, and users who left without a wallet.
    pub async fn sweep_once(&self) {
        if let Err(error) = table::sweep(self.database(), self.now()).await {
            tracing::warn!(%error, "couldn't delete ended logins and sessions");
        }
    }
}

/// Whether a database was made with this root key; changes nothing.
pub(crate) async fn belongs(root: Root, database: &Database) -> Result<bool, VaultError> {
    let keys = root::Keys::new(root).map_err(|_| VaultError::Keys)?;
    Ok(table::root_of(database).await?.is_some_and(|text| keys.is_check(&text)))
}

/// Whether a database was made with a root key; changes nothing. One without the table has no users.
pub(crate) async fn has_root(database: &Database) -> Result<bool, sqlx::Error> {
    // 42P01 is PostgreSQL's code for a missing table; SQLite has none of its own.
    let no_table = |error: &dyn sqlx::error::DatabaseError| {
        error.code().is_some_and(|code| code == "42P01") || error.message().starts_with("no such table")
    };
    match table::root_of(database).await {
        Ok(text) => Ok(text.is_some()),
        Err(sqlx::Error::Database(error)) if no_table(&*error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Metrics of a vault, beside its other requests.
pub(crate) fn with_metrics(router: Router, text: impl Fn() -> String + Clone + Send + Sync + 'static) -> Router {
    router.route(METRICS, post(async move || text()))
}

/// All requests that the vault answers.
pub fn router(vault: Vault) -> Router {
    Router::new()
        .route("/wallet/v1/login/email", post(login::email))
        .route("/wallet/v1/login/device", post(login::device))
        .route("/wallet/v1/login/code", post(login::code))
        .route("/wallet/v1/wallet", post(wallet::create))
        .route("/wallet/v1/slot", post(wallet::put_slot))
        .route("/wallet/v1/slot/remove", post(wallet::remove_slot))
        .route("/wallet/v1/unlock", post(wallet::unlock))
        .route("/wallet/v1/password", post(password::answer))
        .route("/wallet/v1/password/set", post(password::begin))
        .route("/wallet/v1/session/refresh", post(session::refresh))
        .route("/wallet/v1/session/end", post(session::end))
        .route("/wallet/v1/me", post(account::me))
        .route("/wallet/v1/device/remove", post(account::remove_device))
        .route("/wallet/v1/devices/end", post(account::end_devices))
        .route("/wallet/v1/freeze", post(account::freeze))
        .route("/wallet/v1/thaw", post(account::thaw))
        .route("/wallet/v1/confirm", post(confirm::begin))
        .route("/wallet/v1/confirm/wait", post(confirm::wait))
        .route("/wallet/v1/confirm/passkey", post(passkey::confirm))
        .route(confirm::SHOW, post(confirm::show))
        .route(confirm::DECIDE, post(confirm::decide))
        .route(undo::SHOW, post(undo::show))
        .route(undo::DECIDE, post(undo::decide))
        .route("/wallet/v1/export", post(export::export))
        .route("/wallet/v1/recovery", post(export::recovery))
        .route("/wallet/v1/login/passkey", post(passkey::begin))
        .route("/wallet/v1/login/passkey/finish", post(passkey::finish))
        .route("/wallet/v1/login/passkey/new", post(passkey::new))
        .route("/wallet/v1/email/add", post(change::add))
        .route("/wallet/v1/email/add/finish", post(change::added))
        .route("/wallet/v1/email/update", post(change::update))
        .route("/wallet/v1/email/primary", post(change::primary))
        .route("/wallet/v1/email/secondary", post(change::secondary))
        .route("/wallet/v1/login/social", post(social::begin))
        .route("/wallet/v1/login/social/finish", post(social::finish))
        .route("/wallet/v1/login/jwt", post(jwt::log_in))
        .route("/wallet/v1/login/link", post(logins::begin))
        .route("/wallet/v1/login/link/finish", post(logins::finish))
        .route("/wallet/v1/login/link/farcaster", post(farcaster::begin_link))
        .route("/wallet/v1/login/link/farcaster/finish", post(farcaster::finish_link))
        .route("/wallet/v1/login/link/jwt", post(jwt::link))
        .route("/wallet/v1/login/unlink", post(logins::remove))
        .route("/wallet/v1/login/farcaster", post(farcaster::begin))
        .route("/wallet/v1/login/farcaster/finish", post(farcaster::finish))
        .route(social::BACK, post(social::back))
        .route(approval::SHOW, post(approval::show))
        .route(approval::DECIDE, post(approval::decide))
        .route(OUTBOX, post(mail::outbox))
        .fallback(async || Failure::new(StatusCode::NOT_FOUND, "", "There is nothing at this path"))
        .layer(DefaultBodyLimit::max(LARGEST))
        .layer(from_fn(arrival::noted))
        .with_state(vault)
}

fn answer(value: &impl portico_json::Write) -> Response {
    json(StatusCode::OK, to_text(value))
}

/// 503: something that only the operator can mend. The cause is logged, and never has a secret in it.
fn broken(error: &dyn std::error::Error) -> Failure {
    tracing::error!(%error, "the vault failed");
    Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", "Your wallet isn't available right now. Try again later.")
        .again_after(5)
}

/// The same for the database.
fn unread(error: sqlx::Error) -> Failure {
    broken(&error)
}
