//! Page at `/` for the first look at a server that runs without a configuration file: its state, and the code for a page.
//!
//! Only a browser on the same machine gets it, and only at a name of that machine: a page of another site that resolves to this machine
//! (DNS rebinding) is answered as without it.

use crate::AppState;
use crate::config::Commands;
use crate::guard::client::Peer;
use crate::html::{Html, STYLE, file};
use crate::project::snippet::{INSTALL, Offered, On, PACK, THEN_INSTALL, WHERE_FROM, relay_url, snippet};
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

const ADD_PROJECT: &str = "project add Shop --origin https://shop.example";

/// Next steps, each with its command.
fn steps(commands: &Commands) -> Vec<(&'static str, String)> {
    let mut steps = vec![
        ("Write a portico.toml, then start this server again. Then this page is off", commands.init()),
        ("Let your site use this server", commands.on_database(ADD_PROJECT)),
        ("Check everything the server needs", commands.on_database("doctor")),
    ];
    if commands.admin() {
        steps.push(("Open the admin page to see traffic, networks and errors", commands.on_database("admin link")));
    }
    steps
}

/// Answers the paths of the page; everything else is passed on.
pub(crate) async fn answer(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    // The relay's WebSocket is at `/` too.
    let upgrades = request.headers().contains_key(header::UPGRADE);
    let Some(host) = own_host(&request).filter(|_| reads && !upgrades) else { return next.run(request).await };
    match request.uri().path() {
        "/" => match state.welcome() {
            Some(commands) => page(&state, commands, &format!("http://{host}")).await,
            None => next.run(request).await,
        },
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

async fn page(state: &AppState, commands: &Commands, server: &str) -> Response {
    let project = match project(state).await {
        Ok(project) => project,
        Err(error) => return crate::Failure::database(&error).into_response(),
    };
    let mut html = Html::page("Portico is running", STYLE_PATH);
    html.raw(
        "<script src=\"/welcome/page.js\" defer></script>\n</head>\n<body>\n<main>\n<h1>Portico is running</h1>\n",
    );
    html.raw(
        "<p>There is no portico.toml here, so the server uses built-in settings. Only this machine can reach it.</p>\n",
    );
    if let Some(project) = &project {
        let on = On {
            chains: state.chains().iter().map(|chain| Offered::from(chain.config().as_ref())).collect(),
            relay: state.relay().map(|_| relay_url(server)),
            // Without a file, its settings are environment variables.
            wallet: state.wallet_origin().map(str::to_owned),
        };
        code(&mut html, project, server, &on);
    }
    html.raw("<h2>Commands</h2>\n<p>Run the commands of this page in the server's folder:</p>\n<div class=\"card\">");
    block(&mut html, &commands.folder()).raw("</div>\n<p>Stop the server with Ctrl-C before you start it again.");
    if !commands.left_out().is_empty() {
        html.raw(" The commands leave out settings that may be secret. Add these yourself: ");
        html.raw("<code>").text(commands.left_out().join(", ")).raw("</code>.");
    }
    html.raw("</p>\n");
    status(&mut html, state, commands, project.as_ref());
    html.raw("<h2>Next</h2>\n<ol class=\"card\">\n");
    for (deed, command) in steps(commands) {
        html.raw("<li>").raw(deed).raw(":");
        block(&mut html, &command).raw("</li>\n");
    }
    html.raw("</ol>\n<h2>Read more</h2>\n<ul class=\"card\">\n<li><a href=\"/docs");
    if let Some(project) = &project {
        html.raw("?projectId=").text(project.id.as_str());
    }
    html.raw(
        "\">API reference</a>, also as <a href=\"/openapi.json\">openapi.json</a></li>\n\
         <li><a href=\"/health\">Health of this server</a></li>\n\
         <li>Guides for sites and operators: the folder <code>docs</code> of the release package or the source code</li>\n</ul>\n\
         </main>\n</body>\n</html>\n",
    );
    html.into_response("script-src 'self'; form-action 'none'")
}

/// The oldest project that can be used.
async fn project(state: &AppState) -> Result<Option<Entry>, sqlx::Error> {
    let (entries, _) = table::oldest(state.database(), MOST_PROJECTS).await?;
    Ok(entries.into_iter().find(|entry| entry.disabled_at.is_none()))
}

/// Commands or code, of which no line breaks inside a word: a long one scrolls.
fn block<'a>(html: &'a mut Html, text: &str) -> &'a mut Html {
    html.raw("<pre tabindex=\"0\">").text(text).raw("</pre>")
}

fn code(html: &mut Html, project: &Entry, server: &str, on: &On) {
    html.raw("<h2>Install the widget</h2>\n<p>").text(WHERE_FROM).raw("</p>\n<div class=\"card\">");
    block(html, PACK).raw("</div>\n<p>").text(THEN_INSTALL).raw("</p>\n<div class=\"card\">");
    block(html, INSTALL).raw("</div>\n<h2>Paste this into your page</h2>\n<div class=\"card\">\n");
    html.raw("<pre tabindex=\"0\">").text(snippet(project.id.as_str(), server, on)).raw("</pre>\n</div>\n");
}

fn status(html: &mut Html, state: &AppState, commands: &Commands, project: Option<&Entry>) {
    html.raw("<h2>Status</h2>\n<dl class=\"card\">\n<dt>Project id</dt><dd>");
    match project {
        Some(project) => {
            let origins: Vec<String> = project.origins.iter().map(ToString::to_string).collect();
            html.raw("<code>").text(project.id.as_str()).raw("</code>\n<small>Works on ");
            html.text(if origins.is_empty() { "this server".into() } else { origins.join(", ") }).raw("</small>");
        }
        None => {
            html.raw("None yet. Add one:");
            block(html, &commands.on_database(ADD_PROJECT));
        }
    }
    html.raw("</dd>\n<dt>Networks</dt><dd>");
    let chains = state.chains();
    if chains.is_empty() {
        html.raw(
            "None yet, so visitors' browsers ask public nodes themselves, and those see the accounts and the visitors' IP addresses.\n\
             <small>To ask them through this server:</small>",
        );
        block(html, &commands.serve(true, false));
    } else {
        let names: Vec<String> = chains.iter().map(|chain| chain.config().title()).collect();
        html.text(names.join(", "));
    }
    html.raw("</dd>\n<dt>Relay</dt><dd>");
    match state.relay() {
        Some(_) => html.raw("On, at <code>/relay</code>. It reaches only wallets that let you choose the relay, not phone wallets from app stores."),
        None => {
            html.raw("Off. It reaches only wallets that let you choose the relay, not phone wallets from app stores.\n<small>To turn it on:</small>");
            block(html, &commands.serve(false, true))
        }
    };
    if let Some(origin) = state.wallet_origin() {
        html.raw("</dd>\n<dt>Embedded wallet</dt><dd>On, at <code>").text(origin).raw("</code>");
    }
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
