//! `portico vault rotate` that ends early, or meets others.

use super::rotate::share;
use super::settings::{Visitor, root_opens};
use axum::http::StatusCode;
use portico_server::vault::{Begun, Broken, Course, RotateError, VaultError};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;

const ME: &str = "/wallet/v1/me";

#[tokio::test]
async fn killed_before_the_commit_the_old_key_fits_and_the_next_rotation_keeps_the_unused_one() {
    let mut visitor = Visitor::new().await;
    let (dump, key) = (visitor.safe.dump().await, visitor.safe.key_text());
    let new = visitor.safe.new_file();
    drop(visitor.safe.begun().await);
    let unused = std::fs::read_to_string(&new).unwrap();
    assert_eq!(std::fs::metadata(&new).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!((visitor.safe.dump().await, visitor.safe.key_text()), (dump.clone(), key.clone()));
    visitor.safe.restart().await;
    share(&visitor).await;
    // A file that was being written is treated alike.
    let aside = visitor.safe.key_file().with_extension("key.unused");
    assert_eq!(visitor.safe.begun().await.set_aside.as_ref(), Some(&aside));
    assert_eq!(std::fs::read_to_string(&aside).unwrap(), unused);
    std::fs::write(&new, "0123").unwrap();
    visitor.safe.rotate().await;
    assert_eq!(std::fs::read_to_string(visitor.safe.key_file().with_extension("key.unused1")).unwrap(), "0123");
    assert!(root_opens(&visitor, &visitor.safe.key_text()).await);
    share(&visitor).await;
}

#[tokio::test]
async fn killed_within_the_transaction_nothing_has_changed() {
    let mut visitor = Visitor::new().await;
    let (dump, key) = (visitor.safe.dump().await, visitor.safe.key_text());
    let rotation = visitor.safe.begun().await;
    let (database, socket) = (visitor.safe.database.clone(), visitor.safe.config.vault.socket.clone());
    // Address, share and slot: the process ends after the last is sealed again.
    let ended = tokio::spawn(async move {
        let mut progress = |done, total| assert_ne!(done, total, "the process is killed");
        let course = Course { socket: &socket, now: 0, leave_unopened: false, progress: &mut progress };
        rotation.commit(&database, course).await.map(drop)
    });
    assert!(ended.await.unwrap_err().is_panic());
    assert_eq!((visitor.safe.dump().await, visitor.safe.key_text()), (dump, key));
    assert!(visitor.safe.new_file().exists());
    visitor.safe.restart().await;
    share(&visitor).await;
    assert_eq!(visitor.safe.rotate().await.slots, 1);
    share(&visitor).await;
}

#[tokio::test]
async fn killed_after_the_commit_the_new_key_waits_beside_the_old_one_and_the_next_call_finishes() {
    let mut visitor = Visitor::new().await;
    let old = visitor.safe.key_text();
    let rotation = visitor.safe.begun().await;
    drop(rotation.commit(&visitor.safe.database, visitor.safe.course(&mut |_, _| ())).await.unwrap());
    assert_eq!(visitor.safe.key_text(), old);
    let new = std::fs::read_to_string(visitor.safe.new_file()).unwrap();
    // Neither a vault nor the check of the log goes on with the old key, and each says what to do.
    let told = visitor.safe.opened().await.err().unwrap().to_string();
    assert!(told.contains("If `portico vault rotate` was interrupted, run it again"), "{told}");
    assert!(matches!(visitor.safe.verified().await, Err(Broken::Vault(VaultError::OtherRoot))));
    let Begun::Interrupted(committed) = visitor.safe.begin_rotation().await.unwrap() else {
        panic!("the rotation is found");
    };
    committed.finish(&visitor.safe.database).await.unwrap();
    assert_eq!((visitor.safe.key_text(), visitor.safe.new_file().exists()), (new.clone(), false));
    visitor.safe.restart().await;
    share(&visitor).await;
    assert!(root_opens(&visitor, &new).await && !root_opens(&visitor, &old).await);
    visitor.safe.verified().await.unwrap();
}

#[tokio::test]
async fn a_key_of_another_database_is_neither_rotated_nor_touched() {
    let visitor = Visitor::new().await;
    let dump = visitor.safe.dump().await;
    std::fs::write(visitor.safe.key_file(), format!("{}\n", "ab".repeat(32))).unwrap();
    assert!(matches!(visitor.safe.begin_rotation().await.err(), Some(RotateError::Vault(VaultError::OtherRoot))));
    std::fs::copy(visitor.safe.key_file(), visitor.safe.new_file()).unwrap();
    assert!(matches!(visitor.safe.begin_rotation().await.err(), Some(RotateError::Vault(VaultError::OtherRoot))));
    assert!(visitor.safe.new_file().exists());
    assert_eq!(visitor.safe.dump().await, dump);
}

#[tokio::test]
async fn a_running_vault_and_a_second_rotation_are_refused() {
    let visitor = Visitor::new().await;
    let safe = &visitor.safe;
    let (dump, socket) = (safe.dump().await, &safe.config.vault.socket);
    let listener = tokio::net::UnixListener::bind(socket).unwrap();
    let refused = safe.begin_rotation().await.err().unwrap();
    assert!(matches!(refused, RotateError::Running(_)) && refused.to_string().contains("Stop it first"), "{refused}");
    assert!(!safe.new_file().exists());
    drop(listener);
    std::fs::remove_file(socket).unwrap();
    // One that begins to listen in the meantime is seen too.
    let rotation = safe.begun().await;
    assert!(matches!(safe.begin_rotation().await.err(), Some(RotateError::Overtaken)));
    let _listener = tokio::net::UnixListener::bind(socket).unwrap();
    let refused = rotation.commit(&safe.database, safe.course(&mut |_, _| ())).await.err().unwrap();
    assert!(matches!(refused, RotateError::Running(_)), "{refused}");
    assert_eq!((safe.dump().await, safe.new_file().exists()), (dump, false));
}

#[tokio::test]
async fn a_vault_with_the_old_key_that_was_not_stopped_does_nothing_more() {
    let visitor = Visitor::new().await;
    let rows = visitor.safe.verified().await.unwrap();
    let rotation = visitor.safe.begun().await;
    let committed = rotation.commit(&visitor.safe.database, visitor.safe.course(&mut |_, _| ())).await.unwrap();
    committed.finish(&visitor.safe.database).await.unwrap();
    let (status, _) = visitor.ask("/wallet/v1/freeze", &json!({})).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(visitor.ask(ME, &json!({})).await.0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(visitor.safe.verified().await.unwrap(), rows + 1);
    let mut safe = visitor.safe;
    safe.restart().await;
    assert_eq!(visitor.device.ask(&safe, ME, &json!({})).await.1["wallet"]["frozen"], false);
}
