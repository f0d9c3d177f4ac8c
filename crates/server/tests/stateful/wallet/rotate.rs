//! `portico vault rotate`: another root key, and the same wallets.

use super::settings::{Visitor, bytes, derived, root_opens};
use crate::support;
use axum::http::StatusCode;
use portico_api::wallet::{Slot, SlotKind};
use portico_server::vault::{
    Begun, Broken, Course, Mailer, Root, RotateError, Rotated, Rotation, Vault, VaultError, verify_audit,
};
use portico_signer::account::Keys;
use portico_signer::evm;
use portico_signer::vault::{Kek, Owner, VaultKey};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use support::device::{Device, encode, random};
use support::wallet::{ORIGIN, Safe};
use zeroize::Zeroizing;

const EMAIL: &str = "ada@example.org";
const ME: &str = "/wallet/v1/me";
const UNLOCK: &str = "/wallet/v1/unlock";

impl Safe {
    pub(super) fn key_file(&self) -> PathBuf {
        self.config.vault.root_key_file.clone()
    }

    pub(super) fn new_file(&self) -> PathBuf {
        self.key_file().with_extension("key.new")
    }

    pub(super) fn key_text(&self) -> String {
        std::fs::read_to_string(self.key_file()).unwrap()
    }

    pub(super) async fn begin_rotation(&self) -> Result<Begun, RotateError> {
        Rotation::begin(&self.key_file(), &self.config.vault.socket, &self.database).await
    }

    /// A rotation whose new key is written.
    pub(super) async fn begun(&self) -> Rotation {
        match self.begin_rotation().await.unwrap() {
            Begun::New(rotation) => *rotation,
            Begun::Interrupted(_) => panic!("no rotation was interrupted"),
        }
    }

    pub(super) fn course<'a>(&'a self, progress: &'a mut (dyn FnMut(usize, usize) + Send)) -> Course<'a> {
        Course { socket: &self.config.vault.socket, now: self.clock.now(), leave_unopened: false, progress }
    }

    /// Rotates as the command does, and starts the vault again.
    pub(super) async fn rotate(&mut self) -> Rotated {
        let rotation = self.begun().await;
        let committed = rotation.commit(&self.database, self.course(&mut |_, _| ())).await.unwrap();
        let rotated = committed.finish(&self.database).await.unwrap();
        self.restart().await;
        rotated
    }

    /// A vault with the present key file.
    pub(super) async fn opened(&self) -> Result<Vault, VaultError> {
        let root = Root::read(&self.key_file()).unwrap();
        let mailer = Mailer::new(&self.config.mail).unwrap();
        Vault::new(root, self.database.clone(), &self.config.vault, ORIGIN, mailer, self.clock.clone()).await
    }

    pub(super) async fn verified(&self) -> Result<i64, Broken> {
        let root = Root::read(&self.key_file()).unwrap();
        verify_audit(root, &self.database).await.map(|head| head.rows)
    }

    /// Number of sealed texts of the database that a root key opens: each text in each place that it could have.
    async fn opened_by(&self, root: &str) -> usize {
        let key =
            LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, &derived(root, &[b"portico at rest 1"])).unwrap());
        let dump = self.dump().await;
        let texts: Vec<&str> = dump.split('|').collect();
        let ids: Vec<&str> = texts.iter().copied().filter(|text| [22, 43].contains(&text.len())).collect();
        let mut places: Vec<String> = texts.iter().map(|name| format!("kept key\n{name}")).collect();
        for id in &ids {
            let kinds =
                ["user email", "login email", "change email", "social verifier", "social person", "farcaster channel"];
            places.extend(kinds.map(|kind| format!("{kind}\n{id}")));
            places.extend(ids.iter().map(|device| format!("device share\n{id}\n{device}")));
        }
        places.sort();
        places.dedup();
        let opens = |text: &&&str| {
            let Some(bytes) = unsealed(text) else { return false };
            let (nonce, sealed) = bytes.split_at(NONCE_LEN);
            places.iter().any(|place| {
                let nonce = Nonce::try_assume_unique_for_key(nonce).unwrap();
                key.open_in_place(nonce, Aad::from(place.as_bytes()), &mut sealed.to_vec()).is_ok()
            })
        };
        texts.iter().filter(opens).count()
    }
}

/// Bytes of a text that may be sealed.
pub(super) fn unsealed(text: &str) -> Option<Vec<u8>> {
    use base64::Engine;
    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).ok()?;
    (bytes.len() > NONCE_LEN + CHACHA20_POLY1305.tag_len()).then_some(bytes)
}

fn files(safe: &Safe) -> Vec<Vec<u8>> {
    let name = |name: &str| std::fs::read(safe.server.folder.path().join(name)).unwrap_or_default();
    ["vault.sqlite", "vault.sqlite-wal"].map(name).to_vec()
}

fn slot_of(wallet: &Value, kind: &str) -> Slot {
    let slots = wallet["slots"].as_array().unwrap();
    let slot = slots.iter().find(|slot| slot["kind"] == kind).unwrap();
    let text = |name: &str| slot[name].as_str().unwrap_or_default().to_owned();
    Slot { id: text("id"), kind: SlotKind::from_word(kind).unwrap(), wrapped: text("wrapped"), ..Slot::default() }
}

/// Address of the wallet that a vault key opens, and its signature.
fn signed(visitor: &Visitor, key: &VaultKey) -> (String, [u8; 32]) {
    let owner = Owner { user: &visitor.user, wallet: visitor.wallet["id"].as_str().unwrap() };
    let entropy = owner.open_blob(key, visitor.wallet["blob"].as_str().unwrap()).unwrap();
    let keys = Keys::of(&entropy.seed()).unwrap();
    let address = keys.addresses().get("eip155").unwrap().clone();
    let key = portico_signer::account::evm_key(&entropy.seed(), 0).unwrap();
    (address, evm::sign_message(&key, b"pay").r)
}

/// Puts a slot of the visitor's device whose key is the device's secret with the server's share, as the frame's worker does. The secret.
async fn own_slot(visitor: &Visitor) -> [u8; 32] {
    let secret = random::<32>();
    let owner = Owner { user: &visitor.user, wallet: visitor.wallet["id"].as_str().unwrap() };
    let mut slot = Slot { id: encode(random::<16>()), kind: SlotKind::Device, ..Slot::default() };
    let kek = Kek::device(&secret, &share(visitor).await);
    owner.wrap(&mut slot, &kek, &visitor.key, random());
    let device = visitor.device.thumbprint();
    let slot = json!({"id": slot.id, "kind": "device", "wrapped": slot.wrapped, "device": device, "created": 0});
    visitor.put(&slot).await;
    secret
}

/// The server's share of the visitor's device.
pub(super) async fn share(visitor: &Visitor) -> [u8; 32] {
    let (status, unlocked) = visitor.ask(UNLOCK, &visitor.unlock()).await;
    assert_eq!(status, StatusCode::OK, "{unlocked}");
    bytes(visitor.device.open(&visitor.user, &unlocked["release"])["device"].as_str().unwrap())
}

#[tokio::test]
async fn after_a_rotation_the_old_root_opens_no_recovery_slot_and_no_sealed_text() {
    let mut visitor = Visitor::new().await;
    let first = visitor.safe.key_text();
    assert!(root_opens(&visitor, &first).await, "the tool knows the form of a slot");
    // Address, share and the address of the login that has ended.
    assert_eq!(visitor.safe.opened_by(&first).await, 3, "the tool knows the forms of sealed texts");
    let wrapped = slot_of(&visitor.wallet, "recovery").wrapped;
    let rotated = visitor.safe.rotate().await;
    assert_eq!(rotated, Rotated { addresses: 1, shares: 1, slots: 1, passwords: 0, left: 0 });
    let second = visitor.safe.key_text();
    assert_ne!(first, second);
    assert!(!root_opens(&visitor, &first).await && root_opens(&visitor, &second).await);
    assert_eq!(visitor.safe.opened_by(&first).await, 0);
    // Address, share, and the kept keys of index and audit log.
    assert_eq!(visitor.safe.opened_by(&second).await, 4);
    for file in files(&visitor.safe) {
        assert!(!file.windows(wrapped.len()).any(|window| window == wrapped.as_bytes()), "unused pages have the slot");
    }
    visitor.safe.rotate().await;
    let third = visitor.safe.key_text();
    for old in [&first, &second] {
        assert!(!root_opens(&visitor, old).await);
        assert_eq!(visitor.safe.opened_by(old).await, 0);
    }
    assert!(root_opens(&visitor, &third).await);
    assert_eq!(visitor.safe.opened_by(&third).await, 5, "the second key of the audit log is kept too");
    let mode = std::fs::metadata(visitor.safe.key_file()).unwrap().permissions().mode();
    assert_eq!((mode & 0o777, visitor.safe.new_file().exists()), (0o600, false));
}

#[tokio::test]
async fn visitors_sign_and_recover_after_rotations_as_before() {
    let mut visitor = Visitor::new().await;
    let secret = own_slot(&visitor).await;
    let before = signed(&visitor, &visitor.key);
    for _ in 0..2 {
        visitor.safe.rotate().await;
        // The session goes on, and the device's slot opens.
        let kek = Kek::device(&secret, &share(&visitor).await);
        let (status, me) = visitor.ask(ME, &json!({})).await;
        assert_eq!((status, &me["user"]["email"]), (StatusCode::OK, &json!(EMAIL)));
        assert_eq!(me["wallet"]["blob"], visitor.wallet["blob"]);
        let owner = Owner { user: &visitor.user, wallet: visitor.wallet["id"].as_str().unwrap() };
        let key = owner.unwrap(&slot_of(&me["wallet"], "device"), &kek).unwrap();
        assert_eq!(signed(&visitor, &key), before);
        // A login in a new browser finds the user, and its recovery slot opens.
        visitor.safe.clock.pass(30_000);
        let mut other = Device::new();
        let entered = visitor.safe.log_in(&mut other, EMAIL).await;
        assert_eq!(entered["user"]["id"], json!(visitor.user));
        let release = other.open(&visitor.user, &entered["release"]);
        let kek = Kek::recovery(Zeroizing::new(bytes(release["recovery"].as_str().unwrap())));
        let key = owner.unwrap(&slot_of(&entered["wallet"], "recovery"), &kek).unwrap();
        assert_eq!(signed(&visitor, &key), before);
    }
}

/// Key of a recovery slot that is put back.
async fn released(visitor: &Visitor) -> Value {
    let (status, released) = visitor.ask("/wallet/v1/recovery", &visitor.unlock()).await;
    assert_eq!(status, StatusCode::OK, "{released}");
    visitor.device.open(&visitor.user, &released["release"])["recovery"].clone()
}

#[tokio::test]
async fn a_slot_that_was_put_back_opens_after_a_rotation_with_the_key_of_its_version() {
    let mut visitor = Visitor::new().await;
    visitor.safe.confirm(&visitor.device).await;
    visitor.put(&visitor.slot("kit", &encode(random::<32>()).into())).await;
    visitor.remove("recovery").await;
    // By the key of its own version, and by that of the version before, which a visitor's program may have kept.
    for is_kept in [false, true] {
        let key = released(&visitor).await;
        if is_kept {
            visitor.put(&visitor.slot("recovery", &key)).await;
            visitor.remove("recovery").await;
            assert_ne!(released(&visitor).await, key);
        }
        visitor.put(&visitor.slot("recovery", &key)).await;
        let root = visitor.safe.key_text();
        visitor.safe.rotate().await;
        assert!(!root_opens(&visitor, &root).await);
        visitor.safe.clock.pass(30_000);
        let mut new = Device::new();
        let entered = visitor.safe.log_in(&mut new, EMAIL).await;
        let release = new.open(&visitor.user, &entered["release"]);
        let kek = Kek::recovery(Zeroizing::new(bytes(release["recovery"].as_str().unwrap())));
        let owner = Owner { user: &visitor.user, wallet: visitor.wallet["id"].as_str().unwrap() };
        let opened = owner.unwrap(&slot_of(&entered["wallet"], "recovery"), &kek).unwrap();
        assert_eq!(signed(&visitor, &opened), signed(&visitor, &visitor.key));
        visitor.safe.clock.pass(30_000);
        visitor.safe.confirm(&visitor.device).await;
        visitor.remove("recovery").await;
    }
}

#[tokio::test]
async fn the_audit_log_notes_rotations_and_is_checked_across_them() {
    let mut visitor = Visitor::new().await;
    let first = visitor.safe.verified().await.unwrap();
    visitor.safe.rotate().await;
    assert_eq!(visitor.safe.verified().await.unwrap(), first + 1);
    assert!(visitor.safe.dump().await.contains("|rotated|"));
    visitor.ask(UNLOCK, &visitor.unlock()).await;
    visitor.safe.rotate().await;
    let rows = visitor.safe.verified().await.unwrap();
    assert_eq!(rows, first + 3);
    visitor.ask(UNLOCK, &visitor.unlock()).await;
    assert_eq!(visitor.safe.verified().await.unwrap(), rows + 1);
    // A row of the last root, of the second, of the first: each is covered by its own key.
    for (seq, statement) in [
        (rows + 1, "update vault_audit set detail = 'other' where seq = (select max(seq) from vault_audit)"),
        (rows - 1, "update vault_audit set detail = 'other' where seq = (select max(seq) - 2 from vault_audit)"),
        (1, "update vault_audit set detail = 'other' where seq = 1"),
    ] {
        visitor.safe.tamper(statement).await;
        assert!(matches!(visitor.safe.verified().await, Err(Broken::Row(found)) if found == seq), "{seq}");
    }
}

#[tokio::test]
async fn what_the_old_key_does_not_open_stops_a_rotation_unless_it_is_left() {
    let visitor = Visitor::new().await;
    let mut safe = visitor.safe;
    // The server cannot look into slots, so a visitor can store one that opens with no key.
    safe.clock.pass(30_000);
    let mut device = Device::new();
    let entered = safe.log_in(&mut device, "eve@example.org").await;
    assert_eq!(device.ask(&safe, "/wallet/v1/wallet", &device.wallet()).await.0, StatusCode::OK);
    let eve = entered["user"]["id"].as_str().unwrap();
    let dump = safe.dump().await;
    let stopped = safe.begun().await.commit(&safe.database, safe.course(&mut |_, _| ())).await.err().unwrap();
    let told = stopped.to_string();
    assert!(matches!(stopped, RotateError::Unopened { count: 1, .. }) && told.contains(eve), "{told}");
    assert!(told.contains("Nothing was changed.") && told.contains("--leave-unopened"), "{told}");
    assert_eq!((safe.dump().await, safe.new_file().exists()), (dump, false));
    let rotation = safe.begun().await;
    let mut nothing = |_, _| ();
    let course = Course { leave_unopened: true, ..safe.course(&mut nothing) };
    let rotated = rotation.commit(&safe.database, course).await.unwrap().finish(&safe.database).await.unwrap();
    assert_eq!(rotated, Rotated { addresses: 2, shares: 2, slots: 1, passwords: 0, left: 1 });
    safe.restart().await;
    let (status, me) = device.ask(&safe, ME, &json!({})).await;
    assert_eq!((status, &me["user"]["email"]), (StatusCode::OK, &json!("eve@example.org")));
    assert_eq!(visitor.device.ask(&safe, ME, &json!({})).await.0, StatusCode::OK);
}

#[tokio::test]
async fn what_is_under_way_begins_again_and_no_key_of_the_old_root_is_stored_later() {
    let mut visitor = Visitor::new().await;
    visitor.safe.confirm(&visitor.device).await;
    visitor.put(&visitor.slot("kit", &encode(random::<32>()).into())).await;
    visitor.remove("recovery").await;
    let released = released(&visitor).await;
    // A visitor who has yet to store the wallet, and one who has yet to type the code.
    let (mut new, mut typing) = (Device::new(), Device::new());
    visitor.safe.log_in(&mut new, "new@example.org").await;
    let (_, started) = visitor.safe.begin(&typing, "typing@example.org").await;
    visitor.safe.approve(&visitor.safe.link().await).await;
    let code = visitor.safe.code().await;
    visitor.safe.rotate().await;
    let typed = json!({"transaction": started["transaction"], "code": code, "key": typing.worker_key()});
    assert_eq!(typing.ask(&visitor.safe, "/wallet/v1/login/code", &typed).await.0, StatusCode::GONE);
    let (status, _) = new.ask(&visitor.safe, "/wallet/v1/wallet", &new.wallet()).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let slot = json!({"slot": visitor.slot("recovery", &released)});
    let (status, told) = visitor.ask("/wallet/v1/slot", &slot).await;
    assert_eq!((status, &told["reasons"][0]["field"]), (StatusCode::FORBIDDEN, &json!("confirm")));
    // Each begins again.
    visitor.safe.clock.pass(30_000);
    new.access = None;
    visitor.safe.log_in(&mut new, "new@example.org").await;
    assert_eq!(new.ask(&visitor.safe, "/wallet/v1/wallet", &new.wallet()).await.0, StatusCode::OK);
    visitor.safe.log_in(&mut typing, "typing@example.org").await;
}

#[tokio::test]
async fn an_address_whose_change_is_cancelled_after_a_rotation_opens_the_wallet_again() {
    let mut visitor = Visitor::new().await;
    let next = "ada@new.example";
    let code = async |visitor: &Visitor, at: usize| {
        let text = visitor.safe.mails().await[at]["text"].as_str().unwrap().to_owned();
        json!({"code": text.lines().find_map(|line| line.strip_prefix("    ")).unwrap()})
    };
    visitor.safe.clock.pass(30_000);
    assert_eq!(visitor.ask("/wallet/v1/email/update", &json!({"email": next})).await.0, StatusCode::OK);
    for path in ["/wallet/v1/email/primary", "/wallet/v1/email/secondary"] {
        let (status, told) = visitor.ask(path, &code(&visitor, 0).await).await;
        assert_eq!(status, StatusCode::OK, "{told}");
    }
    let text = visitor.safe.mails().await[0]["text"].as_str().unwrap().to_owned();
    let token = text.split_once("/cancel?t=").unwrap().1.lines().next().unwrap().to_owned();
    assert_eq!(visitor.safe.rotate().await.addresses, 2);
    let decision = json!({"token": token, "approve": true}).to_string();
    assert_eq!(visitor.safe.send("/undo/decide", &[], &decision).await.0, StatusCode::OK);
    let entered = visitor.safe.log_in(&mut Device::new(), EMAIL).await;
    let told = (&entered["user"]["id"], &entered["user"]["email"]);
    assert_eq!(told, (&json!(visitor.user), &json!(EMAIL)));
}

#[tokio::test]
async fn many_users_are_gone_through_page_by_page_and_each_once() {
    const MANY: &str = "insert into vault_user (id, email_sealed, provider, created_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 1200)
        select 'many' || i, 'x', 'email', 0 from n";
    let visitor = Visitor::new().await;
    let mut safe = visitor.safe;
    safe.tamper(MANY).await;
    let rotation = safe.begun().await;
    let mut seen = Vec::new();
    let mut progress = |done, total| seen.push((done, total));
    let course = Course { leave_unopened: true, ..safe.course(&mut progress) };
    let rotated = rotation.commit(&safe.database, course).await.unwrap().finish(&safe.database).await.unwrap();
    assert_eq!(rotated, Rotated { addresses: 1, shares: 1, slots: 1, passwords: 0, left: 1200 });
    assert_eq!(seen, (1..=1203).map(|done| (done, 1203)).collect::<Vec<_>>());
    safe.restart().await;
    assert_eq!(visitor.device.ask(&safe, ME, &json!({})).await.1["user"]["email"], EMAIL);
}

#[tokio::test]
async fn a_portico_that_knows_no_rotation_refuses_a_database_after_one() {
    // Such a portico compares the text of the database with "portico check 1", and would find no user by the root's own index.
    let mut visitor = Visitor::new().await;
    let check = |root: &str| {
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &derived(root, &[b"portico index 1"]));
        encode(ring::hmac::sign(&key, b"portico check 1"))
    };
    assert!(visitor.safe.dump().await.contains(&check(&visitor.safe.key_text())));
    visitor.safe.rotate().await;
    assert!(!visitor.safe.dump().await.contains(&check(&visitor.safe.key_text())));
    assert!(visitor.safe.opened().await.is_ok());
}
