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

/// Event of a released recovery share, which is limited for all users together.
pub(super) const RELEASED: &str = "recovery released";

const HOUR: i64 = 60 * 60 * 1000;

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

    /// Adds the release of a recovery share, unless there were too many in this hour.
    pub(super) async fn log_release(&self, user: &str, detail: &str) -> Result<(), Failure> {
        let _last = self.inner.audit.lock().await;
        let released = table::released_since(self.database(), RELEASED, self.now() - HOUR).await.map_err(unread)?;
        if released >= i64::from(self.inner.releases_per_hour) {
            tracing::error!(
                per_hour = self.inner.releases_per_hour,
                "ALARM: the limit of recovery shares is reached, so further logins are refused. Check whether this is an attack."
            );
            metrics::counter!(REFUSED_RELEASES).increment(1);
            let sentence = "Too many logins at once. Try again later.";
            return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", sentence).again_after(600));
        }
        metrics::counter!(RELEASES).increment(1);
        self.add(RELEASED, user, detail).await
    }

    /// The operator's commands add rows from another process: then the next row follows theirs.
    async fn add(&self, event: &str, user: &str, detail: &str) -> Result<(), Failure> {
        loop {
            let (seq, before) = table::last_audit(self.database()).await.map_err(unread)?.unwrap_or_default();
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
                Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {}
                Err(error) => return Err(unread(error)),
                Ok(true) => return Ok(()),
                // Rotated behind this vault's back: nothing more happens under the old key.
                Ok(false) => return Err(broken(&VaultError::OtherRoot)),
            }
        }
    }
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
