//! The web tier of the embedded wallet, on a listener and an origin of its own: the frame's files, the requests of its worker, which the
//! vault answers, and the pages of the mails' links. It sees no key, and shares only as sealed texts.

mod asks;
mod browser;
mod callback;
pub(crate) mod child;
mod forward;
mod frame;
mod mark;
mod outbox;

use crate::config;
use crate::error::json;
use crate::guard::project::OwnPage;
use crate::guard::request_id::RequestLog;
use crate::html::{Html, STYLE, file};
use crate::vault::{PATHS, Way};
use crate::{AppState, Failure, guard, rpc};
use axum::Router;
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
pub(crate) use forward::{vault_away, vault_metrics};
use frame::Frame;
pub use frame::FrameError;
use portico_api::frame::{NetworkName, NetworkNames};
use std::sync::Arc;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const STYLE_PATH: &str = "/wallet.css";
/// Requests that begin a login, so that they name a project and a host page.
const BEGINNINGS: [&str; 7] = [
    "/wallet/v1/login/email",
    "/wallet/v1/login/social",
    "/wallet/v1/login/passkey",
    "/wallet/v1/login/passkey/new",
    "/wallet/v1/login/farcaster",
    "/wallet/v1/login/jwt",
    "/wallet/v1/login/link/jwt",
];

/// The embedded wallet as the web tier knows it.
pub struct Wallet {
    origin: String,
    vault: Way,
    frame: Option<Frame>,
    /// Whether mails are shown by a page.
    outbox: bool,
}

impl Wallet {
    /// Reads the frame's files.
    pub fn open(config: &config::Wallet) -> Result<Wallet, FrameError> {
        Ok(Wallet {
            origin: config.origin.clone(),
            vault: Way::new(&config.vault),
            frame: config.frame.as_deref().map(Frame::read).transpose()?,
            outbox: matches!(config.mail, config::MailWay::Outbox),
        })
    }

    /// Hash of the frame's files, which its path carries.
    pub fn frame_hash(&self) -> Option<&str> {
        self.frame.as_ref().map(Frame::hash)
    }
}

/// Router of the wallet's listener.
pub fn router(state: AppState, wallet: Wallet) -> Router {
    let wallet = Arc::new(wallet);
    let secure = wallet.origin.starts_with("https://");
    let mut requests = Router::new();
    for path in PATHS {
        let begins = BEGINNINGS.contains(&path);
        requests = requests.route(path, if begins { post(forward::login) } else { post(forward::signed) });
    }
    let requests = requests.nest("/rpc", rpc::router()).layer(from_fn_with_state(wallet.clone(), own_pages));
    let mut pages = Router::new()
        .merge(asks::router())
        .route("/wallet/callback/{provider}", get(callback::returned).post(callback::posted))
        .route(callback::SCRIPT_PATH, get(callback::script))
        .route("/frame/v4/latest", get(frame::latest))
        .route("/frame/v4/{hash}/{*path}", get(frame::serve))
        .route("/", get(home))
        .route("/networks.json", get(networks))
        .route(STYLE_PATH, get(|| async { file("text/css; charset=utf-8", STYLE) }));
    if wallet.outbox {
        pages = pages.route("/outbox", get(outbox::page)).route("/outbox.json", get(outbox::list));
    }
    let log = RequestLog::new(state.limits().clone());
    Router::new()
        .merge(requests)
        .merge(pages)
        .fallback(async |_: guard::open::Visitor| crate::no_such_path())
        .method_not_allowed_fallback(async |_: guard::open::Visitor| crate::no_such_method())
        .layer(from_fn_with_state(state.clone(), guard::in_flight::limit))
        .layer(from_fn_with_state(state.clone(), guard::client::name_visitor))
        .layer(Extension(wallet))
        .with_state(state)
        .layer(axum::middleware::map_response(move |response: Response| async move { hardened(response, secure) }))
        .layer(from_fn_with_state(log, guard::request_id::name_and_log))
}

/// `GET /`: whoever opens the wallet's address by itself is told what it is for.
async fn home(Extension(wallet): Extension<Arc<Wallet>>, _: guard::open::Visitor) -> Response {
    let mut html = Html::page("Wallet", STYLE_PATH);
    html.raw("</head>\n<body>\n<main>\n<h1>Wallet</h1>\n");
    html.raw(
        "<p>This address serves the embedded wallet to the sites of your projects. There is nothing to do here.</p>\n",
    );
    if wallet.outbox {
        html.raw("<p><a href=\"/outbox\">Emails of logins</a></p>\n");
    }
    html.raw("</main>\n</body>\n</html>\n");
    html.into_response("form-action 'none'")
}

/// Names of the configuration's chains, for the frame: the host page could name them as it likes.
async fn networks(State(state): State<AppState>, _: guard::open::Visitor) -> Response {
    let named = |chain: &config::Chain| {
        let coin = Some(&chain.assets.coin).filter(|coin| coin.decimals == 18).map(|coin| coin.symbol.clone());
        Some(NetworkName { chain: chain.id.to_string(), name: chain.name.clone()?, coin })
    };
    let networks = state.chains().iter().filter_map(|served| named(&served.config())).collect();
    json(StatusCode::OK, portico_json::to_text(&NetworkNames { networks }))
}

/// Headers of every response.
fn hardened(mut response: Response, secure: bool) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(HeaderName::from_static("origin-agent-cluster"), HeaderValue::from_static("?1"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.entry(header::REFERRER_POLICY).or_insert(HeaderValue::from_static("no-referrer"));
    if secure {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    response
}

/// Refuses requests of other origins' pages; those of the frame count as the server's own for the RPC proxy.
async fn own_pages(State(wallet): State<Arc<Wallet>>, mut request: Request, next: Next) -> Response {
    match is_own(request.headers(), &wallet.origin) {
        Some(true) => {
            request.extensions_mut().insert(OwnPage);
        }
        Some(false) => {
            let sentence = "Only the wallet's own pages may send this request";
            return Failure::new(StatusCode::FORBIDDEN, "origin", sentence).into_response();
        }
        None => {}
    }
    next.run(request).await
}

/// Whether a request is from a page of this origin; `None` if it is from no page of a browser, or the browser does not say.
fn is_own(headers: &HeaderMap, origin: &str) -> Option<bool> {
    if let Some(from) = headers.get(header::ORIGIN) {
        return Some(from.as_bytes() == origin.as_bytes());
    }
    headers.get(FETCH_SITE).map(|site| site.as_bytes() == b"same-origin")
}

/// A page that stands alone in its window: no other page may hold a handle on it.
fn alone(mut response: Response) -> Response {
    response.headers_mut().insert(OPENER, HeaderValue::from_static("same-origin"));
    response
}
