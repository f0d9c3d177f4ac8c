//! A vault that is killed again and again, while visitors log in, store wallets and replace slots.

use crate::support;
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection, query, query_scalar};
use std::path::{Path, PathBuf};
use support::device::{Device, encode, random};
use support::node::said;
use support::vault::VaultProcess;
use support::within;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// Times at which the vault is killed: after so many acknowledged steps of its visitors.
const LIVES: [usize; 6] = [1, 4, 9, 14, 25, 60];
/// Visitors of each life.
const VISITORS: usize = 4;

/// A visitor, and what the vault acknowledged.
struct Visitor {
    device: Device,
    email: String,
    /// Network of the visitor: limits are of each.
    from: String,
    wallet: Value,
    user: Option<Value>,
    stored: bool,
    /// Ids of the device's slot: the last one that was acknowledged, and that of a request without an answer.
    slot: (Value, Option<Value>),
}

impl Visitor {
    fn new(life: usize, number: usize) -> Visitor {
        let device = Device::new();
        let mut wallet = device.wallet();
        wallet["addresses"]["eip155"] = format!("0x{life:020x}{number:020x}").into();
        let slot = (wallet["slots"][1]["id"].clone(), None);
        let (email, from) = (format!("visitor{life}.{number}@example.org"), format!("203.0.{life}.{number}"));
        Visitor { device, email, from, wallet, user: None, stored: false, slot }
    }

    /// Logs in, stores a wallet, and replaces the device's slot until the vault is gone.
    async fn live(mut self, folder: PathBuf, step: UnboundedSender<()>) -> Visitor {
        let _ = self.write(&folder, &step).await;
        self
    }

    async fn write(&mut self, folder: &Path, step: &UnboundedSender<()>) -> std::io::Result<()> {
        let entered = self.device.log_in_at(folder, &self.from, &self.email).await?;
        self.user = Some(entered["user"]["id"].clone());
        let _ = step.send(());
        let (status, told) = self.device.ask_at(folder, &self.from, "/wallet/v1/wallet", &self.wallet).await?;
        assert_eq!(status, 200, "{told}");
        self.stored = true;
        let _ = step.send(());
        // As many as one visitor may write in ten minutes.
        for _ in 0..40 {
            let mut slot = self.wallet["slots"][1].clone();
            slot["id"] = encode(random::<16>()).into();
            slot["wrapped"] = encode(random::<72>()).into();
            self.slot.1 = Some(slot["id"].clone());
            let (status, told) =
                self.device.ask_at(folder, &self.from, "/wallet/v1/slot", &json!({"slot": slot})).await?;
            assert_eq!(status, 200, "{told}");
            self.slot = (slot["id"].clone(), None);
            let _ = step.send(());
        }
        Ok(())
    }

    /// Logs in again, and compares what is there with what was acknowledged.
    async fn finds_all(mut self, folder: &Path) {
        let entered = self.device.log_in_at(folder, &self.from, &self.email).await.unwrap();
        assert!(self.user.is_none_or(|user| user == entered["user"]["id"]), "the same user: {entered}");
        let wallet = &entered["wallet"];
        if wallet.is_null() {
            assert!(!self.stored, "an acknowledged wallet is lost");
            return;
        }
        for part in ["id", "blob", "addresses"] {
            assert_eq!(wallet[part], self.wallet[part], "{part}");
        }
        let slots = wallet["slots"].as_array().unwrap();
        let ids = |kind: &str| {
            let of = slots.iter().filter(|slot| slot["kind"] == kind);
            of.map(|slot| slot["id"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(ids("recovery"), [self.wallet["slots"][0]["id"].clone()]);
        let (last, begun) = self.slot;
        let own = ids("device");
        assert!(own == [last] || begun.is_some_and(|begun| own == [begun]), "one slot of the device: {own:?}");
        assert_eq!(slots.len(), 2);
    }
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let toml = "listen = \"127.0.0.1:1\"\n[wallet]\norigin = \"http://localhost:1\"\n[wallet.mail]\noutbox = true\npause_seconds = 1\n";
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    folder
}

/// Checks the files of a vault that was killed, as they are and without starting it.
async fn is_whole(folder: &Path) {
    let file = SqliteConnectOptions::new().filename(folder.join("vault.sqlite"));
    let mut file = SqliteConnection::connect_with(&file).await.unwrap();
    let told: String = query_scalar("pragma integrity_check").fetch_one(&mut file).await.unwrap();
    assert_eq!(told, "ok");
    let strays: Option<String> =
        query_scalar("select \"table\" from pragma_foreign_key_check").fetch_optional(&mut file).await.unwrap();
    assert_eq!(strays, None, "no row without the one that it belongs to");
    file.close().await.unwrap();
    let (done, told, error) = said(folder, &["vault", "audit", "verify"]).await;
    assert!(done && told.contains("The audit log is complete."), "{told}{error}");
}

/// Lets each address get a mail at once.
async fn forget_mails(folder: &Path) {
    let file = SqliteConnectOptions::new().filename(folder.join("vault.sqlite"));
    let mut file = SqliteConnection::connect_with(&file).await.unwrap();
    query("delete from vault_mailing").execute(&mut file).await.unwrap();
    file.close().await.unwrap();
}

#[tokio::test]
async fn a_vault_that_is_killed_again_and_again_loses_and_halves_nothing() {
    let folder = folder();
    assert!(said(folder.path(), &["vault", "init"]).await.0);
    let mut visitors = Vec::new();
    for (life, steps) in LIVES.into_iter().enumerate() {
        let vault = VaultProcess::start(folder.path(), &[]).await;
        let (step, mut stepped) = unbounded_channel();
        let begun = (0..VISITORS)
            .map(|number| tokio::spawn(Visitor::new(life, number).live(folder.path().into(), step.clone())));
        let begun: Vec<JoinHandle<Visitor>> = begun.collect();
        drop(step);
        for _ in 0..steps {
            within("an acknowledged step", stepped.recv()).await.expect("some still write");
        }
        vault.kill().await;
        for visitor in begun {
            visitors.push(within("the end of a visitor", visitor).await.unwrap());
        }
        is_whole(folder.path()).await;
    }
    assert!(visitors.iter().any(|visitor| !visitor.stored) && visitors.iter().any(|visitor| visitor.slot.1.is_some()));
    forget_mails(folder.path()).await;
    let _vault = VaultProcess::start(folder.path(), &[]).await;
    for visitor in visitors {
        visitor.finds_all(folder.path()).await;
    }
}
