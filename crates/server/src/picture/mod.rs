//! Image proxy: `GET /v1/image?url=` and `GET /v1/avatar/{name}`.
//!
//! Visitors' browsers fetch pictures from this server, so hosts of pictures do not see who views them. Each picture is
//! decoded within limits and re-encoded, so only pixels reach the page.

mod make;

use crate::egress::Refused;
use crate::ens::{Avatar, EnsName};
use crate::guard::project::Project;
use crate::picture_source::{self as source, PictureAddress, Unshown};
use crate::shared::Kind;
use crate::visitors::{self, Taken, Turn, Turns, Visitors};
use crate::{AppState, Failure, ens, name};
use alloy_primitives::{Address, hex, keccak256};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Url;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of pictures decoded at once: each takes up to 200 MiB for a moment.
const AT_ONCE: usize = 2;

/// Maximum size of pictures being decoded or waiting for it, in MiB; and of those for one visitor, of which one is decoded at a time.
const ROOM: usize = 128;
const VISITOR_ROOM: usize = ROOM / 4;

/// A picture of more pixels than this costs the visitor's rate limit one more for each as many.
const PIXELS: u64 = 1 << 20;

/// `Retry-After` in seconds while there is no room for a picture.
const AGAIN_AFTER: u32 = 2;

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Cache lifetime of avatars: the picture of a name may change soon (spec 9.5).
const AVATAR: Duration = Duration::from_secs(300);

/// Shared state of the image proxy.
pub(crate) struct Pictures {
    turns: Arc<Semaphore>,
    room: Arc<Semaphore>,
    visitor_turns: Turns,
    visitor_room: Visitors,
    ipfs_gateway: Option<Url>,
    /// Without a trailing slash.
    public_url: Option<String>,
}

impl Pictures {
    pub(crate) fn new(ipfs_gateway: Option<Url>, public_url: Option<String>) -> Pictures {
        let [turns, room] = [AT_ONCE, ROOM].map(|most| Arc::new(Semaphore::new(most)));
        let (visitor_turns, visitor_room) = (Turns::new(1), Visitors::new(VISITOR_ROOM));
        Pictures { turns, room, visitor_turns, visitor_room, ipfs_gateway, public_url }
    }

    pub(crate) fn ipfs_gateway(&self) -> Option<&Url> {
        self.ipfs_gateway.as_ref()
    }

    /// Reads the size of a picture in the visitor's turn, which the picture keeps until it is made; `Busy` or `Full` if too many wait.
    async fn measure(&self, bytes: Vec<u8>) -> Result<Measured, Unshown> {
        let mebibytes = bytes.len().div_ceil(1024 * 1024);
        let visitor = visitors::current();
        let of_visitor = visitor.map(|visitor| self.visitor_room.take(visitor, mebibytes).ok_or(Unshown::Busy));
        let of_visitor = of_visitor.transpose()?;
        let mebibytes = u32::try_from(mebibytes).map_err(|_| Unshown::TooLong)?;
        let room = self.room.clone().try_acquire_many_owned(mebibytes).map_err(|_| Unshown::Full)?;
        let held = (room, of_visitor, self.visitor_turns.of(visitor).await);
        in_background(move || make::pixels(&bytes).map(|pixels| Measured { bytes, pixels, held })).await
    }

    /// Re-encodes a picture, a few at a time.
    async fn make(&self, measured: Measured) -> Result<Vec<u8>, Unshown> {
        // The semaphore is never closed.
        let turn = self.turns.clone().acquire_owned().await.map_err(|_| Unshown::Full)?;
        in_background(move || {
            let Measured { bytes, held, .. } = measured;
            let _held = (turn, held);
            make::make(&bytes)
        })
        .await
    }
}

/// Picture whose size is known.
struct Measured {
    bytes: Vec<u8>,
    pixels: u64,
    held: Held,
}

/// Room for a picture among those of all and of its visitor, and the visitor's turn.
type Held = (OwnedSemaphorePermit, Option<Taken>, Option<Turn>);

/// Work on a picture away from the threads that serve requests. It goes on after the client disconnects, and keeps what it holds.
async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Unshown> + Send + 'static,
) -> Result<T, Unshown> {
    // Decoding should not panic; if it does, the picture is to blame.
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(Unshown::Broken))
}

pub(crate) fn router() -> Router<AppState> {
    Router::new().route("/v1/image", get(image)).route("/v1/avatar/{name}", get(avatar))
}

/// RFC 3986: everything but unreserved characters.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Path on this server of a name's picture.
pub(crate) fn avatar_shown_at(name: &str, project: &str) -> String {
    format!("/v1/avatar/{}?projectId={project}", utf8_percent_encode(name, ENCODED))
}

/// Path of the picture of one of our names; it changes with the record, so that browsers do not show an old one.
pub(crate) fn own_avatar_shown_at(name: &str, record: &str, project: &str) -> String {
    format!("{}&v={}", avatar_shown_at(name, project), version(record))
}

/// Short hash of a record.
pub(crate) fn version(record: &str) -> String {
    hex::encode(&keccak256(record)[..8])
}

/// Makes a path of this server usable for clients: an absolute URL, with the project id where the route counts requests, if the operator
/// configured the public URL. Otherwise it stays a path.
pub(crate) fn reachable(state: &AppState, project: &Project, path: &mut String) {
    let Some(base) = state.pictures().public_url.as_deref().filter(|_| path.starts_with('/')) else { return };
    let counts = path.starts_with("/v1/");
    path.insert_str(0, base);
    if counts && !path.contains("projectId=") {
        path.push_str(if path.contains('?') { "&projectId=" } else { "?projectId=" });
        path.push_str(project.id());
    }
}

#[derive(Deserialize)]
struct PictureQuery {
    url: String,
}

async fn image(
    State(state): State<AppState>,
    project: Project,
    asked: Result<Query<PictureQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let Query(PictureQuery { url }) =
        asked.map_err(|_| Failure::parameter("url", "Add the address of one picture to the query as `url`"))?;
    let place = PictureAddress::parse(&url, state.pictures().ipfs_gateway())
        .filter(|place| matches!(place, PictureAddress::At(_)))
        .ok_or_else(|| Failure::parameter("url", "Use an https, http, ipfs or ipns address of a picture"))?;
    let key = format!("picture:{}", hex::encode(keccak256(&url)));
    let kept = match CachedPicture::find(&state, &key).await {
        Some(kept) => kept,
        None => CachedPicture::make(&state, &project, place, &key, DAY).await?,
    };
    kept.show("url", &headers, DAY)
}

async fn avatar(
    State(state): State<AppState>,
    project: Project,
    name: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let Path(name) = name.map_err(|_| Failure::parameter("name", "Send the name as UTF-8 text"))?;
    let name = EnsName::parse(&name).map_err(|not| Failure::parameter("name", not.to_string()))?;
    // A changed picture of one of our names must show at once, so the record is part of the key.
    let own = name::avatar(&state, name.as_str()).await?;
    let key = own
        .as_ref()
        .map_or_else(|| format!("avatar:{name}"), |(record, _)| format!("avatar:{name}:{}", version(record)));
    let kept = match CachedPicture::find(&state, &key).await {
        Some(kept) => kept,
        None => match found(&state, &name, own).await? {
            Some(Avatar::At(url)) => {
                CachedPicture::make(&state, &project, PictureAddress::At(url), &key, AVATAR).await?
            }
            Some(Avatar::Inline(inline)) => {
                CachedPicture::make(&state, &project, PictureAddress::Inline(inline), &key, AVATAR).await?
            }
            None => {
                CachedPicture::Not(StatusCode::NOT_FOUND, "This name has no picture".into())
                    .keep(&state, &key, AVATAR)
                    .await
            }
        },
    };
    match kept {
        // A bad record is not a mistake of the client, so 404 instead of 400.
        CachedPicture::Not(StatusCode::BAD_REQUEST, sentence) => {
            Err(Failure::new(StatusCode::NOT_FOUND, "name", sentence))
        }
        kept => kept.show("name", &headers, AVATAR),
    }
}

async fn found(
    state: &AppState,
    name: &EnsName,
    own: Option<(String, Option<Address>)>,
) -> Result<Option<Avatar>, ens::LookupFailed> {
    match own {
        Some((record, owner)) => ens::avatar_in(state, &record, owner).await,
        None => ens::avatar_of(state, name).await,
    }
}

/// Cached result for a picture.
enum CachedPicture {
    /// Re-encoded picture.
    Webp(Bytes),
    /// Status and text of the failure.
    Not(StatusCode, String),
}

impl CachedPicture {
    /// Fails if the picture has more pixels than the rate limit has left.
    async fn make(
        state: &AppState,
        project: &Project,
        place: PictureAddress,
        key: &str,
        for_time: Duration,
    ) -> Result<CachedPicture, Failure> {
        let pictures = state.pictures();
        let measured = match source::picture(state, place).await {
            Ok(bytes) => pictures.measure(bytes).await,
            Err(unshown) => Err(unshown),
        };
        let made = match measured {
            Ok(measured) => {
                let cost = usize::try_from(measured.pixels / PIXELS).unwrap_or(usize::MAX);
                project.spend(state, cost).await?;
                pictures.make(measured).await
            }
            Err(unshown) => Err(unshown),
        };
        Ok(match made {
            Ok(webp) => CachedPicture::Webp(webp.into()).keep(state, key, for_time).await,
            // Not cached, as there will be room in a moment.
            Err(unshown) if unshown.is_ours() => {
                return Err(Failure::new(status(unshown), "", unshown.to_string()).again_after(AGAIN_AFTER));
            }
            Err(unshown) => {
                let not = CachedPicture::Not(status(unshown), unshown.to_string());
                // Not cached: one visitor could make the host refuse this server, and hide pictures from the others for a while.
                if unshown.is_overload() {
                    return Ok(not);
                }
                let for_time = if unshown.may_pass() { MINUTE } else { 10 * MINUTE }.min(for_time);
                not.keep(state, key, for_time).await
            }
        })
    }

    /// A WebP is cached as it is; a failure as its status and text, which cannot begin like a WebP.
    async fn find(state: &AppState, key: &str) -> Option<CachedPicture> {
        let kept = state.shared().get_of(Kind::Picture, key).await?;
        if kept.starts_with(b"RIFF") {
            return Some(CachedPicture::Webp(kept));
        }
        let text = std::str::from_utf8(&kept).ok()?;
        let (status, sentence) = text.split_once(' ')?;
        Some(CachedPicture::Not(status.parse().ok()?, sentence.into()))
    }

    async fn keep(self, state: &AppState, key: &str, for_time: Duration) -> CachedPicture {
        let bytes = match &self {
            CachedPicture::Webp(webp) => webp.clone(),
            CachedPicture::Not(status, sentence) => format!("{} {sentence}", status.as_u16()).into(),
        };
        state.shared().put_of(Kind::Picture, key, bytes, for_time).await;
        self
    }

    fn show(self, field: &str, asked: &HeaderMap, fresh: Duration) -> Result<Response, Failure> {
        match self {
            CachedPicture::Webp(webp) => Ok(answer(webp, asked, fresh)),
            CachedPicture::Not(status, sentence) => Err(Failure::new(status, field, sentence)),
        }
    }
}

/// Status of the response. A failing server of a picture is no failure of ours, so 5xx only if we have no room for anybody.
fn status(unshown: Unshown) -> StatusCode {
    match unshown {
        Unshown::Busy | Unshown::Refused(Refused::Busy) => StatusCode::TOO_MANY_REQUESTS,
        Unshown::Full | Unshown::Refused(Refused::Full) => StatusCode::SERVICE_UNAVAILABLE,
        Unshown::Refused(
            Refused::NotUrl | Refused::LongUrl | Refused::Scheme | Refused::Credentials | Refused::NotPublic(_),
        ) => StatusCode::BAD_REQUEST,
        Unshown::Refused(_) | Unshown::Status(_) => StatusCode::NOT_FOUND,
        Unshown::Svg | Unshown::Kind | Unshown::TooLong | Unshown::TooLarge | Unshown::Memory | Unshown::Broken => {
            StatusCode::UNSUPPORTED_MEDIA_TYPE
        }
    }
}

fn answer(webp: Bytes, asked: &HeaderMap, fresh: Duration) -> Response {
    let tag = format!("\"{}\"", hex::encode(&keccak256(&webp)[..16]));
    let known = asked.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    let known = known.is_some_and(|tags| tags.trim() == "*" || tags.contains(&tag));
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut response = Response::new(Body::from(webp));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("image/webp"));
        response
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
        // Cross-origin isolated pages load pictures only with this header.
        (header::HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let told = [(header::ETAG, tag), (header::CACHE_CONTROL, format!("public, max-age={}", fresh.as_secs()))];
    for (name, value) in told {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
    response
}

#[cfg(test)]
mod tests;
