//! Login by Farcaster (spec 7.19, 7.20): a channel of the relay, which the visitor's app opens by its address, and the text that the app signs.
//! The text carries a nonce made from this login and this device, so it ends no other login.

use super::asked::{Asked, Signed};
use super::encoding::{decode, encode, hash, random};
use super::enter::{By, Entry, enter};
use super::limits::Kind;
use super::login::place;
use super::logins::{add, may_change};
use super::seal::WorkerKey;
use super::social::{Desk, GOOD, LONGEST_HOST, Person, ended, failed, person, user_of};
use super::table::{self, SocialRow};
use super::{Vault, answer, broken, unread};
use crate::Failure;
use crate::oauth::{Channel, FARCASTER, Farcaster, Page};
use alloy_primitives::hex;
use axum::extract::State;
use axum::response::Response;
use portico_api::wallet::{
    Empty, FarcasterFinish, FarcasterFinished, FarcasterLink, FarcasterLinkFinish, FarcasterLinked, FarcasterLogin,
    FarcasterStarted,
};
use reqwest::Client;
use ring::digest::{SHA256, digest};
use tokio::time::{Duration, Instant, sleep};

/// Time for which a request waits for the visitor.
const WAIT: Duration = Duration::from_secs(5);
/// Time between two looks at the channel (FIP-11).
const LOOK: Duration = Duration::from_millis(1500);

fn farcaster(vault: &Vault) -> Result<(&Farcaster, &Client), Failure> {
    let desk: Option<&Desk> = vault.inner.desk.as_ref();
    let there = desk.and_then(|desk| Some((desk.farcaster.as_ref()?, &desk.client)));
    there.ok_or_else(|| Failure::parameter("provider", "Farcaster login isn't set up here"))
}

/// Letters and digits, as a nonce has to be: a hash, so that the relay learns neither the device's key nor the login.
fn nonce(device: &str, id: &str) -> String {
    hex::encode(digest(&SHA256, format!("portico farcaster 1\n{device}\n{id}").as_bytes()))
}

/// `/wallet/v1/login/farcaster`
pub(super) async fn begin(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    let body: FarcasterLogin = asked.read()?;
    if body.host.len() > LONGEST_HOST {
        return Err(Failure::parameter("host", "The host is too long"));
    }
    let (transaction, channel) = open(&vault, &asked, body.host, None).await?;
    Ok(answer(&FarcasterStarted { transaction, url: channel.url }))
}

/// `/wallet/v1/login/link/farcaster`
pub(super) async fn begin_link(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    let Empty {} = signed.asked.read()?;
    may_change(&vault, &signed).await?;
    // The settings belong to the wallet, so the app shows its domain.
    let host = vault.inner.origin.clone();
    let (transaction, channel) = open(&vault, &signed.asked, host, Some(signed.session.user.clone())).await?;
    let code = portico_qr::encode(&channel.url);
    Ok(answer(&FarcasterLink { transaction, url: channel.url, code }))
}

/// Opens a channel: the id of the login, which is added to the wallet of `user` if there is one.
async fn open(vault: &Vault, asked: &Asked, host: String, user: Option<String>) -> Result<(String, Channel), Failure> {
    let (service, client) = farcaster(vault)?;
    vault.inner.limits.spend(Kind::Login, asked.client).await?;
    let transaction = encode(random::<32>().map_err(|error| broken(&error))?);
    let id = hash(&transaction);
    let nonce = nonce(&asked.device, &id);
    let page = Page { uri: &host, nonce: &nonce };
    let channel = service.open(client, &page).await.map_err(|fault| failed(&fault))?;
    let sealed = vault.keys().seal(&["farcaster channel", &id], channel.token.as_bytes());
    let row = SocialRow {
        id,
        provider: FARCASTER.into(),
        device: asked.device.clone(),
        host,
        back: None,
        browser: asked.browser.clone(),
        place: place(asked.client),
        verifier_sealed: sealed.map_err(|error| broken(&error))?,
        ends_at: vault.now() + GOOD,
        user,
    };
    // Nobody comes back with this state.
    let state = hash(encode(random::<32>().map_err(|error| broken(&error))?));
    table::insert_social(vault.database(), &row, &state).await.map_err(unread)?;
    Ok((transaction, channel))
}

/// `/wallet/v1/login/farcaster/finish`: waits for the visitor's signature for some seconds.
pub(super) async fn finish(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Request, asked.client).await?;
    let body: FarcasterFinish = asked.read()?;
    let key = WorkerKey::parse(&body.key)?;
    let Some((login, person)) = signed_by(&vault, &asked, None, &body.transaction).await? else {
        return Ok(answer(&FarcasterFinished::default()));
    };
    let user = user_of(&vault, FARCASTER, person).await?;
    let entry = Entry { device: &asked.device, label: &login.browser, host: &login.host, proof: By::Visitor };
    let entered = enter(&vault, user, &entry, &key).await?;
    Ok(answer(&FarcasterFinished { entered: Some(entered) }))
}

/// `/wallet/v1/login/link/farcaster/finish`: the same for a login that is added to a wallet.
pub(super) async fn finish_link(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Request, signed.asked.client).await?;
    let FarcasterLinkFinish { transaction } = signed.asked.read()?;
    may_change(&vault, &signed).await?;
    let person = signed_by(&vault, &signed.asked, Some(&signed.session.user), &transaction).await?;
    let added = person.is_some();
    if let Some((_, person)) = person {
        add(&vault, &signed, (FARCASTER, FARCASTER), person).await?;
    }
    Ok(answer(&FarcasterLinked { added }))
}

/// Waits for the signature of a login of this device, and ends the login with it; `user` is that to whose wallet it is added.
async fn signed_by(
    vault: &Vault,
    asked: &Asked,
    user: Option<&String>,
    transaction: &str,
) -> Result<Option<(SocialRow, Person)>, Failure> {
    let (service, client) = farcaster(vault)?;
    let id = decode::<32>(transaction).map(|_| hash(transaction)).ok_or_else(ended)?;
    let found = table::open_social(vault.database(), &id, FARCASTER, &asked.device, vault.now()).await;
    let login = found.map_err(unread)?.filter(|login| login.user.as_ref() == user).ok_or_else(ended)?;
    let token = vault.keys().open(&["farcaster channel", &id], &login.verifier_sealed);
    let token = String::from_utf8_lossy(&token.map_err(|error| broken(&error))?).into_owned();
    let nonce = nonce(&asked.device, &id);
    let page = Page { uri: &login.host, nonce: &nonce };
    let end = Instant::now() + WAIT;
    let identity = loop {
        let told = service.person(client, &token, &page, vault.now()).await;
        if let Some(identity) = told.map_err(|fault| failed(&fault))? {
            break identity;
        }
        if Instant::now() + LOOK > end {
            return Ok(None);
        }
        sleep(LOOK).await;
    };
    // Two requests that saw the same signature: one of them ends the login.
    if !table::end_social(vault.database(), &id).await.map_err(unread)? {
        return Err(ended());
    }
    Ok(Some((login, person(identity))))
}
