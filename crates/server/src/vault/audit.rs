//! The audit log: each row carries a hash over itself and the row before, under a key that is in no database (that
//! of an earlier root is there sealed). Whoever changes or removes a
//! row inside it breaks the chain. The head, which `portico vault audit verify` prints, shows whether the end is missing.

use super::encoding::encode;
use super::metrics::{REFUSED_RELEASES, RELEASES};
use super::root::Keys;
use super::table::{self, AuditRow};
use super::{Root, Vault, VaultError, broken, unread};
use crate::Failure;
use crate::db::Database;
use axum::http::StatusCode;
use ring::hmac;

/// Event of a recovery share that was released for a stored wallet.
pub(super) const RELEASED: &str = "recovery released";
/// The same for a user who has no wallet yet. It counts apart, so that new accounts, of which one visitor has many, don't use up the logins to
/// wallets; and it counts, because the share opens the wallet that the user makes later.
pub(super) const RELEASED_FIRST: &str = "recovery released, no wallet yet";

const HOUR: i64 = 60 * 60 * 1000;
const MINUTE: i64 = 60 * 1000;

/// End of a sound log.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Head {
    /// Number of rows.
    pub rows: i64,
    /// Hash of the last one; empty without rows.
    pub hash: String,
}

/// Row at which the chain is broken.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// A row was changed, or one before it was removed.
    #[error("The audit log is broken at row {0}: it was changed, or a row before it was removed")]
    Row(i64),
    /// The keys cannot be derived.
    #[error("{0}")]
    Vault(#[from] VaultError),
}

/// Checks the whole log.
pub async fn verify(root: Root, database: &Database) -> Result<Head, Broken> {
    let keys = Keys::new(root).map_err(|_| VaultError::Keys)?;
    // With another key each row would look changed.
    if table::root_of(database).await.map_err(VaultError::Database)?.is_some_and(|text| !keys.is_check(&text)) {
        return Err(VaultError::OtherRoot.into());
    }
    let keys = keys.complete(database).await?;
    let mut head = Head::default();
    loop {
        let rows = table::audit_after(database, head.rows).await.map_err(VaultError::Database)?;
        if rows.is_empty() {
            return Ok(head);
        }
        for row in rows {
            if row.seq != head.rows + 1 || row.hash != chained(&keys, &row, &head.hash) {
                return Err(Broken::Row(row.seq));
            }
            head = Head { rows: row.seq, hash: row.hash };
        }
    }
}

impl Vault {
    /// Adds an event before it takes effect: what is not logged does not happen.
    pub(super) async fn log(&self, event: &str, user: &str, detail: &str) -> Result<(), Failure> {
        let _last = self.inner.audit.lock().await;
        self.add(event, user, detail).await
    }

    /// Adds the release of a recovery share, unless there were too many in this hour: of the user, or of all users together.
    pub(super) async fn log_release(&self, event: &str, user: &str, detail: &str) -> Result<(), Failure> {
        let _last = self.inner.audit.lock().await;
        loop {
            // Read before the count: if another process adds a row meanwhile, that row has the next number, and this release is counted anew.
            let last = self.last().await?;
            self.check_release(event, user).await?;
            if self.follow(last, event, user, detail).await? {
                metrics::counter!(RELEASES).increment(1);
                return Ok(());
            }
        }
    }

    /// Refuses a release above a limit. The user's own comes first, so that one visitor doesn't use up what all share, nor ring the alarm.
    async fn check_release(&self, event: &str, user: &str) -> Result<(), Failure> {
        let (now, kinds) = (self.now(), [RELEASED, RELEASED_FIRST]);
        let released = table::released_since(self.database(), event, kinds, user, now - HOUR).await.map_err(unread)?;
        let (all, own) = (self.inner.releases_per_hour, self.inner.user_releases_per_hour);
        if released.own >= i64::from(own) {
            tracing::warn!(
                user,
                per_hour = own,
                "a user reached the own limit of recovery shares, so logins of that user are refused"
            );
            return Err(too_often(released.first.map_or(HOUR, |first| first + HOUR - now)));
        }
        if released.all >= i64::from(all) {
            tracing::error!(
                per_hour = all,
                "ALARM: the limit of recovery shares is reached, so further logins are refused. Check whether this is an attack."
            );
            metrics::counter!(REFUSED_RELEASES).increment(1);
            let sentence = "Too many logins at once. Try again later.";
            return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", sentence).again_after(600));
        }
        Ok(())
    }

    async fn add(&self, event: &str, user: &str, detail: &str) -> Result<(), Failure> {
        while !self.follow(self.last().await?, event, user, detail).await? {}
        Ok(())
    }

    /// Number and hash of the last row.
    async fn last(&self) -> Result<(i64, String), Failure> {
        Ok(table::last_audit(self.database()).await.map_err(unread)?.unwrap_or_default())
    }

    /// Adds a row after this one; false if another process, such as a command of the operator, did so before.
    async fn follow(
        &self,
        (seq, before): (i64, String),
        event: &str,
        user: &str,
        detail: &str,
    ) -> Result<bool, Failure> {
        let mut row = AuditRow {
            seq: seq + 1,
            at: self.now(),
            event: event.into(),
            user: user.into(),
            detail: detail.into(),
            hash: String::new(),
        };
        row.hash = chained(self.keys(), &row, &before);
        match table::add_audit(self.database(), &row, &self.inner.belongs).await {
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Ok(false),
            Err(error) => Err(unread(error)),
            Ok(true) => Ok(true),
            // Rotated behind this vault's back: nothing more happens under the old key.
            Ok(false) => Err(broken(&VaultError::OtherRoot)),
        }
    }
}

/// 429: the user logged in too often. `wait` is in milliseconds.
fn too_often(wait: i64) -> Failure {
    let (seconds, minutes) = ((wait + 999) / 1000, (wait + MINUTE - 1) / MINUTE);
    let when = if minutes > 1 { format!("{minutes} minutes") } else { "a minute".into() };
    let sentence = format!(
        "There were too many logins to this wallet. Try again in {when}, or use a browser that is still logged in."
    );
    let seconds = u32::try_from(seconds).unwrap_or(u32::MAX);
    Failure::new(StatusCode::TOO_MANY_REQUESTS, "", sentence).again_after(seconds)
}

/// Hash of a row that follows one with the hash `before`. Each part is preceded by its length, so that no two rows have one text.
pub(super) fn chained(keys: &Keys, row: &AuditRow, before: &str) -> String {
    let mut hash = hmac::Context::with_key(keys.audit(row.seq));
    let (seq, at) = (row.seq.to_string(), row.at.to_string());
    for part in [before, &seq, &at, &row.event, &row.user, &row.detail] {
        hash.update(&(part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    encode(hash.sign())
}
