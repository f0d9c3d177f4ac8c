//! `portico vault rotate`

use super::config::FileArgs;
use super::printed::{Printed, tell};
use super::root_key;
use super::vault::{database, wallet};
use crate::vault::{self, Begun, Clock, Course, Rotated, Rotation};
use clap::Args;
use std::path::Path;

pub(super) const HELP: &str = "\
Examples:
  systemctl stop portico                         1. stop the vault, here with the server that started it
  portico vault rotate                           2. replace the root key
  systemctl start portico                        3. start both again

  PORTICO__WALLET__VAULT__ROOT_KEY_FILE=/etc/portico/vault.key portico vault rotate --config /etc/portico/portico.toml
                                                 the same as root, if systemd passes the key to the vault

Use it if a copy of the root key may have leaked. It writes a new key next to the old one, encrypts the database with it, and then
replaces the old key. Visitors stay logged in, and their wallets and addresses stay the same. Only logins in progress start over. If it is
interrupted, run it again. Nothing is lost.

Backups of the database from before still need the old key. If you keep them, copy the old key first, to another place than the backups.
If someone else has both, a new key doesn't help. docs/operations/wallet.md says what does.";

#[derive(Args)]
pub(super) struct RotateArgs {
    /// Skip what the old key can't open, such as damaged rows, instead of stopping
    #[arg(long)]
    leave_unopened: bool,
    #[command(flatten)]
    file: FileArgs,
}

/// Number of texts from which on the progress is told, and percents between two lines.
const MANY: usize = 2000;
const STEP: usize = 10;

pub(super) async fn run(args: &RotateArgs) -> Result<(), Printed> {
    let (_, wallet) = wallet(&args.file)?;
    vault::harden(false);
    let (file, socket) = (&wallet.vault.root_key_file, &wallet.vault.socket);
    if !file.exists() {
        // Tells that it isn't there, before a database is made.
        root_key::read(&wallet, &args.file.flag())?;
    }
    let database = database(&wallet).await?;
    match Rotation::begin(file, socket, &database).await.map_err(tell)? {
        Begun::Interrupted(committed) => {
            committed.finish(&database).await.map_err(tell)?;
            say!("Finished the interrupted rotation. The new root key is in {}.", file.display());
        }
        Begun::New(rotation) => {
            if let Some(unused) = &rotation.set_aside {
                let unused = unused.display();
                say!("Moved the unused key of an interrupted rotation to {unused}.");
            }
            let mut told = 0;
            let mut progress = |done: usize, total: usize| {
                let percent = done * 100 / total.max(1);
                if total >= MANY && percent >= told + STEP {
                    told = percent;
                    say!("Sealed {done} of {total} again ({percent}%)");
                }
            };
            let now = Clock::default().now();
            let course = Course { socket, now, leave_unopened: args.leave_unopened, progress: &mut progress };
            let committed = rotation.commit(&database, course).await.map_err(tell)?;
            tell_end(file, committed.finish(&database).await.map_err(tell)?);
        }
    }
    database.close().await;
    root_key::tell_keeping(&wallet);
    say!("\nNext: start the vault again");
    Ok(())
}

fn tell_end(file: &Path, Rotated { addresses, shares, slots, passwords, left }: Rotated) {
    say!("Replaced the root key in {}.", file.display());
    say!(
        "Encrypted with the new key: email addresses {addresses}, device shares {shares}, recovery slots {slots}, passwords {passwords}."
    );
    if left > 0 {
        say!("Skipped, because the old key can't open them: {left}");
    }
    say!("Logins, email changes and confirmations in progress have ended. Visitors start them again.");
}
