//! `POST /auth/v1/authenticate`: signed messages open sessions.
//!
//! A wallet may sign one message for each of its networks by one approval. These have one nonce, which counts once, so they come in one request.
//! It opens all their sessions or none.

use super::message::{Message, Wrong};
use super::nonce::{self, Nonce, TOLERANCE};
use super::signer::signer;
use super::table::{self, SessionRow};
use super::{COOKIE, now, private, set_cookie, token};
use crate::error::in_words;
use crate::guard::body;
use crate::guard::project::Project;
use crate::shared::Rate;
use crate::{AppState, Failure};
use alloy_primitives::hex;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::future::try_join_all;
use portico_api::siwx::{SessionAccount, SessionToken, SignedMessage};
use portico_json::{Read, Value, parse, to_text};
use reqwest::Url;
use std::collections::HashSet;

/// Largest body in bytes: signatures of contracts have a few thousand.
const BODY_LIMIT: usize = 64 * 1024;

/// Most messages of one request: the widget asks a wallet for ten networks at most, and ten messages fit into the body.
const MOST: usize = 10;

/// Rate limit of messages per visitor, in all projects together: each costs the check of a signature, and leaves a session.
const RATE: Rate = Rate { per_second: 1.0, burst: 200 };

/// Life, in milliseconds, of a session whose visitor has spent its share of the list of ended sessions. Its token leaves the list soon, so the
/// visitor takes a small part of the list without a refusal, which would meet everybody behind one address.
pub(super) const SHORT_LIFE: i64 = 5 * 60_000;

/// Message of a request with its signature, which is not verified yet.
struct Sent<'a> {
    text: &'a str,
    signature: &'a str,
    message: Message,
    origin: String,
}

pub(super) async fn authenticate(
    State(state): State<AppState>,
    project: Project,
    request: Request,
) -> Result<Response, Failure> {
    let failed = |error: sqlx::Error| Failure::database(&error);
    charge(&state, &project, 1).await?;
    let asked = read(&state, &project, request).await?;
    let others = asked.others.as_deref().unwrap_or_default();
    if others.len() >= MOST {
        return Err(Failure::parameter("others", format!("Send at most {} further messages", MOST - 1)));
    }
    if !others.is_empty() {
        charge(&state, &project, others.len()).await?;
        project.spend(&state, others.len()).await?;
    }
    let now = now();
    let first = sent(&project, &asked.message, &asked.signature, now)?;
    let mut all = vec![first];
    for other in others {
        all.push(sent(&project, &other.message, &other.signature, now)?);
    }
    belong_together(&all).map_err(refused)?;
    let Sent { message: Message { nonce, .. }, origin, .. } = &all[0];
    match nonce::check(&state, nonce, project.id(), origin, now).await.map_err(failed)? {
        Nonce::Good => {}
        Nonce::Foreign => {
            return Err(Failure::parameter(
                "nonce",
                "Unknown nonce. Ask this server for one, from the same page and project.",
            ));
        }
        Nonce::Old => return Err(Failure::parameter("nonce", "The nonce has expired. Sign a new message.")),
    }
    let signers = all.iter().map(|sent| signer(&state, &project, &sent.message, sent.text, sent.signature));
    let accounts = try_join_all(signers).await?;
    let mut sessions = Vec::new();
    for (sent, account) in all.iter().zip(&accounts) {
        sessions.push(session(&state, &project, sent, account, now).await?);
    }
    let keys = token::keys(state.database(), now).await.map_err(failed)?;
    let mut tokens = Vec::new();
    for (sent, (account, session)) in all.iter().zip(accounts.into_iter().zip(&sessions)) {
        let claims = claims(&state, &sent.message, account, session);
        tokens.push(token::sign(&keys, &claims, now).ok_or_else(|| {
            tracing::error!("sign-in: no key can sign. Run `portico auth keys rotate`.");
            Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", "The server can't sign sessions now")
        })?);
    }
    // After the signatures, so that nobody uses up the nonce of another visitor.
    let used = table::UsedNonce { nonce, expires_at: nonce::used_until(now) };
    if !table::open(state.database(), used, &sessions, now).await.map_err(failed)? {
        return Err(Failure::parameter("nonce", "This message was used before. Sign a new one."));
    }
    let token = tokens.remove(0);
    let cookie = (asked.cookie == Some(true)).then(|| {
        let life = sessions[0].expires_at / 1000 - now / 1000;
        format!("{COOKIE}={token}; Path=/; Max-Age={life}; Secure; HttpOnly; SameSite=Lax")
    });
    let mut response = private(answer(SessionToken { token, others: asked.others.is_some().then_some(tokens) }));
    if let Some(cookie) = cookie {
        set_cookie(&mut response, &cookie);
    }
    Ok(response)
}

/// Text of the answer. That to a request without `others` has the token alone.
fn answer(SessionToken { token, others }: SessionToken) -> String {
    let mut fields = vec![("token".to_owned(), Value::Text(token))];
    fields
        .extend(others.map(|others| ("others".to_owned(), Value::List(others.into_iter().map(Value::Text).collect()))));
    to_text(&Value::Object(fields))
}

/// Charges messages to the visitor's rate of sign-ins; a host's own server has none.
async fn charge(state: &AppState, project: &Project, messages: usize) -> Result<(), Failure> {
    let Some(client) = project.client() else { return Ok(()) };
    let cost = u32::try_from(messages).unwrap_or(u32::MAX);
    let spent = state.shared().spend(&format!("siwx:{client}"), cost, RATE).await;
    spent.map_err(|spent| {
        let told = format!("Too many sign-ins from here. Try again in {}.", in_words(spent.seconds));
        Failure::new(StatusCode::TOO_MANY_REQUESTS, "", told).again_after(spent.seconds)
    })
}

/// Message of this project and its page, at its time, on a chain that the project allows.
fn sent<'a>(project: &Project, text: &'a str, signature: &'a str, now: i64) -> Result<Sent<'a>, Failure> {
    let message = Message::parse(text).map_err(refused)?;
    let origin = page(project, &message).map_err(refused)?;
    message.is_timely(now, nonce::LIFE * 1000, TOLERANCE * 1000).map_err(refused)?;
    project.allow_chain(&message.chain)?;
    Ok(Sent { text, signature, message, origin })
}

/// Checks that the messages are of one approval: the same nonce and page, and another account or chain in each.
fn belong_together(all: &[Sent]) -> Result<(), Wrong> {
    let mut accounts = HashSet::new();
    for one in all {
        if one.message.nonce != all[0].message.nonce {
            return Err(("nonce", "Use one nonce in all messages of a request".into()));
        }
        if one.origin != all[0].origin {
            return Err(("uri", "Use one page in all messages of a request".into()));
        }
        if !accounts.insert((one.message.chain.to_string(), &one.message.address)) {
            return Err(("others", "Send one message for each account on each chain".into()));
        }
    }
    Ok(())
}

/// New session of a message.
async fn session(
    state: &AppState,
    project: &Project,
    sent: &Sent<'_>,
    account: &str,
    now: i64,
) -> Result<SessionRow, Failure> {
    let visitor = match project.visitor() {
        Some(address) => address.to_string(),
        // A host's own server signs in all its visitors: the account has the share.
        None => account.to_owned(),
    };
    let visitor = nonce::keyed(state, &visitor).await.map_err(|error| Failure::database(&error))?;
    let longest = longest_life(state, project, &visitor, now).await?;
    let end = sent.message.expires_at.map_or(now + longest, |end| end.min(now + longest)) / 1000;
    Ok(SessionRow {
        id: hex::encode(nonce::random::<16>()),
        project: project.id().into(),
        account: format!("{}:{account}", sent.message.chain),
        origin: sent.origin.clone(),
        visitor,
        created_at: now,
        expires_at: end * 1000,
    })
}

/// Longest life of a new session of the visitor, in milliseconds. Answers 429 if the visitor is an account that a host's own server signs in, as
/// that server has no rate limit, and has spent its share of the list of ended sessions.
async fn longest_life(state: &AppState, project: &Project, visitor: &str, now: i64) -> Result<i64, Failure> {
    let spent = table::share_spent_until(state.database(), visitor, now).await;
    let Some(until) = spent.map_err(|error| Failure::database(&error))? else { return Ok(token::LIFE) };
    if project.visitor().is_some() {
        return Ok(SHORT_LIFE);
    }
    let seconds = u32::try_from((until - now) / 1000 + 1).unwrap_or(1);
    let told =
        format!("Too many sessions of this account were ended in the last hour. Try again in {}.", in_words(seconds));
    Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, "", told).again_after(seconds))
}

fn claims(state: &AppState, message: &Message, address: String, session: &SessionRow) -> SessionAccount {
    let chain = &message.chain;
    let seconds = |milliseconds: i64| u64::try_from(milliseconds / 1000).unwrap_or_default();
    SessionAccount {
        iss: state.issuer().into(),
        aud: session.project.clone(),
        sub: session.account.clone(),
        iat: seconds(session.created_at),
        exp: seconds(session.expires_at),
        jti: session.id.clone(),
        address,
        chain_id: chain.reference().into(),
        chain_namespace: chain.to_string().split(':').next().unwrap_or_default().into(),
        caip2_network: chain.to_string(),
        uri: message.uri.clone(),
        domain: message.domain.clone(),
        nonce: message.nonce.clone(),
    }
}

/// Origin of the page that the message is for: the page of this request, or one that the project allows.
fn page(project: &Project, message: &Message) -> Result<String, Wrong> {
    let origin = origin_of(message)?;
    project.is_for(&origin).map_err(|told| ("uri", told))?;
    is_on(&origin, message)?;
    Ok(origin)
}

/// Origin of the message's URI.
pub(super) fn origin_of(message: &Message) -> Result<String, Wrong> {
    let url = Url::parse(&message.uri).ok().filter(|url| url.username().is_empty() && url.password().is_none());
    url.map(|url| url.origin().ascii_serialization()).ok_or_else(|| ("uri", "Use the URL of the page as URI".into()))
}

/// Checks that the domain of the message is the one of its URI.
pub(super) fn is_on(origin: &str, message: &Message) -> Result<(), Wrong> {
    if origin.split_once("://").is_some_and(|(_, host)| host == message.domain) {
        return Ok(());
    }
    Err(("domain", format!("The domain {:?} doesn't match the URI, which is on {origin}", message.domain)))
}

async fn read(state: &AppState, project: &Project, request: Request) -> Result<SignedMessage, Failure> {
    let mut share = state.memory().of(project.visitor()).share();
    let body = body::read_within(request, &mut share, BODY_LIMIT).await?;
    let text = std::str::from_utf8(&body).map_err(|_| Failure::parameter("body", "Send the body as UTF-8 text"))?;
    let value = parse(text).map_err(|_| Failure::parameter("body", "Send the body as JSON"))?;
    SignedMessage::read(&value).map_err(|_| Failure::parameter("body", "The body doesn't match /openapi.json"))
}

fn refused((field, told): Wrong) -> Failure {
    Failure::parameter(field, told)
}
