//! Sentences about a root key that isn't there. One that was never made can be made; one that was lost can only be restored, because a new
//! key opens nothing of what the old one sealed.

use super::printed::{Printed, tell};
use crate::config::Wallet;
use crate::db::{Database, DatabaseError, Schema};
use crate::vault::{self, Keeper, Root, RootError};
use std::thread;

/// Reads the root key; `flag` is the end of commands on the same configuration.
pub(super) fn read(wallet: &Wallet, flag: &str) -> Result<Root, Printed> {
    Root::read(&wallet.vault.root_key_file).map_err(|error| tell(unread(wallet, flag, &error)))
}

/// Whether the database was made with a root key. Creates and changes nothing.
pub(super) async fn was_made(wallet: &Wallet) -> Result<bool, DatabaseError> {
    let Some(database) = Database::look(&wallet.vault.database, Schema::Vault).await? else { return Ok(false) };
    let made = vault::has_root(&database).await;
    database.close().await;
    made.map_err(|error| DatabaseError::Open(wallet.vault.database.to_string(), error.to_string()))
}

/// Sentence about a lost key.
pub(super) fn lost(wallet: &Wallet) -> String {
    let file = &wallet.vault.root_key_file;
    // A file that is there names a key in a token.
    let (that, names, next) = match file.exists() {
        true => ("that ", " names", "Check `token` and `object` there, or restore the token from its backup."),
        false => ("", "", "Restore your copy of the key."),
    };
    format!(
        "The root key {that}{}{names} is missing, but the database {} was made with it. {next}",
        file.display(),
        wallet.vault.database
    )
}

/// Sentence about a key that can't be read.
fn unread(wallet: &Wallet, flag: &str, error: &RootError) -> String {
    if !error.is_missing() {
        return error.to_string();
    }
    // `vault serve` reads its key before it has a runtime, and other commands within one: a thread of its own suits both.
    let look =
        || tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?.block_on(was_made(wallet)).ok();
    match thread::scope(|scope| scope.spawn(look).join()) {
        Ok(Some(true)) => lost(wallet),
        _ => with_flag(error, flag),
    }
}

/// Sentence about a key, whose commands are on the same configuration.
pub(super) fn with_flag(error: &RootError, flag: &str) -> String {
    error.to_string().replace("`portico vault init`", &format!("`portico vault init{flag}`"))
}

/// Tells how to keep a new key.
pub(super) fn tell_keeping(wallet: &Wallet) {
    match Root::keeper(&wallet.vault.root_key_file) {
        Some(Keeper::Token(_)) => {
            say!("Back the token up as its maker says: without the key, no one can log in on a new device.");
        }
        Some(Keeper::Kms(_)) => {
            say!("Protect that key from deletion: without it, no one can log in on a new device.");
        }
        None => say!("Keep a copy of the key in a safe place, apart from backups of the database."),
    }
}
