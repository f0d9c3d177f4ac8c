//! `GET /getWallets`, and the pictures: one by id, or those of a whole screen in one request.

use super::{Page, Platform, Query, Wallet, picture};
use crate::error::json;
use crate::etag::{kept, tag};
use crate::guard::open::Visitor;
use crate::guard::project::Project;
use crate::{AppState, Failure, marks};
use alloy_primitives::{hex, keccak256};
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query as UrlQuery, State};
use axum::http::header::{CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use portico_api::directory::{DirectoryWallet, InjectedMark, WalletImage, WalletImages, WalletPage};
use portico_terms::ChainId;
use serde::Deserialize;

/// Cache-Control of lists: a browser sees the operator's changes after two hours at most.
const LIST: HeaderValue = HeaderValue::from_static("public, max-age=7200");
/// Cache-Control of pictures, which never change under the same id.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Maximum length of a list in the query.
const MOST_NAMED: usize = 500;
/// Maximum number of pictures per request.
const MOST_PICTURES: usize = 100;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/getWallets", get(wallets))
        .route("/getWalletImage/{image_id}", get(image))
        .route("/getWalletImages", get(images))
        // Clients request pictures of networks, connectors and tokens here; all ids share one store.
        .route("/public/getAssetImage/{image_id}", get(asset))
}

/// Unparsed query of `GET /getWallets`. Empty fields do not filter.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Question {
    page: String,
    entries: String,
    search: String,
    include: String,
    exclude: String,
    chains: String,
    platform: String,
    rdns: String,
    names: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Ids {
    ids: String,
}

async fn wallets(
    State(state): State<AppState>,
    _project: Project,
    headers: HeaderMap,
    asked: Result<UrlQuery<Question>, QueryRejection>,
) -> Result<Response, Failure> {
    let query = asked.map_err(|error| unreadable(&error))?.0.read()?;
    let known = state.directory().now(state.database()).await;
    let found = known.directory.find(&query);
    let page = WalletPage {
        count: u32::try_from(found.count).unwrap_or(u32::MAX),
        data: found.wallets.into_iter().map(to_api).collect(),
    };
    let text = portico_json::to_text(&page);
    let tag = tag(&hex::encode(&keccak256(&text)[..8]));
    Ok(kept(&headers, tag, LIST, json(StatusCode::OK, text)))
}

async fn image(
    State(state): State<AppState>,
    _visitor: Visitor,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let id = id.map_or_else(|_| String::new(), |Path(id)| id);
    picture_of(&state, id, FOR_EVER, &headers).await
}

/// Like [`image`]; a network or connector may also be asked for by its name, whose picture a later version may replace.
async fn asset(
    State(state): State<AppState>,
    _visitor: Visitor,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let id = id.map_or_else(|_| String::new(), |Path(id)| id);
    match marks::id_of(&id) {
        Some(named) => picture_of(&state, named.into(), LIST, &headers).await,
        None => picture_of(&state, id, FOR_EVER, &headers).await,
    }
}

async fn picture_of(state: &AppState, id: String, keep: HeaderValue, headers: &HeaderMap) -> Result<Response, Failure> {
    let known = state.directory().now(state.database()).await;
    let webp = is_id(&id).then(|| known.picture(&id)).flatten();
    let webp = webp.ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, "image_id", "Picture not found"))?;
    let picture: (_, Bytes) = ([(CONTENT_TYPE, "image/webp"), (X_CONTENT_TYPE_OPTIONS, "nosniff")], webp);
    Ok(kept(headers, tag(&id), keep, picture.into_response()))
}

async fn images(
    State(state): State<AppState>,
    _visitor: Visitor,
    headers: HeaderMap,
    asked: Result<UrlQuery<Ids>, QueryRejection>,
) -> Result<Response, Failure> {
    let asked = asked.map_err(|error| unreadable(&error))?.0;
    let ids = list("ids", &asked.ids, MOST_PICTURES)?;
    if ids.is_empty() {
        return Err(Failure::parameter("ids", "Add ids to the query"));
    }
    let known = state.directory().now(state.database()).await;
    let found = ids.iter().filter(|id| is_id(id)).filter_map(|id| {
        let webp = known.picture(id)?;
        Some(WalletImage { id: id.clone(), data: picture::data_uri(&webp) })
    });
    let images = WalletImages { images: found.collect() };
    // A missing picture may be added later.
    let keep = if images.images.len() == ids.len() { FOR_EVER } else { LIST };
    let text = portico_json::to_text(&images);
    let tag = tag(&hex::encode(&keccak256(&text)[..8]));
    Ok(kept(&headers, tag, keep, json(StatusCode::OK, text)))
}

impl Question {
    fn read(&self) -> Result<Query, Failure> {
        let number = |field: &str, text: &str, else_: u32| match text {
            "" => Ok(else_),
            _ => text.parse().map_err(|_| Failure::parameter(field, format!("Use a number as {field}"))),
        };
        let page = number("page", &self.page, 1)?;
        let entries = number("entries", &self.entries, 40)?;
        let platform = match self.platform.as_str() {
            "" => None,
            "ios" => Some(Platform::Ios),
            "android" => Some(Platform::Android),
            _ => return Err(Failure::parameter("platform", "Use ios or android as platform")),
        };
        let chain = |text: &String| {
            text.parse::<ChainId>()
                .map_err(|_| Failure::parameter("chains", "Use CAIP-2 ids as chains, such as eip155:1"))
        };
        Ok(Query {
            search: self.search.clone(),
            include: list("include", &self.include, MOST_NAMED)?,
            exclude: list("exclude", &self.exclude, MOST_NAMED)?,
            chains: list("chains", &self.chains, MOST_NAMED)?.iter().map(chain).collect::<Result<_, _>>()?,
            platform,
            rdns: list("rdns", &self.rdns, MOST_NAMED)?,
            names: list("names", &self.names, MOST_NAMED)?,
            page: Page::new(page, entries).map_err(|error| {
                let field = if page == 0 { "page" } else { "entries" };
                Failure::parameter(field, error.to_string())
            })?,
        })
    }
}

/// Splits a comma-separated list and drops empty parts.
fn list(field: &str, text: &str, most: usize) -> Result<Vec<String>, Failure> {
    let parts: Vec<String> =
        text.split(',').map(str::trim).filter(|part| !part.is_empty()).take(most + 1).map(Into::into).collect();
    if parts.len() > most {
        return Err(Failure::parameter(field, format!("Send at most {most} values in {field}")));
    }
    Ok(parts)
}

fn unreadable(error: &QueryRejection) -> Failure {
    tracing::debug!(%error, "couldn't parse a query");
    Failure::parameter("query", "Send each parameter of the query once")
}

fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

fn to_api(wallet: &Wallet) -> DirectoryWallet {
    let web = |link: &Option<super::WebLink>| link.as_ref().map(|link| link.as_str().to_owned());
    let app = |link: &Option<super::AppLink>| link.as_ref().map(|link| link.as_str().to_owned());
    let marks = wallet.injected.iter().map(|injected| InjectedMark {
        namespace: injected.namespace.word().into(),
        injected_id: injected.injected_id.clone(),
    });
    DirectoryWallet {
        id: wallet.id.clone(),
        name: wallet.name.clone(),
        homepage: web(&wallet.homepage),
        image_id: wallet.image_id.clone(),
        order: wallet.order,
        mobile_link: app(&wallet.mobile_link),
        link_mode: web(&wallet.link_mode),
        desktop_link: app(&wallet.desktop_link),
        webapp_link: web(&wallet.webapp_link),
        app_store: web(&wallet.app_store),
        play_store: web(&wallet.play_store),
        chrome_store: web(&wallet.chrome_store),
        rdns: wallet.rdns.clone(),
        namespaces: wallet.namespaces.iter().map(|namespace| namespace.word().into()).collect(),
        chains: wallet.chains.iter().map(ToString::to_string).collect(),
        injected: (!wallet.injected.is_empty()).then(|| marks.collect()),
    }
}
