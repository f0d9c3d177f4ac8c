//! What a visitor does in the settings: confirmations, export, slots, devices.

use crate::support;
use axum::http::StatusCode;
use portico_signer::entropy::Entropy;
use portico_signer::vault::{Kek, Owner, VaultKey};
use ring::hkdf;
use serde_json::{Value, json};
use support::device::{Device, encode, random};
use support::wallet::Safe;
use zeroize::Zeroizing;

const EMAIL: &str = "ada@example.org";
const SLOT: &str = "/wallet/v1/slot";
const REMOVE: &str = "/wallet/v1/slot/remove";
const EXPORT: &str = "/wallet/v1/export";
const RECOVERY: &str = "/wallet/v1/recovery";
const ME: &str = "/wallet/v1/me";
const KINDS: [&str; 5] = ["device", "recovery", "passkey", "password", "kit"];

/// A visitor with a real wallet, as the signer makes it.
pub(super) struct Visitor {
    pub(super) safe: Safe,
    pub(super) device: Device,
    pub(super) user: String,
    pub(super) key: VaultKey,
    pub(super) wallet: Value,
}

impl Visitor {
    pub(super) async fn new() -> Visitor {
        Visitor::of(Safe::new().await).await
    }

    /// The same in a vault that is there.
    pub(super) async fn of(safe: Safe) -> Visitor {
        let mut device = Device::new();
        let entered = safe.log_in(&mut device, EMAIL).await;
        let user = entered["user"]["id"].as_str().unwrap().to_owned();
        let release = device.open(&user, &entered["release"]);
        let (key, id) = (VaultKey::new(Zeroizing::new(random())), encode(random::<16>()));
        let owner = Owner { user: &user, wallet: &id };
        let blob = owner.seal_blob(&key, &Entropy::new(Zeroizing::new([7; 32])), random());
        let (recovery, own) =
            (wrapped(owner, &key, "recovery", &release["recovery"]), device.wallet()["slots"][1].clone());
        let addresses = json!({"eip155": "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"});
        let new = json!({"id": id, "blob": blob, "slots": [recovery, own], "addresses": addresses});
        let (status, wallet) = device.ask(&safe, "/wallet/v1/wallet", &new).await;
        assert_eq!(status, StatusCode::OK, "{wallet}");
        Visitor { safe, device, user, key, wallet }
    }

    pub(super) async fn ask(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        self.device.ask(&self.safe, path, body).await
    }

    pub(super) fn slot(&self, kind: &str, kek: &Value) -> Value {
        let id = self.wallet["id"].as_str().unwrap();
        wrapped(Owner { user: &self.user, wallet: id }, &self.key, kind, kek)
    }

    async fn slots(&self) -> Vec<(String, String)> {
        let (_, me) = self.ask(ME, &json!({})).await;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        me["wallet"]["slots"].as_array().unwrap().iter().map(|slot| (text(&slot["kind"]), text(&slot["id"]))).collect()
    }

    async fn id_of(&self, kind: &str) -> String {
        self.slots().await.into_iter().find(|(known, _)| known == kind).unwrap().1
    }

    pub(super) async fn put(&self, slot: &Value) {
        let (status, told) = self.ask(SLOT, &json!({"slot": slot})).await;
        assert_eq!(status, StatusCode::OK, "{told}");
    }

    pub(super) async fn remove(&self, kind: &str) {
        let (status, told) = self.ask(REMOVE, &json!({"id": self.id_of(kind).await})).await;
        assert_eq!(status, StatusCode::OK, "{told}");
    }

    pub(super) fn unlock(&self) -> Value {
        json!({"key": self.device.worker_key()})
    }
}

/// Slot whose key is a released one.
fn wrapped(owner: Owner<'_>, key: &VaultKey, kind: &str, kek: &Value) -> Value {
    let mut slot = portico_api::wallet::Slot { id: encode(random::<16>()), ..Default::default() };
    slot.kind = portico_api::wallet::SlotKind::from_word(kind).unwrap();
    owner.wrap(&mut slot, &Kek::recovery(Zeroizing::new(bytes(kek.as_str().unwrap()))), key, random());
    json!({"id": slot.id, "kind": kind, "wrapped": slot.wrapped, "created": 0})
}

pub(super) fn bytes(text: &str) -> [u8; 32] {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).unwrap().try_into().unwrap()
}

/// A key of the vault, from the text of a root key.
pub(super) fn derived(root: &str, info: &[&[u8]]) -> [u8; 32] {
    struct Length;
    impl hkdf::KeyType for Length {
        fn len(&self) -> usize {
            32
        }
    }
    let root: Vec<u8> = (0..32).map(|at| u8::from_str_radix(&root[2 * at..2 * at + 2], 16).unwrap()).collect();
    let mut key = [0; 32];
    let extracted = hkdf::Salt::new(hkdf::HKDF_SHA256, &[]).extract(&root);
    extracted.expand(info, Length).unwrap().fill(&mut key).unwrap();
    key
}

async fn operator_opens(visitor: &Visitor) -> bool {
    let root = std::fs::read_to_string(&visitor.safe.config.vault.root_key_file).unwrap();
    root_opens(visitor, &root).await
}

/// What an operator tries who has the whole database and a root key: each key that the root gives, on each text of the database, as each
/// kind of slot.
pub(super) async fn root_opens(visitor: &Visitor, root: &str) -> bool {
    let user: [u8; 16] = bytes_of(&visitor.user);
    let of = |version: u32| derived(root, &[b"portico recovery 1", &user, &version.to_be_bytes()]);
    let keys: Vec<[u8; 32]> = (0..8).map(of).collect();
    let dump = visitor.safe.dump().await;
    let texts: Vec<&str> = dump.split('|').collect();
    let owner = Owner { user: &visitor.user, wallet: visitor.wallet["id"].as_str().unwrap() };
    let sealed = || texts.iter().filter(|text| text.len() == 96);
    let ids: Vec<&&str> = texts.iter().filter(|text| text.len() == 22).collect();
    for (wrapped, id) in sealed().flat_map(|wrapped| ids.iter().map(move |id| (wrapped, id))) {
        for kind in KINDS {
            let mut slot =
                portico_api::wallet::Slot { id: (**id).into(), wrapped: (*wrapped).into(), ..Default::default() };
            slot.kind = portico_api::wallet::SlotKind::from_word(kind).unwrap();
            let opens = |key: &[u8; 32]| owner.unwrap(&slot, &Kek::recovery(Zeroizing::new(*key)));
            if let Some(key) = keys.iter().find_map(opens) {
                return sealed().any(|blob| owner.open_blob(&key, blob).is_some());
            }
        }
    }
    false
}

/// 32 bytes of a text that may be something else.
pub(super) fn try_bytes(text: &str) -> Option<[u8; 32]> {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()
}

pub(super) fn bytes_of(text: &str) -> [u8; 16] {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).unwrap().try_into().unwrap()
}

#[tokio::test]
async fn the_operators_tool_opens_a_wallet_with_a_recovery_slot_and_none_without_it() {
    let visitor = Visitor::new().await;
    assert!(operator_opens(&visitor).await, "the tool knows the forms");
    visitor.safe.confirm(&visitor.device).await;
    visitor.put(&visitor.slot("kit", &encode(random::<32>()).into())).await;
    assert!(operator_opens(&visitor).await, "a kit beside it changes nothing");
    let (_, me) = visitor.ask(ME, &json!({})).await;
    let slots = me["wallet"]["slots"].as_array().unwrap();
    let wrapped = slots.iter().find(|slot| slot["kind"] == "recovery").unwrap()["wrapped"].as_str().unwrap().to_owned();
    visitor.remove("recovery").await;
    assert!(!operator_opens(&visitor).await);
    // Nothing of the slot stays in unused pages, or in the write-ahead log.
    for name in ["vault.sqlite", "vault.sqlite-wal"] {
        let file = std::fs::read(visitor.safe.server.folder.path().join(name)).unwrap_or_default();
        assert!(!file.windows(wrapped.len()).any(|window| window == wrapped.as_bytes()), "{name}");
    }
}

#[tokio::test]
async fn a_recovery_slot_is_put_back_with_a_new_key_and_the_operator_can_open_it_again() {
    let visitor = Visitor::new().await;
    visitor.safe.confirm(&visitor.device).await;
    assert_eq!(visitor.ask(RECOVERY, &visitor.unlock()).await.0, StatusCode::CONFLICT);
    visitor.put(&visitor.slot("kit", &encode(random::<32>()).into())).await;
    let before = visitor.slots().await;
    assert!(before.iter().any(|(kind, _)| kind == "recovery"));
    visitor.remove("recovery").await;
    let (status, released) = visitor.ask(RECOVERY, &visitor.unlock()).await;
    assert_eq!(status, StatusCode::OK, "{released}");
    let release = visitor.device.open(&visitor.user, &released["release"]);
    visitor.put(&visitor.slot("recovery", &release["recovery"])).await;
    assert!(operator_opens(&visitor).await);
    visitor.safe.clock.pass(30_000);
    let mut other = Device::new();
    let entered = visitor.safe.log_in(&mut other, EMAIL).await;
    assert_eq!(other.open(&visitor.user, &entered["release"])["recovery"], release["recovery"]);
    let subjects: Vec<Value> = visitor.safe.mails().await.iter().map(|mail| mail["subject"].clone()).collect();
    assert_eq!(
        subjects.iter().filter(|subject| *subject == "Security notice for your wallet").count(),
        3,
        "{subjects:?}"
    );
}

#[tokio::test]
async fn a_session_alone_neither_shows_the_keys_nor_changes_what_opens_the_wallet() {
    let visitor = Visitor::new().await;
    let (recovery, kit) = (visitor.id_of("recovery").await, visitor.slot("kit", &encode(random::<32>()).into()));
    let refused = async |path: &str, body: &Value| {
        let (status, told) = visitor.ask(path, body).await;
        assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &json!("confirm")), "{path}");
    };
    let all = [(SLOT, json!({"slot": kit})), (REMOVE, json!({"id": recovery})), (RECOVERY, visitor.unlock())];
    for (path, body) in &all {
        refused(path, body).await;
    }
    refused(EXPORT, &visitor.unlock()).await;
    // One kind of confirmation is none of the other.
    visitor.safe.decide(&visitor.device, "export", true).await;
    for (path, body) in &all {
        refused(path, body).await;
    }
    let (status, released) = visitor.ask(EXPORT, &visitor.unlock()).await;
    assert_eq!(status, StatusCode::OK, "{released}");
    assert!(visitor.device.open(&visitor.user, &released["release"])["recovery"].is_null());
    let mail = &visitor.safe.mails().await[0];
    assert!(mail["text"].as_str().unwrap().contains("were shown"), "{mail}");
    refused(EXPORT, &visitor.unlock()).await;
    visitor.safe.clock.pass(30_000);
    visitor.safe.confirm(&visitor.device).await;
    refused(EXPORT, &visitor.unlock()).await;
    // The slot of the own device needs none.
    let mut own = visitor.device.wallet()["slots"][1].clone();
    own["id"] = encode(random::<16>()).into();
    visitor.put(&own).await;
    visitor.put(&kit).await;
    visitor.safe.clock.pass(10 * 60_000);
    refused(REMOVE, &json!({"id": recovery})).await;
}

#[tokio::test]
async fn a_declined_confirmation_and_one_of_another_device_give_nothing() {
    let visitor = Visitor::new().await;
    let transaction = visitor.safe.decide(&visitor.device, "export", false).await;
    let wait = json!({"transaction": transaction});
    assert_eq!(visitor.ask("/wallet/v1/confirm/wait", &wait).await.1, json!({"answer": "refused", "until": 0}));
    assert_eq!(visitor.ask(EXPORT, &visitor.unlock()).await.0, StatusCode::FORBIDDEN);
    visitor.safe.clock.pass(30_000);
    let mut other = Device::new();
    visitor.safe.log_in(&mut other, EMAIL).await;
    let transaction = visitor.safe.decide(&visitor.device, "export", true).await;
    let wait = json!({"transaction": transaction});
    assert_eq!(other.ask(&visitor.safe, "/wallet/v1/confirm/wait", &wait).await.0, StatusCode::GONE);
    let unlock = json!({"key": other.worker_key()});
    assert_eq!(other.ask(&visitor.safe, EXPORT, &unlock).await.0, StatusCode::FORBIDDEN);
    assert_eq!(visitor.ask("/wallet/v1/confirm/wait", &wait).await.1["answer"], "approved");
    assert_eq!(visitor.ask(EXPORT, &visitor.unlock()).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_link_that_was_used_or_is_none_decides_nothing() {
    let visitor = Visitor::new().await;
    visitor.safe.decide(&visitor.device, "export", false).await;
    let text = visitor.safe.mails().await[0]["text"].as_str().unwrap().to_owned();
    let token = text.split_once("/confirm?t=").unwrap().1.lines().next().unwrap().to_owned();
    let again = json!({"token": token, "approve": true}).to_string();
    assert_eq!(visitor.safe.send("/confirmation/decide", &[], &again).await.0, StatusCode::CONFLICT);
    assert_eq!(visitor.ask(EXPORT, &visitor.unlock()).await.0, StatusCode::FORBIDDEN);
    for token in ["", "AA", &encode(random::<32>())] {
        let decision = json!({"token": token, "approve": true}).to_string();
        assert_eq!(visitor.safe.send("/confirmation/decide", &[], &decision).await.0, StatusCode::GONE);
    }
    visitor.safe.clock.pass(10 * 60_000);
    let shown = json!({"token": token}).to_string();
    assert_eq!(visitor.safe.send("/confirmation", &[], &shown).await.0, StatusCode::GONE);
}

#[tokio::test]
async fn adding_rotating_and_removing_slots_never_touches_the_blob() {
    let visitor = Visitor::new().await;
    visitor.safe.confirm(&visitor.device).await;
    let blob = async || visitor.ask(ME, &json!({})).await.1["wallet"]["blob"].clone();
    let first = blob().await;
    assert_eq!(first, visitor.wallet["blob"]);
    visitor.put(&visitor.slot("kit", &encode(random::<32>()).into())).await;
    assert_eq!(blob().await, first);
    let mut own = visitor.device.wallet()["slots"][1].clone();
    own["id"] = encode(random::<16>()).into();
    visitor.put(&own).await;
    assert_eq!(blob().await, first);
    visitor.remove("recovery").await;
    assert_eq!(blob().await, first);
    let (_, released) = visitor.ask(RECOVERY, &visitor.unlock()).await;
    let release = visitor.device.open(&visitor.user, &released["release"]);
    visitor.put(&visitor.slot("recovery", &release["recovery"])).await;
    visitor.remove("kit").await;
    assert_eq!(blob().await, first);
}

#[tokio::test]
async fn signing_out_everywhere_ends_each_session_and_takes_each_share() {
    let visitor = Visitor::new().await;
    visitor.safe.clock.pass(30_000);
    let mut other = Device::new();
    visitor.safe.log_in(&mut other, EMAIL).await;
    let (_, me) = visitor.ask(ME, &json!({})).await;
    let places: Vec<&Value> = me["devices"].as_array().unwrap().iter().map(|device| &device["place"]).collect();
    assert_eq!(places, ["", "203.0.113.x"], "a device has the address of its last use");
    assert_eq!(visitor.ask("/wallet/v1/devices/end", &json!({})).await, (StatusCode::OK, json!({})));
    for device in [&visitor.device, &other] {
        assert_eq!(device.ask(&visitor.safe, ME, &json!({})).await.0, StatusCode::UNAUTHORIZED);
    }
    visitor.safe.clock.pass(30_000);
    other.access = None;
    let (_, started) = visitor.safe.begin(&other, EMAIL).await;
    assert_eq!(started["action"], "VERIFY_OTP", "the device stays approved");
    let entered = visitor.safe.finish(&mut other, &started).await;
    let kinds: Vec<&Value> = entered["wallet"]["slots"].as_array().unwrap().iter().map(|slot| &slot["kind"]).collect();
    assert_eq!(kinds, ["recovery"]);
}
