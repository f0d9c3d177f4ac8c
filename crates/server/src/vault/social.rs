//! Login at another service (spec 1.2, 3.28, 7.17, 7.18): the vault itself exchanges the code and checks who it is.
//!
//! The visitor comes back to a page of the wallet's origin, outside the frame. That page gets a code of ours, good once and only with the key of
//! the device that began, and hands it to the host page; so whoever reads it there cannot use it, and nobody can finish a login with
//! a service's answer that was meant for another. A page could also send the visitor to the service for a login that began on its owner's device:
//! so the visitor approves the device first, where it is new to their wallet or isn't where they are.

use super::asked::{Asked, client, label};
use super::encoding::{decode, encode, hash, random};
use super::enter::{By, Entry, email_place, enter};
use super::limits::Kind;
use super::link::Asking;
use super::login::place;
use super::seal::WorkerKey;
use super::table::{self, NewPerson, SocialRow, UserRow};
use super::{Vault, answer, broken, unread};
use crate::Failure;
use crate::oauth::{Farcaster, HostTokens, Identity, LoginFault, Provider, Services, Start};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use portico_api::project::SocialService;
use portico_api::wallet::{SocialFinish, SocialLogin, SocialStarted};
use portico_json::{Json, Read, parse};
use reqwest::{Client, Url};

/// Path of the web tier's own request.
pub(crate) const BACK: &str = "/social/back";

/// Milliseconds until a login has to be finished.
pub(super) const GOOD: i64 = 10 * 60_000;
pub(super) const LONGEST_HOST: usize = 255;
/// Deeds of a question: a login that began in another browser or network than the visitor's, and one of a device that the wallet doesn't know.
pub(crate) const ELSEWHERE: &str = "elsewhere";
const NEW_DEVICE: &str = "device";

const LONGEST_BACK: usize = 2048;
/// Longest code of a service.
const LONGEST_CODE: usize = 2048;

/// The services, and the client that asks them.
pub(super) struct Desk {
    pub(super) services: Services,
    /// The services with their names, as visitors read them.
    pub(super) named: Vec<SocialService>,
    pub(super) farcaster: Option<Farcaster>,
    pub(super) tokens: HostTokens,
    pub(super) client: Client,
}

/// What a service sent the visitor back with.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub(crate) struct Returned {
    pub(crate) provider: String,
    pub(crate) state: String,
    /// Absent where the visitor or the service refused.
    pub(crate) code: Option<String>,
}

/// What the page hands to the host page.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub(crate) struct Back {
    /// Origin of the host page, the only one that gets the code.
    pub(crate) host: String,
    /// Page of that origin to which the visitor goes where no window of it is open.
    pub(crate) back: Option<String>,
    /// One-time code of ours; absent where the login was refused.
    pub(crate) code: Option<String>,
    /// Question that the visitor answers before the code leaves the page; absent where the login began in their own browser.
    pub(crate) question: Option<Asking>,
}

pub(super) fn ended() -> Failure {
    Failure::new(StatusCode::GONE, "transaction", "This login has ended. Start again.")
}

fn address(vault: &Vault, provider: &str) -> String {
    format!("{}/wallet/callback/{provider}", vault.inner.origin)
}

fn provider<'a>(vault: &'a Vault, word: &str) -> Result<(&'a Provider, &'a Client), Failure> {
    let desk = vault.inner.desk.as_ref().and_then(|desk| Some((desk.services.get(word)?, &desk.client)));
    desk.ok_or_else(|| Failure::parameter("provider", "This login isn't set up here"))
}

/// Refuses a page that is not one of the host: only there may a visitor be sent back.
pub(super) fn check_back(back: &str, host: &str) -> Result<(), Failure> {
    let url = Url::parse(back).ok().filter(|_| back.len() <= LONGEST_BACK);
    let is_of_host = url.is_some_and(|url| url.origin().ascii_serialization() == host && url.username().is_empty());
    let sentence = "The page to return to isn't one of the host";
    if is_of_host { Ok(()) } else { Err(Failure::parameter("back", sentence)) }
}

/// `/wallet/v1/login/social`
pub(super) async fn begin(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    let body: SocialLogin = asked.read()?;
    if body.host.len() > LONGEST_HOST {
        return Err(Failure::parameter("host", "The host is too long"));
    }
    if let Some(back) = &body.back {
        check_back(back, &body.host)?;
    }
    let SocialLogin { provider, host, back, .. } = body;
    start(&vault, &asked, Wanted { provider, host, back, user: None }).await
}

/// A login at a service that somebody wants to begin.
pub(super) struct Wanted {
    pub(super) provider: String,
    /// Origin of the page that gets the code.
    pub(super) host: String,
    pub(super) back: Option<String>,
    /// User to whose wallet the login is added.
    pub(super) user: Option<String>,
}

/// Begins a login at a service.
pub(super) async fn start(vault: &Vault, asked: &Asked, wanted: Wanted) -> Result<Response, Failure> {
    let Wanted { provider: word, host, back, user } = wanted;
    let (service, client) = provider(vault, &word)?;
    vault.inner.limits.spend(Kind::Login, asked.client).await?;
    let transaction = encode(random::<32>().map_err(|error| broken(&error))?);
    let id = hash(&transaction);
    let start = Start::new(&asked.device, &id).map_err(|fault| failed(&fault))?;
    let uri = service.page(client, &address(vault, &word), &start).await.map_err(|fault| failed(&fault))?;
    let verifier = vault.keys().seal(&["social verifier", &id], start.verifier.as_bytes());
    let row = SocialRow {
        id,
        provider: word,
        device: asked.device.clone(),
        host,
        back,
        browser: asked.browser.clone(),
        place: place(asked.client),
        verifier_sealed: verifier.map_err(|error| broken(&error))?,
        ends_at: vault.now() + GOOD,
        user,
    };
    table::insert_social(vault.database(), &row, &hash(&start.state)).await.map_err(unread)?;
    Ok(answer(&SocialStarted { transaction, uri: uri.into() }))
}

/// The visitor came back. The state is used up by the first return, whatever it brings.
pub(super) async fn back(State(vault): State<Vault>, headers: HeaderMap, text: String) -> Result<Response, Failure> {
    let read = parse(&text).ok().and_then(|value| Returned::read(&value).ok());
    let returned = read.ok_or_else(|| Failure::parameter("body", "Use the JSON of this path as body"))?;
    let state = decode::<32>(&returned.state).map(|_| hash(&returned.state)).ok_or_else(ended)?;
    let taken = table::take_social(vault.database(), &state, &returned.provider, vault.now()).await;
    let login = taken.map_err(unread)?.ok_or_else(ended)?;
    let code = returned.code.filter(|code| !code.is_empty() && code.len() <= LONGEST_CODE);
    let Some(code) = code else {
        return Ok(answer(&Back { host: login.host, back: login.back, code: None, question: None }));
    };
    let person = person(identify(&vault, &login, &code).await?);
    let question = question(&vault, &login, &person, &headers).await?;
    let own = encode(random::<32>().map_err(|error| broken(&error))?);
    let sealed = vault.keys().seal(&["social person", &login.id], portico_json::to_text(&person).as_bytes());
    let sealed = sealed.map_err(|error| broken(&error))?;
    table::put_person(vault.database(), &login.id, &hash(&own), &sealed).await.map_err(unread)?;
    Ok(answer(&Back { host: login.host, back: login.back, code: Some(own), question }))
}

/// Question to the visitor about the device that began. A hostile page could send them to the service for a login of its owner's browser.
async fn question(
    vault: &Vault,
    login: &SocialRow,
    person: &Person,
    headers: &HeaderMap,
) -> Result<Option<Asking>, Failure> {
    let is_elsewhere = login.place != place(client(headers)?) || login.browser != label(headers);
    let deed = match is_elsewhere {
        true => ELSEWHERE,
        false => {
            let index = person.index(vault, &login.provider);
            let is_new = table::is_new_device(vault.database(), &index, &login.device).await.map_err(unread)?;
            if !is_new {
                return Ok(None);
            }
            NEW_DEVICE
        }
    };
    let (host, browser, place) = (login.host.clone(), login.browser.clone(), login.place.clone());
    let at = login.ends_at - GOOD;
    Ok(Some(Asking { deed: deed.into(), host, browser, place, at, open: true, ..Asking::default() }))
}

async fn identify(vault: &Vault, login: &SocialRow, code: &str) -> Result<Identity, Failure> {
    let (service, client) = provider(vault, &login.provider)?;
    let verifier = vault.keys().open(&["social verifier", &login.id], &login.verifier_sealed);
    let verifier = String::from_utf8_lossy(&verifier.map_err(|error| broken(&error))?).into_owned();
    let start = Start::stored(&login.device, &login.id, String::new(), verifier);
    let found = service.identify(client, &address(vault, &login.provider), code, &start, vault.now()).await;
    found.map_err(|fault| failed(&fault))
}

/// A service's fault; the cause is logged, and never has a secret in it.
pub(super) fn failed(fault: &LoginFault) -> Failure {
    tracing::warn!(%fault, "a login at another service failed");
    match fault {
        LoginFault::Code(_) | LoginFault::Token(..) => ended(),
        LoginFault::Service(..) | LoginFault::Unread(..) | LoginFault::Random => unavailable(),
    }
}

/// A login that another server's fault stops.
pub(super) fn unavailable() -> Failure {
    let sentence = "This login isn't available right now. Try again later.";
    Failure::new(StatusCode::BAD_GATEWAY, "provider", sentence)
}

/// Person as the login keeps it until it is finished.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub(super) struct Person {
    pub(super) subject: String,
    pub(super) name: Option<String>,
    email: Option<String>,
}

impl Person {
    /// Name under which the person is found; `place` tells whose id theirs is.
    pub(super) fn index(&self, vault: &Vault, place: &str) -> String {
        // No address has a line break, so that no person is found under the name of an address.
        vault.keys().index(&format!("{place}\n{}", self.subject))
    }
}

pub(super) fn person(identity: Identity) -> Person {
    Person { subject: identity.subject, name: identity.name, email: identity.email }
}

/// `/wallet/v1/login/social/finish`
pub(super) async fn finish(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    let body: SocialFinish = asked.read()?;
    let key = WorkerKey::parse(&body.key)?;
    vault.inner.limits.spend(Kind::Code, asked.client).await?;
    let (login, person) = returned(&vault, &asked.device, None, &body.transaction, &body.code).await?;
    let user = user_of(&vault, &login.provider, person).await?;
    let entry = Entry { device: &asked.device, label: &login.browser, host: &login.host, proof: By::Visitor };
    enter(&vault, user, &entry, &key).await.map(|entered| answer(&entered))
}

/// Ends a login whose visitor came back: what it was, and who it is.
pub(super) async fn returned(
    vault: &Vault,
    device: &str,
    user: Option<&str>,
    transaction: &str,
    code: &str,
) -> Result<(SocialRow, Person), Failure> {
    let known = decode::<32>(transaction).and(decode::<32>(code));
    let (id, code) = known.map(|_| (hash(transaction), hash(code))).ok_or_else(ended)?;
    let found = table::finish_social(vault.database(), &id, device, user, &code, vault.now()).await.map_err(unread)?;
    let (login, sealed) = found.ok_or_else(ended)?;
    let opened = vault.keys().open(&["social person", &id], &sealed).map_err(|error| broken(&error))?;
    let read = parse(&String::from_utf8_lossy(&opened)).ok().and_then(|value| Person::read(&value).ok());
    Ok((login, read.ok_or_else(ended)?))
}

/// User of a person at a service, made if there is none.
pub(super) async fn user_of(vault: &Vault, provider: &str, person: Person) -> Result<UserRow, Failure> {
    user_at(vault, provider, provider, person).await
}

/// The same where `place` tells whose id the person's is.
pub(super) async fn user_at(vault: &Vault, provider: &str, place: &str, person: Person) -> Result<UserRow, Failure> {
    let new = encode(random::<16>().map_err(|error| broken(&error))?);
    let email = person.email.as_ref().map(|email| vault.keys().seal(&email_place(&new), email.as_bytes()));
    let email_sealed = email.transpose().map_err(|error| broken(&error))?;
    let index = person.index(vault, place);
    let new = NewPerson { id: &new, provider, index: &index, name: person.name, email_sealed };
    table::find_or_insert_person(vault.database(), &new, vault.now()).await.map_err(unread)
}
