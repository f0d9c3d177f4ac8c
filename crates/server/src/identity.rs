//! `GET /v1/identity/{address}`: name and picture of an account (spec 3.23, 4.40).

use crate::ens::kept::{self, KEPT};
use crate::ens::{self, Avatar, EnsName, LookupFailed};
use crate::error::json;
use crate::guard::project::Project;
use crate::picture::{avatar_shown_at, own_avatar_shown_at, reachable, version};
use crate::picture_source::{PictureAddress, look};
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

/// Time limit of a picture; a slower one is left out of this response.
const PATIENCE: Duration = Duration::from_secs(5);

const AGAIN_AFTER: u32 = 10;

/// Cached identity of an account.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
struct Known {
    name: Option<String>,
    pictured: bool,
    source: Option<String>,
    /// Time of the lookup, in epoch seconds.
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
    let account =
        account.ok_or_else(|| Failure::parameter("address", "Use an account's address, 0x and 40 hex digits"))?;
    let mut told = match own(&state, account, &project).await {
        Some(own) => own,
        None => foreign(&state, account, &project).await?,
    };
    told.avatar.iter_mut().for_each(|path| reachable(&state, &project, path));
    Ok(json(StatusCode::OK, portico_json::to_text(&told)))
}

async fn foreign(state: &AppState, account: Address, project: &Project) -> Result<Identity, Failure> {
    let key = format!("identity:{account:#x}");
    let kept = state.shared().get(&key).await.and_then(|kept| serde_json::from_slice(&kept).ok());
    let known = match kept {
        Some(known) => known,
        None => find(state, account, &key).await?,
    };
    let Known { name, pictured, source, at } = known;
    let avatar = name.as_deref().filter(|_| pictured).map(|name| avatar_shown_at(name, project.id()));
    let age = u32::try_from(now().saturating_sub(at)).ok();
    Ok(Identity { name, avatar, source, age })
}

/// Identity from a name that this server registered. It takes precedence and is never cached, so a new name shows at once.
async fn own(state: &AppState, account: Address, project: &Project) -> Option<Identity> {
    let record = name::reverse(state, &account.to_checksum(None)).await?;
    let avatar = match record.attributes.get("avatar") {
        Some(avatar) if own_pictured(state, account, avatar).await => {
            Some(own_avatar_shown_at(&record.name, avatar, project.id()))
        }
        _ => None,
    };
    Some(Identity { name: Some(record.name), avatar, source: Some("portico".into()), age: Some(0) })
}

/// Whether the avatar record of our own name leads to a picture. Checked again every five minutes and when record or account change.
async fn own_pictured(state: &AppState, account: Address, record: &str) -> bool {
    let key = format!("pictured:{account:#x}:{}", version(record));
    if let Some(kept) = state.shared().get(&key).await {
        return kept.as_ref() == b"1";
    }
    let looked = looked(state, ens::avatar_in(state, record, Some(account))).await;
    if let Some(pictured) = looked {
        state.shared().put(&key, if pictured { "1" } else { "0" }.into(), KEPT).await;
    }
    looked.unwrap_or(false)
}

/// Parsed like in balance requests: the 0x may be missing (spec 5.2), and any case is accepted.
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
    // Without a result for the picture nothing is cached, so the next request tries again. The entry is as old as the name.
    let left = KEPT.saturating_sub(Duration::from_secs(now().saturating_sub(at)));
    if picture.is_some()
        && let Ok(kept) = serde_json::to_vec(&known)
    {
        state.shared().put(key, kept.into(), left).await;
    }
    Ok(known)
}

/// Whether the name has a picture that loads (spec 7.8); `None` if that is unknown for now.
async fn pictured(state: &AppState, name: &EnsName) -> Option<bool> {
    looked(state, ens::avatar_of(state, name)).await
}

async fn looked(state: &AppState, avatar: impl Future<Output = Result<Option<Avatar>, LookupFailed>>) -> Option<bool> {
    let looked = async {
        let place = match avatar.await.ok()? {
            Some(Avatar::At(url)) => PictureAddress::At(url),
            Some(Avatar::Inline(inline)) => PictureAddress::Inline(inline),
            None => return Some(false),
        };
        match look(state, &place).await {
            Err(unshown) if unshown.may_pass() => None,
            looked => Some(looked.is_ok()),
        }
    };
    tokio::time::timeout(PATIENCE, looked).await.ok().flatten()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

impl From<LookupFailed> for Failure {
    /// 503, or 429 after a wait: the failed lookup is not a result, and not an error of this server either. The host of a picture is one of
    /// many: that it is away is no more than a missing picture.
    fn from(failed: LookupFailed) -> Failure {
        let status = match failed {
            LookupFailed::Busy => StatusCode::TOO_MANY_REQUESTS,
            LookupFailed::Metadata => StatusCode::NOT_FOUND,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        };
        Failure::new(status, "", failed.to_string()).again_after(AGAIN_AFTER)
    }
}
