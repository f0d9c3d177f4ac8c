//! Page at `/` for the first look at a server that runs without a configuration file: its state, and the code for a page.
//!
//! Only a browser on the same machine gets it, and only at a name of that machine: a page of another site that resolves to this machine
//! (DNS rebinding) is answered as without it.

use crate::AppState;
use crate::guard::client::Peer;
use crate::html::{Html, STYLE, file};
use crate::project::snippet::{INSTALL, WHERE_FROM, snippet};
use crate::project::{Entry, table};
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;

const STYLE_PATH: &str = "/welcome/page.css";
const SCRIPT_PATH: &str = "/welcome/page.js";

/// Number of projects of which one is shown.
const MOST_PROJECTS: usize = 20;

/// Answers the paths of the page; everything else is passed on.
pub(crate) async fn answer(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    // The relay's WebSocket is at `/` too.
    let upgrades = request.headers().contains_key(header::UPGRADE);
    let Some(host) = own_host(&request).filter(|_| reads && !upgrades) else { return next.run(request).await };
    match request.uri().path() {
        "/" => page(&state, &format!("http://{host}")).await,
        STYLE_PATH => file("text/css; charset=utf-8", STYLE),
        SCRIPT_PATH => file("text/javascript; charset=utf-8", include_str!("page.js")),
        _ => next.run(request).await,
    }
}

/// Host of a request that comes directly from this machine and names it.
fn own_host(request: &Request) -> Option<Authority> {
    let Peer(peer) = request.extensions().get::<Peer>()?;
    let forwarded = |headers: &HeaderMap| headers.contains_key("x-forwarded-for") || headers.contains_key("forwarded");
    if !peer.to_canonical().is_loopback() || forwarded(request.headers()) {
        return None;
    }
    let host: Authority = request.headers().get(header::HOST)?.to_str().ok()?.parse().ok()?;
    let name = host.host().trim_start_matches('[').trim_end_matches(']');
    let is_own = name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    // Without the name of a user before it, which the code of the page would contain.
    (is_own && !host.as_str().contains('@')).then_some(host)
}

async fn page(state: &AppState, server: &str) -> Response {
    let project = match project(state).await {
        Ok(project) => project,
        Err(error) => return crate::Failure::database(&error).into_response(),
    };
    let mut html = Html::page("Portico is running", STYLE_PATH);
    html.raw(
        "<script src=\"/welcome/page.js\" defer></script>\n</head>\n<body>\n<main>\n<h1>Portico is running</h1>\n",
    );
    html.raw("<p>There is no portico.toml, so built-in settings apply. Only this machine can connect and see this page.</p>\n");
    if let Some(project) = &project {
        code(&mut html, project, server);
    }
    status(&mut html, state, project.as_ref());
    html.raw(
        "<h2>Next</h2>\n<ol class=\"card\">\n\
         <li><code>portico init</code> writes a portico.toml. Then start this server again.</li>\n\
         <li><code>portico project add Shop --origin https://shop.example</code> lets your site use the server.</li>\n\
         <li><code>portico doctor</code> checks everything that the server needs.</li>\n\
         <li><code>portico admin link</code> opens the admin page, with use, nodes and errors.</li>\n</ol>\n\
         <h2>Read more</h2>\n<ul class=\"card\">\n\
         <li><a href=\"/docs\">API of this server</a>, also as <a href=\"/openapi.json\">openapi.json</a></li>\n\
         <li><a href=\"/health\">Health</a></li>\n\
         <li>Guides for hosts and operators are in the folder docs of the source code.</li>\n</ul>\n\
         </main>\n</body>\n</html>\n",
    );
    html.into_response("script-src 'self'; form-action 'none'")
}

/// The oldest project that can be used.
async fn project(state: &AppState) -> Result<Option<Entry>, sqlx::Error> {
    let (entries, _) = table::oldest(state.database(), MOST_PROJECTS).await?;
    Ok(entries.into_iter().find(|entry| entry.disabled_at.is_none()))
}

fn code(html: &mut Html, project: &Entry, server: &str) {
    html.raw("<h2>Install the widget</h2>\n<p>").text(WHERE_FROM).raw("</p>\n<div class=\"card\"><pre>").text(INSTALL);
    html.raw("</pre></div>\n<h2>Paste this in your page</h2>\n<div class=\"card snippet\">\n<div class=\"copying\">");
    html.raw(
        "<span id=\"said\" role=\"status\"></span><button type=\"button\" id=\"copy\" hidden>Copy</button></div>\n",
    );
    html.raw("<pre id=\"code\">").text(snippet(project.id.as_str(), server)).raw("</pre>\n</div>\n");
}

fn status(html: &mut Html, state: &AppState, project: Option<&Entry>) {
    html.raw("<h2>Status</h2>\n<dl class=\"card\">\n<dt>Project id</dt><dd>");
    match project {
        Some(project) => {
            let origins: Vec<String> = project.origins.iter().map(ToString::to_string).collect();
            html.raw("<code>").text(project.id.as_str()).raw("</code>\n<small>Works on pages of ");
            html.text(if origins.is_empty() { "this server".into() } else { origins.join(", ") }).raw("</small>");
        }
        None => {
            html.raw("None yet. Add one: <code>portico project add Shop --origin https://shop.example</code>");
        }
    }
    html.raw("</dd>\n<dt>Networks</dt><dd>");
    let chains = state.chains();
    if chains.is_empty() {
        html.raw(
            "None yet. Public nodes are off, because their operators see which accounts are asked for.\n\
             <small>Turn them on: <code>portico serve --public-nodes</code></small>",
        );
    } else {
        let names: Vec<String> = chains.iter().map(|chain| chain.config().title()).collect();
        html.text(names.join(", "));
    }
    html.raw("</dd>\n<dt>Relay</dt><dd>");
    match state.relay() {
        Some(_) => html.raw("On, for wallets on other devices, at <code>/relay</code>"),
        None => html.raw(
            "Off. Wallets on other devices need it.\n\
             <small>Turn it on: <code>PORTICO__RELAY__ENABLED=true portico serve</code></small>",
        ),
    };
    html.raw("</dd>\n<dt>Database</dt><dd class=\"good\">Works</dd>\n</dl>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn host(peer: Option<&str>, headers: &[(&str, &str)]) -> Option<String> {
        let mut request = Request::builder().uri("/");
        if let Some(peer) = peer {
            request = request.extension(Peer(peer.parse().unwrap()));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        own_host(&request.body(Body::empty()).unwrap()).map(|host| host.to_string())
    }

    #[test]
    fn a_browser_on_this_machine_gets_the_page_at_a_name_of_this_machine() {
        for name in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "localhost", "127.0.0.2"] {
            for peer in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
                assert_eq!(host(Some(peer), &[("host", name)]).as_deref(), Some(name), "{peer}");
            }
        }
    }

    #[test]
    fn nobody_else_gets_it() {
        assert_eq!(host(None, &[("host", "localhost")]), None);
        assert_eq!(host(Some("192.0.2.7"), &[("host", "localhost")]), None);
        assert_eq!(host(Some("127.0.0.1"), &[]), None);
        for name in ["rebound.example", "localhost.example", "192.0.2.7", "127.0.0.1.example", "a@localhost", "a b", ""]
        {
            assert_eq!(host(Some("127.0.0.1"), &[("host", name)]), None, "{name}");
        }
        for header in ["x-forwarded-for", "forwarded"] {
            assert_eq!(host(Some("127.0.0.1"), &[("host", "localhost"), (header, "for=192.0.2.7")]), None);
        }
    }
}
