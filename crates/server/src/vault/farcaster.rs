//! Login by Farcaster (spec 7.19, 7.20): a channel of the relay, which the visitor's app opens by its address, and the text that the app signs.
//! The text carries a nonce made from this login and this device, so it ends no other login.

use super::asked::Asked;
use super::encoding::{decode, encode, hash, random};
use super::enter::{Entry, enter};
use super::limits::Kind;
use super::seal::WorkerKey;
use super::social::{Desk, GOOD, LONGEST_HOST, ended, failed, person, user_of};
use super::table::{self, SocialRow};
use super::{Vault, answer, broken, unread};
use crate::Failure;
use crate::oauth::{FARCASTER, Farcaster, Page};
use alloy_primitives::hex;
use axum::extract::State;
use axum::response::Response;
use portico_api::wallet::{FarcasterFinish, FarcasterFinished, FarcasterLogin, FarcasterStarted};
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
    let (service, client) = farcaster(&vault)?;
    vault.inner.limits.spend(Kind::Login, asked.client).await?;
    let transaction = encode(random::<32>().map_err(|error| broken(&error))?);
    let id = hash(&transaction);
    let nonce = nonce(&asked.device, &id);
    let page = Page { uri: &body.host, nonce: &nonce };
    let channel = service.open(client, &page).await.map_err(|fault| failed(&fault))?;
    let sealed = vault.keys().seal(&["farcaster channel", &id], channel.token.as_bytes());
    let row = SocialRow {
        id,
        provider: FARCASTER.into(),
        device: asked.device.clone(),
        host: body.host,
        back: None,
        browser: asked.browser.clone(),
        verifier_sealed: sealed.map_err(|error| broken(&error))?,
        user: None,
    };
    // Nobody comes back with this state.
    let state = hash(encode(random::<32>().map_err(|error| broken(&error))?));
    table::insert_social(vault.database(), &row, &state, vault.now() + GOOD).await.map_err(unread)?;
    Ok(answer(&FarcasterStarted { transaction, url: channel.url }))
}

/// `/wallet/v1/login/farcaster/finish`: waits for the visitor's signature for some seconds.
pub(super) async fn finish(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Request, asked.client).await?;
    let body: FarcasterFinish = asked.read()?;
    let key = WorkerKey::parse(&body.key)?;
    let (service, client) = farcaster(&vault)?;
    let id = decode::<32>(&body.transaction).map(|_| hash(&body.transaction)).ok_or_else(ended)?;
    let found = table::open_social(vault.database(), &id, FARCASTER, &asked.device, vault.now()).await;
    let login = found.map_err(unread)?.ok_or_else(ended)?;
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
            return Ok(answer(&FarcasterFinished::default()));
        }
        sleep(LOOK).await;
    };
    // Two requests that saw the same signature: one of them logs in.
    if !table::end_social(vault.database(), &id).await.map_err(unread)? {
        return Err(ended());
    }
    let user = user_of(&vault, FARCASTER, person(identity)).await?;
    let entry = Entry { device: &asked.device, label: &login.browser, host: &login.host };
    let entered = enter(&vault, user, &entry, &key).await?;
    Ok(answer(&FarcasterFinished { entered: Some(entered) }))
}
