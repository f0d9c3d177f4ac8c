//! Wallets that release less: frozen ones, and those without a recovery slot.

use crate::support;
use axum::http::StatusCode;
use serde_json::{Value, json};
use support::device::{Device, encode, random};
use support::node::said;
use support::wallet::{ORIGIN, Safe};

const EMAIL: &str = "ada@example.org";

async fn with_wallet(safe: &Safe) -> (Device, Value) {
    let mut device = Device::new();
    safe.log_in(&mut device, EMAIL).await;
    let (status, wallet) = device.ask(safe, "/wallet/v1/wallet", &device.wallet()).await;
    assert_eq!(status, StatusCode::OK, "{wallet}");
    (device, wallet)
}

fn id_of<'a>(wallet: &'a Value, kind: &str) -> &'a Value {
    &wallet["slots"].as_array().unwrap().iter().find(|slot| slot["kind"] == kind).unwrap()["id"]
}

async fn add_kit(safe: &Safe, device: &Device) -> Value {
    let slot = json!({"id": encode(random::<16>()), "kind": "kit", "wrapped": encode(random::<72>()), "created": 0});
    let (status, wallet) = device.ask(safe, "/wallet/v1/slot", &json!({"slot": slot})).await;
    assert_eq!(status, StatusCode::OK, "{wallet}");
    wallet
}

#[tokio::test]
async fn a_frozen_wallet_releases_no_share_to_anyone() {
    let safe = Safe::new().await;
    let (device, _) = with_wallet(&safe).await;
    let (status, me) = device.ask(&safe, "/wallet/v1/freeze", &json!({})).await;
    assert_eq!((status, &me["wallet"]["frozen"]), (StatusCode::OK, &json!(true)));
    let (status, told) = device.ask(&safe, "/wallet/v1/unlock", &json!({"key": device.worker_key()})).await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &json!("frozen")));
    safe.clock.pass(30_000);
    let mut new = Device::new();
    let entered = safe.log_in(&mut new, EMAIL).await;
    let user = entered["user"]["id"].as_str().unwrap();
    assert_eq!(new.open(user, &entered["release"]), json!({"device": "", "recovery": null}));
    assert_eq!(entered["wallet"]["frozen"], true);
}

#[tokio::test]
async fn a_visitor_ends_a_freeze_of_the_own_by_a_confirmation_alone() {
    let safe = Safe::new().await;
    let (device, _) = with_wallet(&safe).await;
    let (_, me) = device.ask(&safe, "/wallet/v1/freeze", &json!({})).await;
    assert_eq!((&me["wallet"]["frozen"], &me["held"]), (&json!(true), &json!(false)));
    let (status, told) = device.ask(&safe, "/wallet/v1/thaw", &json!({})).await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &json!("confirm")));
    safe.confirm(&device).await;
    let (status, me) = device.ask(&safe, "/wallet/v1/thaw", &json!({})).await;
    assert_eq!((status, &me["wallet"]["frozen"]), (StatusCode::OK, &json!(false)));
    let (status, _) = device.ask(&safe, "/wallet/v1/unlock", &json!({"key": device.worker_key()})).await;
    assert_eq!(status, StatusCode::OK);
    assert!(safe.mails().await[0]["text"].as_str().unwrap().contains("Your wallet was unfrozen"));
}

#[tokio::test]
async fn a_freeze_by_the_operator_is_ended_by_no_visitor() {
    let safe = Safe::new().await;
    let (device, _) = with_wallet(&safe).await;
    safe.tamper("update vault_user set held_at = 1").await;
    let (_, me) = device.ask(&safe, "/wallet/v1/me", &json!({})).await;
    assert_eq!((&me["wallet"]["frozen"], &me["held"]), (&json!(true), &json!(true)));
    safe.confirm(&device).await;
    let (status, told) = device.ask(&safe, "/wallet/v1/thaw", &json!({})).await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &json!("frozen")));
    let (status, _) = device.ask(&safe, "/wallet/v1/unlock", &json!({"key": device.worker_key()})).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_operator_freezes_and_unfreezes_a_wallet_by_the_email_address_of_its_user() {
    let safe = Safe::new().await;
    let (device, _) = with_wallet(&safe).await;
    let folder = safe.server.folder.path();
    let database = match safe.server.place.database.starts_with("postgres") {
        true => safe.server.place.database.clone(),
        false => folder.join("vault.sqlite").display().to_string(),
    };
    let toml = format!(
        "listen = \"127.0.0.1:0\"\n[wallet]\norigin = \"{ORIGIN}\"\n[wallet.mail]\noutbox = true\n\
         [wallet.vault]\ndatabase = {database:?}\nroot_key_file = {:?}\nsocket = {:?}\n",
        folder.join("vault.key"),
        folder.join("vault.sock")
    );
    std::fs::write(folder.join("portico.toml"), toml).unwrap();
    for (words, told, frozen) in [
        (&["vault", "freeze", EMAIL][..], "Froze the wallet of ada@example.org.\n", true),
        (&["vault", "freeze", EMAIL, "--unfreeze"], "Unfroze the wallet of ada@example.org.\n", false),
    ] {
        let (done, out, error) = said(folder, words).await;
        assert_eq!((done, out.as_str(), error.as_str()), (true, told, ""));
        let (_, me) = device.ask(&safe, "/wallet/v1/me", &json!({})).await;
        assert_eq!((&me["wallet"]["frozen"], &me["held"]), (&json!(frozen), &json!(frozen)));
    }
}

#[tokio::test]
async fn the_recovery_slot_goes_only_beside_a_slot_of_the_visitor_and_its_share_with_it() {
    let safe = Safe::new().await;
    let (device, wallet) = with_wallet(&safe).await;
    safe.confirm(&device).await;
    let recovery = json!({"id": id_of(&wallet, "recovery")});
    let (status, _) = device.ask(&safe, "/wallet/v1/slot/remove", &recovery).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let wallet = add_kit(&safe, &device).await;
    let (status, _) = device.ask(&safe, "/wallet/v1/slot/remove", &recovery).await;
    assert_eq!(status, StatusCode::OK);
    // The last one that opens the wallet on a new device stays.
    let (status, _) = device.ask(&safe, "/wallet/v1/slot/remove", &json!({"id": id_of(&wallet, "kit")})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    safe.clock.pass(30_000);
    let mut new = Device::new();
    let entered = safe.log_in(&mut new, EMAIL).await;
    let release = new.open(entered["user"]["id"].as_str().unwrap(), &entered["release"]);
    assert!(release["recovery"].is_null() && !release["device"].as_str().unwrap().is_empty(), "{release}");
}

#[tokio::test]
async fn of_recovery_and_kit_removed_at_once_one_stays() {
    let safe = Safe::new().await;
    let (device, wallet) = with_wallet(&safe).await;
    safe.confirm(&device).await;
    let (recovery, wallet) = (json!({"id": id_of(&wallet, "recovery")}), add_kit(&safe, &device).await);
    let kit = json!({"id": id_of(&wallet, "kit")});
    let path = "/wallet/v1/slot/remove";
    let (one, other) = tokio::join!(device.ask(&safe, path, &recovery), device.ask(&safe, path, &kit));
    let mut statuses = [one.0.as_u16(), other.0.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
}
