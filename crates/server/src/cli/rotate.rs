//! `portico vault rotate`

use super::vault::{database, wallet};
use super::{FileArgs, Printed, tell};
use crate::vault::{self, Begun, Clock, Committed, Course, Rotated, Rotation};
use clap::Args;
use std::path::Path;

pub(super) const HELP: &str = "\
Examples:
  systemctl stop portico                         1. stop the vault: the server that started it, or portico-vault
  portico vault rotate                           2. replace the root key
  systemctl start portico                        3. start it again

  PORTICO__WALLET__VAULT__ROOT_KEY_FILE=/etc/portico/vault.key portico vault rotate --config /etc/portico/portico.toml
                                                 where systemd hands the key to the vault; as root

Do this if a copy of the root key may have leaked. It writes a new key beside the old one, seals everything in the database again, and then
replaces the old key. Visitors stay logged in, and addresses and recovery stay as they are; only logins under way begin again. If it is
interrupted, run it again: nothing is lost.

Copies of the database from before stay readable with the old key. If you keep them, copy the old key first, apart from them. If both
may have leaked, delete nothing and read docs/operations/wallet.md: only moving the funds helps the visitors then.";

#[derive(Args)]
pub(super) struct RotateArgs {
    /// Leave texts as they are that the old key doesn't open; without this, they stop the rotation
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
    let database = database(&wallet).await?;
    match Rotation::begin(file, socket, &database).await.map_err(tell)? {
        Begun::Interrupted(committed) => {
            committed.finish(&database).await.map_err(tell)?;
            say!("Finished the rotation that was interrupted: {} has the new key.", file.display());
        }
        Begun::New(rotation) => {
            if let Some(unused) = &rotation.set_aside {
                let unused = unused.display();
                say!(
                    "An earlier rotation didn't happen. Its key, which this database doesn't use, is in {unused} now."
                );
            }
            let mut told = 0;
            let mut progress = |done: usize, total: usize| {
                let percent = done * 100 / total.max(1);
                if total >= MANY && percent >= told + STEP {
                    told = percent;
                    say!("Sealed {done} of {total} texts again ({percent} %)");
                }
            };
            let now = Clock::default().now();
            let course = Course { socket, now, leave_unopened: args.leave_unopened, progress: &mut progress };
            let committed: Committed = rotation.commit(&database, course).await.map_err(tell)?;
            tell_end(file, committed.finish(&database).await.map_err(tell)?);
        }
    }
    database.close().await;
    say!("Keep a copy of it in a safe place, apart from backups of the database. Then start the vault again.");
    Ok(())
}

fn tell_end(file: &Path, Rotated { addresses, shares, slots, left }: Rotated) {
    say!("Replaced the root key in {}.", file.display());
    say!("Sealed again: {addresses} email addresses, {shares} device shares, {slots} recovery slots.");
    if left > 0 {
        say!("Left as they were, because the old key didn't open them: {left}");
    }
    say!("Ended: logins, email changes and confirmations that were under way. Their visitors start them again.");
}
