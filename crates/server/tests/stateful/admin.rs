//! The admin page: who gets in, and for how long.

use crate::support;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, Response, StatusCode};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusRecorder};
use portico_server::Events;
use std::net::SocketAddr;
use support::node::said;
use support::{Server, text, within};
use tower::ServiceExt;

const NEAR: &str = "127.0.0.1:5000";
const FAR: &str = "192.0.2.7:5000";

pub struct Admin {
    pub server: Server,
    router: Router,
    pub events: Events,
}

/// Records metrics of this test alone.
pub fn recorder() -> PrometheusRecorder {
    PrometheusBuilder::new().build_recorder()
}

impl Admin {
    pub async fn of(server: Server, recorder: &PrometheusRecorder) -> Admin {
        let events = Events::default();
        let router = portico_server::admin_router(server.state.clone(), recorder.handle(), events.clone());
        Admin { server, router, events }
    }

    pub async fn with(toml: &str) -> Admin {
        Admin::of(Server::configured(toml).await, &recorder()).await
    }

    pub async fn send(&self, from: Option<&str>, mut request: Request<Body>) -> Response<Body> {
        if let Some(from) = from {
            request.extensions_mut().insert(ConnectInfo(from.parse::<SocketAddr>().unwrap()));
        }
        within("an answer", self.router.clone().oneshot(request)).await.unwrap()
    }

    pub async fn get(&self, path: &str, cookie: Option<&str>) -> Response<Body> {
        let mut request = Request::get(path);
        if let Some(cookie) = cookie {
            request = request.header("cookie", cookie);
        }
        self.send(Some(NEAR), request.body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, path: &str, cookie: &str, body: &str) -> Response<Body> {
        let request = Request::post(path).header("cookie", cookie).body(Body::from(body.to_owned())).unwrap();
        self.send(Some(NEAR), request).await
    }

    /// Key of a link that the command prints.
    pub async fn link(&self) -> String {
        std::fs::write(self.server.folder.path().join("admin.toml"), "admin_listen = \"127.0.0.1:9464\"\n").unwrap();
        let words = ["admin", "link", "--config", "admin.toml", "--database", &self.server.place.database];
        let (done, out, error) = said(self.server.folder.path(), &words).await;
        assert!(done, "{error}");
        // A script can pass stdout to a browser.
        let url = out.strip_suffix('\n').unwrap();
        assert!(error.starts_with("Open it within 10 minutes. It works once.\n"), "{error}");
        url.strip_prefix("http://127.0.0.1:9464/admin/enter?key=").unwrap().to_owned()
    }

    pub async fn enter(&self, key: &str) -> Response<Body> {
        self.post("/admin/enter", "", &format!("key={key}")).await
    }

    /// Signs in, and returns the cookie.
    pub async fn signed_in(&self) -> String {
        cookie(&self.enter(&self.link().await).await)
    }

    pub async fn status(&self, cookie: &str) -> StatusCode {
        self.get("/admin", Some(cookie)).await.status()
    }

    pub async fn page(&self) -> String {
        let cookie = self.signed_in().await;
        text(self.get("/admin", Some(&cookie)).await).await
    }
}

/// Name and value of the cookie that a response sets.
fn cookie(response: &Response<Body>) -> String {
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    cookie.split_once(';').unwrap().0.to_owned()
}

#[tokio::test]
async fn a_link_opens_one_session_and_a_program_that_fetches_it_does_not_use_it_up() {
    let admin = Admin::with("").await;
    let key = admin.link().await;
    for _ in 0..2 {
        let response = admin.get(&format!("/admin/enter?key={key}"), None).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert!(!response.headers().contains_key("set-cookie"));
        assert!(text(response).await.contains(&format!("<input type=\"hidden\" name=\"key\" value=\"{key}\">")));
    }
    let (one, other) = tokio::join!(admin.enter(&key), admin.enter(&key));
    let mut statuses = [one.status().as_u16(), other.status().as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 401]);
    let entered = if one.status() == StatusCode::SEE_OTHER { one } else { other };
    assert_eq!(entered.headers()["location"], "/admin");
    let attributes = entered.headers()["set-cookie"].to_str().unwrap().split_once("; ").unwrap().1;
    assert_eq!(attributes, "Path=/admin; Max-Age=3600; HttpOnly; SameSite=Strict");
    assert_eq!(admin.status(&cookie(&entered)).await, StatusCode::OK);
    let again = admin.enter(&key).await;
    assert_eq!(again.status(), StatusCode::UNAUTHORIZED);
    assert!(!again.headers().contains_key("set-cookie"));
    assert!(text(again).await.contains("portico admin link"));
    // The used link says so at once, and takes whoever is signed in to the page.
    let path = format!("/admin/enter?key={key}");
    let used = admin.get(&path, None).await;
    assert_eq!(used.status(), StatusCode::UNAUTHORIZED);
    let used = text(used).await;
    assert!(used.contains("This link was used or has expired") && !used.contains("<button"), "{used}");
    let back = admin.get(&path, Some(&cookie(&entered))).await;
    assert_eq!((back.status(), &back.headers()["location"]), (StatusCode::SEE_OTHER, &"/admin".parse().unwrap()));
}

#[tokio::test]
async fn a_database_that_is_gone_is_told_by_a_page_with_what_to_do() {
    let admin = Admin::with("").await;
    let (session, link) = (admin.signed_in().await, format!("/admin/enter?key={}", admin.link().await));
    admin.server.database.close().await;
    let key = link.split_once('?').unwrap().1;
    for response in [
        admin.get("/admin", Some(&session)).await,
        admin.get(&link, None).await,
        admin.post("/admin/enter", "", key).await,
        admin.post("/admin/leave", &session, "").await,
    ] {
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
        let page = text(response).await;
        for piece in [
            "<link rel=\"stylesheet\" href=\"/admin/page.css\">",
            "<h1>The server can't reach its database</h1>",
            "Check that the database is running, then reload this page.",
            "<pre>portico doctor</pre>",
        ] {
            assert!(page.contains(piece), "{piece} is not in {page}");
        }
    }
}

#[tokio::test]
async fn nobody_gets_in_without_the_cookie_of_a_session() {
    let admin = Admin::with("").await;
    let link = admin.link().await;
    let right = admin.signed_in().await;
    let (name, session) = right.split_once('=').unwrap();
    let (id, secret) = session.split_once('-').unwrap();
    let other = secret.chars().rev().collect::<String>();
    for wrong in [
        String::new(),
        format!("{name}="),
        format!("{name}={link}"),
        format!("{name}={id}-{other}"),
        format!("{name}={id}-{}", &secret[..63]),
        format!("other={session}"),
        session.to_owned(),
    ] {
        let response = admin.get("/admin", Some(&wrong)).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{wrong}");
        let body = text(response).await;
        assert!(body.contains("portico admin link") && !body.contains("demo"), "{body}");
    }
    for body in [String::new(), format!("key={id}-{secret}"), format!("key={id}-{other}"), "key=".repeat(200)] {
        assert_eq!(admin.post("/admin/enter", "", &body).await.status(), StatusCode::UNAUTHORIZED, "{body}");
    }
    assert_eq!(admin.post("/admin/enter", "", &"k".repeat(2000)).await.status(), StatusCode::PAYLOAD_TOO_LARGE);
    for query in ["", "?key=", "?key=x", "?other=1"] {
        assert_eq!(
            admin.get(&format!("/admin/enter{query}"), None).await.status(),
            StatusCode::UNAUTHORIZED,
            "{query}"
        );
    }
    // A browser sends other cookies of the host in the same line.
    assert_eq!(admin.status(&format!("a=b; {right}; c=d")).await, StatusCode::OK);
}

#[tokio::test]
async fn a_link_and_a_session_end() {
    let admin = Admin::with("").await;
    let (link, session) = (admin.link().await, admin.signed_in().await);
    assert_eq!(admin.status(&session).await, StatusCode::OK);
    // Ends at this moment.
    admin.server.place.tamper("update admin_key set ends_at = 1").await;
    assert_eq!(admin.status(&session).await, StatusCode::UNAUTHORIZED);
    assert_eq!(admin.enter(&link).await.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn signing_out_ends_the_session_and_removes_its_cookie() {
    let admin = Admin::with("").await;
    let session = admin.signed_in().await;
    let left = admin.post("/admin/leave", &session, "").await;
    assert_eq!((left.status(), &left.headers()["location"]), (StatusCode::SEE_OTHER, &"/admin".parse().unwrap()));
    assert!(left.headers()["set-cookie"].to_str().unwrap().contains("portico_admin=; Path=/admin; Max-Age=0; "));
    assert_eq!(admin.status(&session).await, StatusCode::UNAUTHORIZED);
    assert_eq!(admin.post("/admin/leave", "", "").await.status(), StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn only_this_machine_and_the_configured_networks_reach_the_page() {
    let closed = Admin::with("").await;
    let open = Admin::with("admin_from = [\"192.0.2.0/24\"]\n").await;
    for path in ["/", "/admin", "/admin/enter", "/admin/page.css"] {
        let status = async |admin: &Admin, from| {
            admin.send(from, Request::get(path).body(Body::empty()).unwrap()).await.status()
        };
        for from in [Some(FAR), Some("[2001:db8::1]:5000"), Some("[::ffff:192.0.2.7]:5000"), None] {
            assert_eq!(status(&closed, from).await, StatusCode::NOT_FOUND, "{path} {from:?}");
        }
        for from in [NEAR, "[::1]:5000", "[::ffff:127.0.0.1]:5000"] {
            assert_ne!(status(&closed, Some(from)).await, StatusCode::NOT_FOUND, "{path} {from}");
        }
        for from in [FAR, "[::ffff:192.0.2.7]:5000"] {
            assert_ne!(status(&open, Some(from)).await, StatusCode::NOT_FOUND, "{path} {from}");
        }
        assert_eq!(status(&open, Some("198.51.100.7:5000")).await, StatusCode::NOT_FOUND, "{path}");
    }
    for path in ["/metrics", "/health"] {
        let request = Request::get(path).body(Body::empty()).unwrap();
        assert_eq!(closed.send(Some(FAR), request).await.status(), StatusCode::OK, "{path}");
    }
    // Visitors have no way to it at all.
    assert_eq!(closed.server.get("/admin").await.status(), StatusCode::NOT_FOUND);
}
