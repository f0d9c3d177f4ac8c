//! Passkeys (WebAuthn): they confirm what is done in the settings, and log in without an address. The vault sees the signature alone; the
//! output of the PRF, which opens the wallet, stays in the frame.

use super::asked::{Asked, Signed};
use super::confirm::{Decided, settle, told_as};
use super::encoding::{decode, decode_any, encode, hash, random};
use super::enter::{By, Entry, enter};
use super::export::held;
use super::limits::Kind;
use super::login::{count, place};
use super::seal::WorkerKey;
use super::table::{self, Asker, NewConfirmation, Passkey};
use super::{Vault, answer, broken, unread};
use crate::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::{
    Deed, DeviceAnswer, PasskeyFinish, PasskeyKey, PasskeyLogin, PasskeyLoginStarted, PasskeyNew, PasskeyProof,
};
use portico_json::{Json, Read, parse};
use reqwest::Url;
use ring::digest::{SHA256, digest};
use ring::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};

/// Milliseconds until a login has to be finished.
const GOOD: i64 = 10 * 60_000;
const LONGEST_HOST: usize = 255;
/// Longest id of a credential (WebAuthn, section 4), and longest other part, in bytes.
const LONGEST_CREDENTIAL: usize = 1023;
const LONGEST: usize = 4096;
/// Flags of authenticator data: the user was there, and was verified.
const VERIFIED: u8 = 0b101;

/// New wallets of passkeys for one network in a time. Nothing else of the visitor is known, so that nothing else limits them.
const NEW: [(i64, usize); 2] = [(10 * 60_000, 10), (24 * 60 * 60_000, 50)];

/// Client data of an assertion, as far as it is checked.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
struct ClientData {
    #[json(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
}

/// Checks the form of a new passkey's public key.
pub(super) fn check(key: &PasskeyKey) -> Result<(), Failure> {
    let credential = decode_any(&key.credential).is_some_and(|id| (1..=LONGEST_CREDENTIAL).contains(&id.len()));
    let point = decode::<65>(&key.key).is_some_and(|point| point[0] == 4);
    if credential && point {
        Ok(())
    } else {
        Err(Failure::parameter("passkey", "Couldn't read the passkey. Try again."))
    }
}

fn refused() -> Failure {
    Failure::new(StatusCode::FORBIDDEN, "passkey", "This passkey isn't for this wallet")
}

/// Passkey that signed this transaction, on a page of the wallet's own origin, after it verified its owner.
async fn verified(vault: &Vault, proof: &PasskeyProof) -> Result<Passkey, Failure> {
    let parts = [&proof.credential, &proof.authenticator, &proof.client, &proof.signature];
    if parts.iter().any(|part| part.len() > LONGEST) {
        return Err(refused());
    }
    let passkey = table::passkey_of(vault.database(), &proof.credential).await.map_err(unread)?.ok_or_else(refused)?;
    let point = decode::<65>(&passkey.point).ok_or_else(refused)?;
    is_signed(proof, &vault.inner.origin, &point).ok_or_else(refused)?;
    Ok(passkey)
}

/// Checks an assertion (WebAuthn, section 7.2).
fn is_signed(proof: &PasskeyProof, origin: &str, point: &[u8]) -> Option<()> {
    let (authenticator, client) = (decode_any(&proof.authenticator)?, decode_any(&proof.client)?);
    let data = ClientData::read(&parse(std::str::from_utf8(&client).ok()?).ok()?).ok()?;
    let here = data.kind == "webauthn.get" && data.challenge == proof.transaction && data.origin == origin;
    let host = Url::parse(origin).ok()?.host_str()?.to_owned();
    let party = digest(&SHA256, host.as_bytes());
    let for_us = authenticator.get(..32)? == party.as_ref() && *authenticator.get(32)? & VERIFIED == VERIFIED;
    if !here || !for_us {
        return None;
    }
    let signed = [&authenticator[..], digest(&SHA256, &client).as_ref()].concat();
    let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point);
    key.verify(&signed, &decode_any(&proof.signature)?).ok()
}

/// `/wallet/v1/confirm/passkey`
pub(super) async fn confirm(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Code, signed.asked.client).await?;
    let proof: PasskeyProof = signed.asked.read()?;
    let (user, device) = (&signed.session.user, &signed.session.device);
    let ended = || Failure::new(StatusCode::GONE, "transaction", "This confirmation has ended. Start again.");
    let id = decode::<32>(&proof.transaction).map(|_| hash(&proof.transaction)).ok_or_else(ended)?;
    let found = table::confirmation_state(vault.database(), &id, user, device, vault.now()).await.map_err(unread)?;
    let (deed, _) = found.ok_or_else(ended)?;
    let passkey = verified(&vault, &proof).await?;
    if passkey.user != *user {
        return Err(refused());
    }
    let exports = passkey.exports_from <= vault.now();
    if deed == Deed::Export.word() && !exports {
        return Err(held());
    }
    if !settle(&vault, &id, user, device, &deed, Decided::ByPasskey(exports)).await? {
        return Err(ended());
    }
    Ok(answer(&told_as(&vault, user, device, DeviceAnswer::Approved).await?))
}

/// `/wallet/v1/login/passkey`
pub(super) async fn begin(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    let PasskeyLogin { host, .. } = asked.read()?;
    if host.len() > LONGEST_HOST {
        return Err(Failure::parameter("host", "The host is too long"));
    }
    vault.inner.limits.spend(Kind::Login, asked.client).await?;
    let transaction = encode(random::<32>().map_err(|error| broken(&error))?);
    // No mail is sent, so there is neither a number nor a language.
    let (number, language) = (String::new(), String::new());
    let (browser, place, ends_at) = (asked.browser, place(asked.client), vault.now() + GOOD);
    let asker = Asker { device: asked.device, host, browser, place, number, language, ends_at };
    let new = NewConfirmation { id: &hash(&transaction), user: "", deed: "login", asker: &asker, approval: None };
    table::insert_confirmation(vault.database(), &new).await.map_err(unread)?;
    Ok(answer(&PasskeyLoginStarted { transaction }))
}

/// `/wallet/v1/login/passkey/finish`: the passkey stands for the approval of the device too, because no other page can use it.
pub(super) async fn finish(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    let PasskeyFinish { proof, key } = asked.read()?;
    let key = WorkerKey::parse(&key)?;
    vault.inner.limits.spend(Kind::Code, asked.client).await?;
    let ended = || Failure::new(StatusCode::GONE, "transaction", "This login has ended. Start again.");
    let id = decode::<32>(&proof.transaction).map(|_| hash(&proof.transaction)).ok_or_else(ended)?;
    let passkey = verified(&vault, &proof).await?;
    let taken = table::take_passkey_login(vault.database(), &id, &asked.device, vault.now()).await.map_err(unread)?;
    let (host, label) = taken.ok_or_else(ended)?;
    let user = table::user_of(vault.database(), &passkey.user).await.map_err(unread)?;
    let proof = By::Passkey(passkey.exports_from <= vault.now());
    let entry = Entry { device: &asked.device, label: &label, host: &host, proof };
    enter(&vault, user, &entry, &key).await.map(|entered| answer(&entered))
}

/// `/wallet/v1/login/passkey/new`: a user without an address or an account elsewhere, whose only login is the passkey that the frame adds next.
pub(super) async fn new(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    let PasskeyNew { host, key, .. } = asked.read()?;
    if host.len() > LONGEST_HOST {
        return Err(Failure::parameter("host", "The host is too long"));
    }
    let key = WorkerKey::parse(&key)?;
    vault.inner.limits.spend(Kind::Login, asked.client).await?;
    let network = vault.keys().index(&place(asked.client));
    count(&vault, &format!("{network} new"), &NEW, 0).await?;
    let id = encode(random::<16>().map_err(|error| broken(&error))?);
    let user = table::insert_user(vault.database(), &id, "passkey", vault.now()).await.map_err(unread)?;
    // The passkey was made in this visit, so it confirms what follows.
    let entry = Entry { device: &asked.device, label: &asked.browser, host: &host, proof: By::Passkey(true) };
    enter(&vault, user, &entry, &key).await.map(|entered| answer(&entered))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};

    const ORIGIN: &str = "https://wallet.example.org";

    struct Authenticator(EcdsaKeyPair);

    impl Authenticator {
        fn new() -> Authenticator {
            let random = SystemRandom::new();
            let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
            let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, document.as_ref(), &random);
            Authenticator(pair.unwrap())
        }

        fn sign(&self, kind: &str, challenge: &str, origin: &str, party: &str, flags: u8) -> PasskeyProof {
            let client =
                format!(r#"{{"type":"{kind}","challenge":"{challenge}","origin":"{origin}","crossOrigin":true}}"#);
            let data = [digest(&SHA256, party.as_bytes()).as_ref(), &[flags], &[0, 0, 0, 1]].concat();
            let signed = [&data[..], digest(&SHA256, client.as_bytes()).as_ref()].concat();
            let signature = self.0.sign(&SystemRandom::new(), &signed).unwrap();
            PasskeyProof {
                transaction: "AAAA".into(),
                credential: "AAAA".into(),
                authenticator: encode(data),
                client: encode(client),
                signature: encode(signature),
            }
        }

        fn point(&self) -> &[u8] {
            self.0.public_key().as_ref()
        }
    }

    #[test]
    fn an_assertion_counts_for_its_challenge_its_origin_and_a_verified_user_alone() {
        let own = Authenticator::new();
        let party = "wallet.example.org";
        let good = own.sign("webauthn.get", "AAAA", ORIGIN, party, 5);
        assert!(is_signed(&good, ORIGIN, own.point()).is_some());
        for wrong in [
            own.sign("webauthn.create", "AAAA", ORIGIN, party, 5),
            own.sign("webauthn.get", "AAAB", ORIGIN, party, 5),
            own.sign("webauthn.get", "AAAA", "https://wallet.example", party, 5),
            own.sign("webauthn.get", "AAAA", ORIGIN, "example.org", 5),
            // Without verification of the user, and without a touch.
            own.sign("webauthn.get", "AAAA", ORIGIN, party, 1),
            own.sign("webauthn.get", "AAAA", ORIGIN, party, 4),
            Authenticator::new().sign("webauthn.get", "AAAA", ORIGIN, party, 5),
            PasskeyProof { signature: good.signature[..good.signature.len() - 4].into(), ..good.clone() },
            PasskeyProof { authenticator: String::new(), ..good.clone() },
            PasskeyProof { client: "!".into(), ..good.clone() },
        ] {
            assert!(is_signed(&wrong, ORIGIN, own.point()).is_none(), "{wrong:?}");
        }
    }
}
