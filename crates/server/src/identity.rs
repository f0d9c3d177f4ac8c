//! `GET /v1/identity/{address}`: the name and the picture of an account (spec 3.23, 4.40).

use crate::ens::kept::{self, KEPT};
use crate::ens::{self, Avatar, EnsName, LookupFailed};
use crate::error::json;
use crate::guard::project::Project;
use crate::picture::source::{Place, look};
use crate::picture::{avatar_shown_at, shown_at};
use crate::{AppState, Failure, name};
use alloy_primitives::Address;
use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use portico_api::identity::Identity;
use portico_terms::address::is_evm;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A picture that keeps us waiting longer is not told of this time.
const PATIENCE: Duration = Duration::from_secs(5);

const AGAIN_AFTER: u32 = 10;

/// What is known of an account, and since when.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
struct Known {
    name: Option<String>,
    pictured: bool,
    source: Option<String>,
    /// Epoch seconds.
    at: u64,
}

pub(crate) fn router() -> Router<AppState> {
    Router::new().route("/v1/identity/{address}", get(identity))
}

async fn identity(
    State(state): State<AppState>,
    project: Project,
    address: Result<Path<String>, PathRejection>,
) -> Result<Response, Failure> {
    let account = address.ok().and_then(|Path(text)| account(&text));
    let account = account.ok_or_else(|| {
        Failure::parameter("address", "This is not the address of an account: 0x and 40 hexadecimal digits")
    })?;
    if let Some(own) = own(&state, account, &project).await {
        return Ok(json(StatusCode::OK, portico_json::to_text(&own)));
    }
    let key = format!("identity:{account:#x}");
    let kept = state.shared().get(&key).await.and_then(|kept| serde_json::from_slice(&kept).ok());
    let known = match kept {
        Some(known) => known,
        None => find(&state, account, &key).await?,
    };
    let Known { name, pictured, source, at } = known;
    let avatar = name.as_deref().filter(|_| pictured).map(|name| avatar_shown_at(name, project.id()));
    let age = u32::try_from(now().saturating_sub(at)).ok();
    Ok(json(StatusCode::OK, portico_json::to_text(&Identity { name, avatar, source, age })))
}

/// Names that this server gave out go first, and are read anew each time: whoever registers one wants to see it.
async fn own(state: &AppState, account: Address, project: &Project) -> Option<Identity> {
    let record = name::reverse(state, &account.to_checksum(None)).await?;
    let avatar = record.attributes.get("avatar").map(|url| shown_at(url, project.id()));
    Some(Identity { name: Some(record.name), avatar, source: Some("portico".into()), age: Some(0) })
}

/// Read as for balances: the 0x may be missing (spec 5.2), and any case is taken.
fn account(text: &str) -> Option<Address> {
    is_evm(text).then(|| text.parse().ok()).flatten()
}

async fn find(state: &AppState, account: Address, key: &str) -> Result<Known, Failure> {
    let (name, at) = kept::name_of(state, account).await?;
    let picture = match &name {
        Some(name) => pictured(state, name).await,
        None => Some(false),
    };
    let known = Known {
        source: name.is_some().then(|| "ens".into()),
        name: name.map(|name| name.as_str().into()),
        pictured: picture.unwrap_or(false),
        at,
    };
    // What could not be looked at in time may be there the next time. All of it is as old as the name.
    let left = KEPT.saturating_sub(Duration::from_secs(now().saturating_sub(at)));
    if picture.is_some()
        && let Ok(kept) = serde_json::to_vec(&known)
    {
        state.shared().put(key, kept.into(), left).await;
    }
    Ok(known)
}

/// Whether a name has a picture, after a look at it (spec 7.8); none where that cannot be said now.
async fn pictured(state: &AppState, name: &EnsName) -> Option<bool> {
    let looked = async {
        Some(match ens::avatar_of(state, name).await.ok()? {
            Some(Avatar::At(url)) => look(state, &Place::At(url)).await.is_ok(),
            Some(Avatar::Inline(inline)) => look(state, &Place::Inline(inline)).await.is_ok(),
            None => false,
        })
    };
    tokio::time::timeout(PATIENCE, looked).await.ok().flatten()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

impl From<LookupFailed> for Failure {
    /// That nothing is known now is not an answer, and no fault of ours either.
    fn from(failed: LookupFailed) -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "", failed.to_string()).again_after(AGAIN_AFTER)
    }
}
