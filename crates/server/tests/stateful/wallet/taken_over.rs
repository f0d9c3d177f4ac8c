//! An attacker inside the vault's process, who has the root key, the database, and each request and answer in clear.

use super::settings::{Visitor, derived};
use crate::support;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use portico_api::wallet::{Slot, SlotKind};
use portico_signer::vault::{Kek, Owner};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use support::device::{encode, random};
use support::wallet::Safe;
use zeroize::Zeroizing;

const KINDS: [SlotKind; 5] =
    [SlotKind::Device, SlotKind::Recovery, SlotKind::Passkey, SlotKind::Password, SlotKind::Kit];

/// Vault whose requests and answers are written down.
async fn watched() -> (Safe, Arc<Mutex<String>>) {
    let mut safe = Safe::new().await;
    let seen = Arc::new(Mutex::new(String::new()));
    let notes = seen.clone();
    let watch = from_fn(move |request: Request, next: Next| {
        let notes = notes.clone();
        async move {
            let (head, body) = request.into_parts();
            let asked = to_bytes(body, usize::MAX).await.unwrap();
            let (answer, body) = next.run(Request::from_parts(head, Body::from(asked.clone()))).await.into_parts();
            let told = to_bytes(body, usize::MAX).await.unwrap();
            for text in [&asked, &told] {
                notes.lock().unwrap().push_str(&String::from_utf8_lossy(text));
            }
            axum::response::Response::from_parts(answer, Body::from(told))
        }
    });
    safe.router = safe.router.clone().layer(watch);
    (safe, seen)
}

/// Whether any key that was seen or that the root gives opens any wrapped key that was seen, as a slot of any kind and id.
async fn opens(visitor: &Visitor, seen: &Mutex<String>) -> bool {
    let root = std::fs::read_to_string(&visitor.safe.config.vault.root_key_file).unwrap();
    let everything = visitor.safe.dump().await + &seen.lock().unwrap();
    let texts: BTreeSet<&str> = everything.split(['|', '"']).collect();
    let of_length = |length| texts.iter().copied().filter(move |text| text.len() == length);
    let user = super::settings::bytes_of(&visitor.user);
    let of = |version: u32| derived(&root, &[b"portico recovery 1", &user, &version.to_be_bytes()]);
    let known = of_length(43).filter_map(super::settings::try_bytes);
    let keys: Vec<[u8; 32]> = (0..4).map(of).chain(known).collect();
    let owner = Owner { user: &visitor.user, wallet: visitor.wallet["id"].as_str().unwrap() };
    let slots = of_length(96).flat_map(|wrapped| of_length(22).map(move |id| (wrapped, id)));
    let slots: Vec<_> = slots.flat_map(|(wrapped, id)| KINDS.map(|kind| (wrapped, id, kind))).collect();
    slots.into_iter().any(|(wrapped, id, kind)| {
        let slot = Slot { id: id.into(), wrapped: wrapped.into(), kind, ..Slot::default() };
        keys.iter().any(|key| owner.unwrap(&slot, &Kek::recovery(Zeroizing::new(*key))).is_some())
    })
}

#[tokio::test]
async fn a_vault_that_is_taken_over_opens_wallets_with_a_recovery_slot_and_no_others() {
    // The slot is removed while nobody watches yet.
    let (safe, before) = watched().await;
    let mut visitor = Visitor::of(safe).await;
    assert!(opens(&visitor, &before).await, "assisted: the attacker opens the wallet");
    visitor.safe.confirm(&visitor.device).await;
    visitor.put(&visitor.slot("kit", &encode(random::<32>()).into())).await;
    visitor.remove("recovery").await;
    before.lock().unwrap().clear();
    // From here on the attacker sees a login, an unlocking and an export.
    visitor.safe.clock.pass(31_000);
    visitor.device.access = None;
    visitor.safe.log_in(&mut visitor.device, "ada@example.org").await;
    visitor.ask("/wallet/v1/unlock", &visitor.unlock()).await;
    visitor.safe.decide(&visitor.device, "export", true).await;
    assert_eq!(visitor.ask("/wallet/v1/export", &visitor.unlock()).await.0, 200);
    assert!(!before.lock().unwrap().is_empty());
    assert!(!opens(&visitor, &before).await, "only you: neither database nor traffic opens it");
    let (_, me) = visitor.ask("/wallet/v1/me", &json!({})).await;
    assert_eq!(me["wallet"]["id"], visitor.wallet["id"]);
}
