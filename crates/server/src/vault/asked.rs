//! A request as it reaches the vault: its proof is checked before anything else is read.

use super::encoding::{decode, hash};
use super::limits::Kind;
use super::proof::{self, Proved, Times, Verified};
use super::replay::{Owner, Use};
use super::session::Live;
use super::table;
use super::{LARGEST, Vault, session, unread};
use crate::Failure;
use crate::language::{Language, UNKNOWN_BROWSER};
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use portico_api::wallet::SessionRefresh;
use portico_json::{Read, Value, parse};
use std::net::IpAddr;

/// Headers by which the web tier tells who asks.
pub(crate) const CLIENT: &str = "portico-client";
pub(crate) const BROWSER: &str = "portico-browser";
pub(crate) const LANGUAGE: &str = "portico-language";

/// Longest name of a browser.
const LONGEST_BROWSER: usize = 64;

/// Request with a valid proof.
pub(super) struct Asked {
    /// Thumbprint of the device's key.
    pub(super) device: String,
    pub(super) client: IpAddr,
    /// "Firefox on Linux"
    pub(super) browser: String,
    /// Language that the browser prefers.
    pub(super) language: Language,
    /// Hash of the access token, if there is one.
    access: Option<String>,
    body: Value,
}

/// Request with a valid proof and a live session of the device.
pub(super) struct Signed {
    pub(super) asked: Asked,
    pub(super) session: Live,
}

impl Asked {
    /// Reads the body.
    pub(super) fn read<T: Read>(&self) -> Result<T, Failure> {
        T::read(&self.body).map_err(|error| Failure::parameter("body", format!("The body has no valid {}", error.0)))
    }

    /// The device's session whose access token came with the request.
    pub(super) async fn session(&self, vault: &Vault) -> Result<Option<Live>, Failure> {
        match &self.access {
            Some(access) => session::live(vault, access, &self.device).await,
            None => Ok(None),
        }
    }
}

impl FromRequest<Vault> for Asked {
    type Rejection = Failure;

    async fn from_request(request: Request, vault: &Vault) -> Result<Asked, Failure> {
        let (parts, body) = request.into_parts();
        let client = client(&parts.headers)?;
        vault.inner.limits.spend(Kind::Proof, client).await?;
        let body = to_bytes(body, LARGEST).await.map_err(|_| {
            Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "body", "The body is larger than 64 KiB, or broke off")
        })?;
        let access = token(&parts.headers)?;
        let times = Times { now: vault.now(), started: vault.inner.started };
        let proved = Proved { path: parts.uri.path(), body: &body, access: access.as_deref() };
        let verified = proof::verify(&parts.headers, &proved, times)?;
        let text = std::str::from_utf8(&body).map_err(|_| Failure::parameter("body", "Use UTF-8 text as body"))?;
        let body = parse(text).map_err(|_| Failure::parameter("body", "Use JSON as body"))?;
        let access = access.map(hash);
        use_once(vault, &verified, client, access.as_deref(), &body).await?;
        let browser = label(&parts.headers);
        let language = parts.headers.get(LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let language = Language::of(language);
        Ok(Asked { device: verified.thumbprint, client, browser, language, access, body })
    }
}

impl FromRequest<Vault> for Signed {
    type Rejection = Failure;

    async fn from_request(request: Request, vault: &Vault) -> Result<Signed, Failure> {
        let asked = Asked::from_request(request, vault).await?;
        let session = asked
            .session(vault)
            .await?
            .ok_or_else(|| Failure::new(StatusCode::UNAUTHORIZED, "session", "The session has ended. Log in again."))?;
        Ok(Signed { asked, session })
    }
}

/// Notes that a proof was used; one that was used before is refused. Where the visitor has no more room for ids, that of devices with a live
/// session is there.
async fn use_once(
    vault: &Vault,
    verified: &Verified,
    client: IpAddr,
    access: Option<&str>,
    body: &Value,
) -> Result<(), Failure> {
    let Verified { thumbprint, id, end } = verified;
    let note = |owner| vault.inner.used.note(*id, owner, vault.now().div_euclid(1000), *end);
    let mut noted = note(Owner::Visitor(client));
    if noted == Use::Full
        && let Some(key) = decode::<32>(thumbprint)
        && has_session(vault, thumbprint, access, body).await?
    {
        noted = note(Owner::Device(key));
    }
    match noted {
        Use::First => Ok(()),
        Use::Second => Err(proof::refused("The proof was used before")),
        Use::Full => {
            let sentence = "Too many requests at once. Try again in a minute.";
            Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, "", sentence).again_after(60))
        }
    }
}

/// Whether a device has a live session, by its access token or by the token in the body that renews it.
async fn has_session(vault: &Vault, device: &str, access: Option<&str>, body: &Value) -> Result<bool, Failure> {
    if let Some(access) = access
        && session::live(vault, access, device).await?.is_some()
    {
        return Ok(true);
    }
    let Ok(SessionRefresh { refresh }) = SessionRefresh::read(body) else { return Ok(false) };
    let found = table::session_of_refresh(vault.database(), &hash(refresh), device).await;
    Ok(found.map_err(unread)?.is_some())
}

/// Address of the visitor. Only the web tier speaks at the socket, and it always names it.
pub(super) fn client(headers: &HeaderMap) -> Result<IpAddr, Failure> {
    let named = headers.get(CLIENT).and_then(|value| value.to_str().ok()?.parse().ok());
    named.ok_or_else(|| Failure::parameter(CLIENT, "The web tier has to name the visitor"))
}

/// Name of the visitor's browser.
pub(super) fn label(headers: &HeaderMap) -> String {
    let text = headers.get(BROWSER).and_then(|value| value.to_str().ok()).unwrap_or(UNKNOWN_BROWSER);
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST_BROWSER).collect()
}

/// Access token of `authorization: DPoP <token>`; `None` without the header.
fn token(headers: &HeaderMap) -> Result<Option<String>, Failure> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let token = value.to_str().ok().and_then(|text| text.strip_prefix("DPoP "));
    let token = token.filter(|token| decode::<32>(token).is_some());
    let wrong = || Failure::new(StatusCode::UNAUTHORIZED, "session", "Use an access token of this server");
    token.map(|token| Some(token.to_owned())).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::super::encoding::{encode, random};
    use super::super::table::Held;
    use super::super::{Clock, Mailer, Root, router};
    use super::*;
    use crate::config::{Config, Flags};
    use crate::db::{Database, Schema};
    use axum::body::Body;
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING as ALGORITHM, EcdsaKeyPair, KeyPair};
    use std::path::Path;
    use tower::ServiceExt;

    const NOW: i64 = 1_700_000_000_000;

    /// A vault with a database of its own, in this folder.
    async fn vault_in(folder: &Path) -> Vault {
        let file = |name: &str| folder.join(name).display().to_string();
        let toml = format!(
            "[wallet]\norigin = \"http://localhost:8081\"\n[wallet.mail]\noutbox = true\n[wallet.vault]\ndatabase = {:?}\nroot_key_file = {:?}\n",
            file("vault.sqlite"),
            file("vault.key")
        );
        let config = Config::parse(Path::new("portico.toml"), &toml, [], &Flags::default()).unwrap().wallet.unwrap();
        let root = Root::create(&config.vault.root_key_file).unwrap();
        let database = Database::with_schema(&config.vault.database, Schema::Vault).await.unwrap();
        database.migrate().await.unwrap();
        let mailer = Mailer::new(&config.mail).unwrap();
        Vault::new(root, database, &config.vault, &config.origin, mailer, Clock::at(NOW)).await.unwrap()
    }

    /// Device with a key of its own.
    struct Device(EcdsaKeyPair);

    impl Device {
        fn new() -> Device {
            let rng = SystemRandom::new();
            let key = EcdsaKeyPair::generate_pkcs8(&ALGORITHM, &rng).unwrap();
            Device(EcdsaKeyPair::from_pkcs8(&ALGORITHM, key.as_ref(), &rng).unwrap())
        }

        fn jwk(&self) -> String {
            let (x, y) = self.0.public_key().as_ref()[1..].split_at(32);
            format!(r#"{{"crv":"P-256","kty":"EC","x":"{}","y":"{}"}}"#, encode(x), encode(y))
        }

        /// Proof for a request with this body, and with an access token if there is one.
        fn proof(&self, path: &str, access: Option<&str>, body: &str) -> String {
            let header = format!(r#"{{"typ":"dpop+jwt","alg":"ES256","jwk":{}}}"#, self.jwk());
            let ath = access.map(|access| format!(r#","ath":"{}""#, hash(access))).unwrap_or_default();
            let (jti, iat) = (encode(random::<16>().unwrap()), NOW / 1000);
            let claims =
                format!(r#"{{"jti":"{jti}","htm":"POST","htu":"{path}","iat":{iat},"bh":"{}"{ath}}}"#, hash(body));
            let signed = format!("{}.{}", encode(header), encode(claims));
            let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
            format!("{signed}.{}", encode(signature))
        }
    }

    async fn send(vault: &Vault, path: &str, proof: &str, access: Option<&str>, body: &str) -> StatusCode {
        let request = Request::post(path).header(CLIENT, "203.0.113.9").header("dpop", proof);
        let request = match access {
            Some(access) => request.header(header::AUTHORIZATION, format!("DPoP {access}")),
            None => request,
        };
        router(vault.clone()).oneshot(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap().status()
    }

    #[tokio::test]
    async fn strangers_who_fill_their_room_stop_no_device_with_a_session_and_no_replay_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let vault = vault_in(folder.path()).await;
        let (device, access, refresh) = (Device::new(), encode([1; 32]), encode([2; 32]));
        let user = table::insert_user(vault.database(), "ada", "passkey", NOW).await.unwrap();
        let (access_hash, refresh_hash, ends) = (hash(&access), hash(&refresh), NOW + 60_000);
        let held = Held { access: &access_hash, access_ends: ends, refresh: &refresh_hash, ends_at: ends };
        table::insert_session(vault.database(), "session", &user.id, &hash(device.jwk()), &held).await.unwrap();
        vault.inner.used.fill_for_visitors(NOW / 1000);
        let me = "/wallet/v1/me";
        // A key without a session, with the token of another device or without one.
        let stranger = Device::new();
        for access in [Some(access.as_str()), None] {
            let proof = stranger.proof(me, access, "{}");
            assert_eq!(send(&vault, me, &proof, access, "{}").await, StatusCode::TOO_MANY_REQUESTS);
        }
        let proof = device.proof(me, Some(&access), "{}");
        assert_eq!(send(&vault, me, &proof, Some(&access), "{}").await, StatusCode::OK);
        assert_eq!(send(&vault, me, &proof, Some(&access), "{}").await, StatusCode::UNAUTHORIZED);
        // Once the access token has ended, the device renews it.
        let (path, body) = ("/wallet/v1/session/refresh", format!(r#"{{"refresh":"{refresh}"}}"#));
        let proof = stranger.proof(path, None, &body);
        assert_eq!(send(&vault, path, &proof, None, &body).await, StatusCode::TOO_MANY_REQUESTS);
        let proof = device.proof(path, None, &body);
        assert_eq!(send(&vault, path, &proof, None, &body).await, StatusCode::OK);
        assert_eq!(send(&vault, path, &proof, None, &body).await, StatusCode::UNAUTHORIZED);
    }

    #[tokio::test]
    async fn a_visitor_above_the_own_rate_uses_up_no_ids_and_its_neighbour_is_answered() {
        let folder = tempfile::tempdir().unwrap();
        let vault = vault_in(folder.path()).await;
        let (path, client) = ("/wallet/v1/me", "203.0.113.9".parse().unwrap());
        let proof = Device::new().proof(path, None, "{}");
        tokio::time::pause();
        while vault.inner.limits.spend(Kind::Proof, client).await.is_ok() {}
        assert_eq!(send(&vault, path, &proof, None, "{}").await, StatusCode::TOO_MANY_REQUESTS);
        tokio::time::resume();
        let request = Request::post(path).header(CLIENT, "203.0.113.10").header("dpop", proof);
        let answered = router(vault.clone()).oneshot(request.body(Body::from("{}")).unwrap()).await.unwrap();
        // The proof wasn't noted, so only the session is missing.
        assert_eq!(answered.status(), StatusCode::UNAUTHORIZED);
        let told = to_bytes(answered.into_body(), LARGEST).await.unwrap();
        assert!(String::from_utf8_lossy(&told).contains("The session has ended"), "{told:?}");
    }
}
