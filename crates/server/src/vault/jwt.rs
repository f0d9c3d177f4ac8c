//! Login by a host's own token (JWT), which the page hands to the frame. The vault checks it itself; it names a person of its issuer, and an
//! address in it joins no accounts.

use super::asked::Asked;
use super::encoding::hash;
use super::enter::{Entry, enter};
use super::limits::Kind;
use super::seal::WorkerKey;
use super::social::{Desk, LONGEST_HOST, person, user_at};
use super::table::{self, SocialRow};
use super::{Vault, answer, unread};
use crate::Failure;
use crate::oauth::{HostTokens, JWT, LoginFault};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::JwtLogin;
use reqwest::Client;

fn tokens(vault: &Vault) -> Result<(&HostTokens, &Client), Failure> {
    let desk: Option<&Desk> = vault.inner.desk.as_ref().filter(|desk| !desk.tokens.is_empty());
    let there = desk.map(|desk| (&desk.tokens, &desk.client));
    there.ok_or_else(|| Failure::parameter("provider", "This login isn't set up here"))
}

/// The cause is for the operator: it is logged, and never has the token in it.
fn refused(fault: &LoginFault) -> Failure {
    tracing::warn!(%fault, "a login by a host's token was refused");
    Failure::new(StatusCode::FORBIDDEN, "token", "The site's login wasn't accepted. Log in to the site again.")
}

/// `/wallet/v1/login/jwt`
pub(super) async fn log_in(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    let body: JwtLogin = asked.read()?;
    if body.host.len() > LONGEST_HOST {
        return Err(Failure::parameter("host", "The host is too long"));
    }
    let key = WorkerKey::parse(&body.key)?;
    let (tokens, client) = tokens(&vault)?;
    vault.inner.limits.spend(Kind::Login, asked.client).await?;
    let proved = tokens.verify(client, &body.token, &body.project, vault.now()).await;
    let proved = proved.map_err(|fault| refused(&fault))?;
    // The row only tells that the token was used, as long as it could be used again.
    let id = hash(format!("host token 1\n{}", proved.once));
    let row = SocialRow {
        id: id.clone(),
        provider: JWT.into(),
        device: asked.device.clone(),
        host: body.host.clone(),
        back: None,
        browser: asked.browser.clone(),
        verifier_sealed: String::new(),
        user: None,
    };
    if !table::insert_once(vault.database(), &row, vault.now() + HostTokens::LIFE).await.map_err(unread)? {
        return Err(refused(&LoginFault::Token(JWT.into(), "it was used before")));
    }
    // No word of a service has a space, so that no other login finds this person.
    let place = format!("{JWT} {}", proved.issuer);
    let user = user_at(&vault, JWT, &place, person(proved.identity)).await?;
    let entry = Entry { device: &asked.device, label: &asked.browser, host: &body.host };
    enter(&vault, user, &entry, &key).await.map(|entered| answer(&entered))
}
