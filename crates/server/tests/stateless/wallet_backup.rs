//! A copy of the vault's database, as the operator makes and restores it.

use crate::support;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use support::device::Device;
use support::node::said;
use support::vault::VaultProcess;
use tempfile::TempDir;

const FROM: &str = "203.0.113.9";
const EMAIL: &str = "ada@example.org";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let toml = "listen = \"127.0.0.1:1\"\n[wallet]\norigin = \"http://localhost:1\"\n[wallet.mail]\noutbox = true\n";
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    folder
}

/// Whether these bytes are anywhere in the file.
fn has(file: &Path, bytes: &[u8]) -> bool {
    std::fs::read(file).unwrap().windows(bytes.len()).any(|window| window == bytes)
}

#[tokio::test]
async fn a_copy_of_the_vaults_database_has_no_root_key_and_opens_with_it_alone() {
    let folder = folder();
    let (done, _, error) = said(folder.path(), &["vault", "backup", "early.sqlite"]).await;
    assert!(!done && error.contains("No database of the vault at vault.sqlite."), "{error}");
    assert!(said(folder.path(), &["vault", "init"]).await.0);
    let vault = VaultProcess::start(folder.path(), &[]).await;
    let mut device = Device::new();
    let entered = device.log_in_at(folder.path(), FROM, EMAIL).await.unwrap();
    let wallet = device.wallet();
    let (status, stored) = device.ask_at(folder.path(), FROM, "/wallet/v1/wallet", &wallet).await.unwrap();
    assert_eq!(status, 200, "{stored}");
    let (done, told, error) = said(folder.path(), &["vault", "backup", "copy.sqlite"]).await;
    assert!(done && told.contains("Copied vault.sqlite to copy.sqlite."), "{error}");
    let (done, _, error) = said(folder.path(), &["vault", "backup", "copy.sqlite"]).await;
    assert!(!done && error.contains("copy.sqlite already exists."), "{error}");
    vault.kill().await;

    let copy = folder.path().join("copy.sqlite");
    assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
    let key = std::fs::read_to_string(folder.path().join("vault.key")).unwrap();
    let root: Vec<u8> = (0..32).map(|at| u8::from_str_radix(&key[2 * at..2 * at + 2], 16).unwrap()).collect();
    let text = support::device::encode(&root);
    assert!(has(&copy, stored["id"].as_str().unwrap().as_bytes()), "the wallet is in the copy");
    for secret in [key.trim().as_bytes(), &root[..], text.as_bytes(), EMAIL.as_bytes()] {
        assert!(!has(&copy, secret));
    }

    let restored = self::folder();
    let there = |name: &str| restored.path().join(name);
    std::fs::copy(&copy, there("vault.sqlite")).unwrap();
    std::fs::write(there("vault.key"), format!("{}\n", "ab".repeat(32))).unwrap();
    std::fs::set_permissions(there("vault.key"), std::fs::Permissions::from_mode(0o600)).unwrap();
    let (done, _, error) = said(restored.path(), &["vault", "audit", "verify"]).await;
    assert!(!done && error.contains("belongs to another root key"), "{error}");
    std::fs::copy(folder.path().join("vault.key"), there("vault.key")).unwrap();
    let (done, told, error) = said(restored.path(), &["vault", "audit", "verify"]).await;
    assert!(done && told.contains("The audit log is complete."), "{error}");
    let _vault = VaultProcess::start(restored.path(), &[]).await;
    let (_, me) =
        device.ask_at(restored.path(), FROM, "/wallet/v1/me", &Value::Object(Default::default())).await.unwrap();
    assert_eq!((&me["user"]["id"], &me["wallet"]["id"]), (&entered["user"]["id"], &stored["id"]));
}
