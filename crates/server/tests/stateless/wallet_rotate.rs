//! `portico vault rotate` as the operator runs it.

use crate::support;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection, query};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use support::node::{portico, said};
use support::within;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

const ROTATE: [&str; 2] = ["vault", "rotate"];

/// Folder with a key and a database.
async fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let toml = "listen = \"127.0.0.1:1\"\n[wallet]\norigin = \"http://localhost:1\"\n[wallet.mail]\noutbox = true\n";
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    assert!(said(folder.path(), &["vault", "init"]).await.0);
    folder
}

fn key(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("vault.key")).unwrap()
}

/// What `portico vault doctor` says of the database.
async fn doctor(folder: &Path) -> String {
    let (_, told, _) = said(folder, &["vault", "doctor"]).await;
    told.lines().find(|line| line.contains("vault database:")).unwrap().to_owned()
}

#[tokio::test]
async fn a_stopped_vault_gets_another_key_and_a_running_one_is_refused() {
    let folder = folder().await;
    let folder = folder.path();
    let first = key(folder);
    let mut serve = portico(folder, &["vault", "serve"]);
    let mut vault = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(vault.stdout.take().unwrap()).lines();
    within("the line that it listens", lines.next_line()).await.unwrap().unwrap();
    let (done, _, error) = said(folder, &ROTATE).await;
    assert!(!done && error.contains("A vault listens at vault.sock. Stop it first"), "{error}");
    assert_eq!((key(folder), folder.join("vault.key.new").exists()), (first.clone(), false));
    let id = vault.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
    assert!(within("the end of the vault", vault.wait()).await.unwrap().success());
    let (done, out, error) = said(folder, &ROTATE).await;
    assert!(done && out.contains("Replaced the root key in vault.key."), "{out}{error}");
    assert!(
        out.contains("Encrypted with the new key: email addresses 0, device shares 0, recovery slots 0, passwords 0."),
        "{out}"
    );
    assert_ne!(key(folder), first);
    assert_eq!(std::fs::metadata(folder.join("vault.key")).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!folder.join("vault.key.new").exists());
    assert_eq!(doctor(folder).await, "ok     vault database: vault.sqlite belongs to the key");
    let (done, out, _) = said(folder, &["vault", "audit", "verify"]).await;
    assert!(done && out.contains("Rows: 1."), "{out}");
}

#[tokio::test]
async fn an_interrupted_rotation_is_told_by_the_vault_and_the_doctor_and_finished() {
    let folder = folder().await;
    let folder = folder.path();
    let first = key(folder);
    assert!(said(folder, &ROTATE).await.0);
    // As if it had been killed between the commit and the change of names.
    let second = key(folder);
    std::fs::rename(folder.join("vault.key"), folder.join("vault.key.new")).unwrap();
    std::fs::write(folder.join("vault.key"), &first).unwrap();
    std::fs::set_permissions(folder.join("vault.key"), std::fs::Permissions::from_mode(0o600)).unwrap();
    let line = doctor(folder).await;
    assert!(
        line.starts_with("wrong  ") && line.ends_with("Finish the interrupted rotation: portico vault rotate"),
        "{line}"
    );
    for command in [&["vault", "serve"][..], &["vault", "audit", "verify"]] {
        let (done, _, error) = said(folder, command).await;
        assert!(!done && error.contains("If `portico vault rotate` was interrupted, run it again."), "{error}");
    }
    assert!(!folder.join("vault.sock").exists());
    let (done, out, error) = said(folder, &ROTATE).await;
    assert!(
        done && out.contains("Finished the interrupted rotation. The new root key is in vault.key."),
        "{out}{error}"
    );
    assert_eq!((key(folder), folder.join("vault.key.new").exists()), (second, false));
    assert_eq!(doctor(folder).await, "ok     vault database: vault.sqlite belongs to the key");
}

#[tokio::test]
async fn whenever_a_rotation_is_killed_the_next_one_brings_key_and_database_together() {
    const MANY: &str = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
        insert into vault_user (id, email_sealed, provider, created_at) select 'many' || i, 'x', 'email', 0 from n";
    let folder = folder().await;
    let folder = folder.path();
    let file = SqliteConnectOptions::new().filename(folder.join("vault.sqlite"));
    let mut database = SqliteConnection::connect_with(&file).await.unwrap();
    query(MANY).execute(&mut database).await.unwrap();
    database.close().await.unwrap();
    let (done, _, error) = said(folder, &ROTATE).await;
    assert!(!done && error.contains(", and 19999 more. Nothing was changed."), "{error}");
    let leave = ["vault", "rotate", "--leave-unopened"];
    for lines in [1, 9, 10, 11] {
        let mut rotate = portico(folder, &leave).stdout(Stdio::piped()).spawn().unwrap();
        let mut told = BufReader::new(rotate.stdout.take().unwrap()).lines();
        for _ in 0..lines {
            within("a line", told.next_line()).await.unwrap().unwrap();
        }
        within("the end", rotate.kill()).await.unwrap();
        let (done, out, error) = said(folder, &leave).await;
        assert!(done, "{lines}: {out}{error}");
        assert_eq!(doctor(folder).await, "ok     vault database: vault.sqlite belongs to the key");
        let (done, _, error) = said(folder, &["vault", "audit", "verify"]).await;
        assert!(done, "{lines}: {error}");
        assert!(!folder.join("vault.key.new").exists());
    }
}

#[tokio::test]
async fn the_help_says_when_and_how_to_rotate() {
    let folder = folder().await;
    let (done, help, _) = said(folder.path(), &["vault", "rotate", "--help"]).await;
    for part in ["if a copy of the root key may have leaked", "stop the vault", "run it again", "--leave-unopened"] {
        assert!(done && help.contains(part), "{part} is not in\n{help}");
    }
}
