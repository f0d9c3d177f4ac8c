//! Login by a host's own token (JWT), which the page hands to the frame. The vault checks it itself; it names a person of its issuer, and an
//! address in it joins no accounts.

use super::account::seen;
use super::asked::{Asked, Signed};
use super::encoding::hash;
use super::enter::{By, Entry, enter};
use super::limits::Kind;
use super::login::place;
use super::logins::{add, may_change};
use super::seal::WorkerKey;
use super::social::{Desk, LONGEST_HOST, Person, person, unavailable, user_at};
use super::table::{self, SocialRow};
use super::wallet::user;
use super::{Vault, answer, unread};
use crate::Failure;
use crate::oauth::{HostTokens, JWT, LoginFault};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::{JwtLink, JwtLogin};
use reqwest::Client;

fn tokens(vault: &Vault) -> Result<(&HostTokens, &Client), Failure> {
    let desk: Option<&Desk> = vault.inner.desk.as_ref().filter(|desk| !desk.tokens.is_empty());
    let there = desk.map(|desk| (&desk.tokens, &desk.client));
    there.ok_or_else(|| Failure::parameter("provider", "This login isn't set up here"))
}

/// The cause is for the operator: it is logged, and never has the token in it.
fn refused(fault: &LoginFault) -> Failure {
    if matches!(fault, LoginFault::Unread(..)) {
        tracing::warn!(%fault, "couldn't check the token of a login by a site's token");
        return unavailable();
    }
    tracing::warn!(%fault, "a login by a site's token was refused");
    Failure::new(StatusCode::FORBIDDEN, "token", "The site's login wasn't accepted. Log in to the site again.")
}

/// `/wallet/v1/login/jwt`
pub(super) async fn log_in(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    let body: JwtLogin = asked.read()?;
    let key = WorkerKey::parse(&body.key)?;
    let told = Told { project: &body.project, host: &body.host, token: &body.token };
    let (place, person) = proved(&vault, &asked, &told).await?;
    let user = user_at(&vault, JWT, &place, person).await?;
    let entry = Entry { device: &asked.device, label: &asked.browser, host: &body.host, proof: By::Token };
    enter(&vault, user, &entry, &key).await.map(|entered| answer(&entered))
}

/// `/wallet/v1/login/link/jwt`
pub(super) async fn link(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    let body: JwtLink = signed.asked.read()?;
    may_change(&vault, &signed).await?;
    vault.lets_host(&signed).await?;
    let told = Told { project: &body.project, host: &body.host, token: &body.token };
    let (place, person) = proved(&vault, &signed.asked, &told).await?;
    add(&vault, &signed, (JWT, &place), person).await?;
    seen(&vault, user(&vault, &signed).await?, &signed.session.device).await
}

/// A token, and the page that handed it over.
struct Told<'a> {
    project: &'a str,
    host: &'a str,
    token: &'a str,
}

/// Whom a token names, and the place that tells whose id theirs is. The token is used up.
async fn proved(vault: &Vault, asked: &Asked, told: &Told<'_>) -> Result<(String, Person), Failure> {
    if told.host.len() > LONGEST_HOST {
        return Err(Failure::parameter("host", "The host is too long"));
    }
    let (tokens, client) = tokens(vault)?;
    vault.inner.limits.spend(Kind::Login, asked.client).await?;
    let proved = tokens.verify(client, told.token, told.project, vault.now()).await;
    let proved = proved.map_err(|fault| refused(&fault))?;
    // The row only tells that the token was used, as long as it could be used again.
    let row = SocialRow {
        id: hash(format!("host token 1\n{}", proved.once)),
        provider: JWT.into(),
        device: asked.device.clone(),
        host: told.host.into(),
        back: None,
        browser: asked.browser.clone(),
        place: place(asked.client),
        verifier_sealed: String::new(),
        ends_at: vault.now() + HostTokens::LIFE,
        user: None,
    };
    if !table::insert_once(vault.database(), &row).await.map_err(unread)? {
        return Err(refused(&LoginFault::Token(JWT.into(), "it was used before")));
    }
    // No word of a service has a space, so that no other login finds this person.
    Ok((format!("{JWT} {}", proved.issuer), person(proved.identity)))
}
