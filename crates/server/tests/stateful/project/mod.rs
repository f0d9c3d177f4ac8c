//! Access control: pages, servers and visitors of a project.

mod command_line;
mod told;

use crate::support;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;
use support::node::said;
use support::{Server, Upstream, call, reason, status_and_text, text};

/// Request of a project with these headers.
fn request(project: &str, headers: &[(&str, &str)], body: &Value) -> Request<Body> {
    let mut request = Request::post(format!("/v1?chainId=eip155:31337&projectId={project}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::from(body.to_string())).unwrap()
}

async fn ask(server: &Server, project: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let response = server.send(request(project, headers, &call(1, "eth_chainId"))).await;
    assert_eq!(response.headers()["access-control-allow-origin"], "*", "a page must be able to read the reason");
    let (status, text) = status_and_text(response).await;
    (status.as_u16(), if status.is_success() { text } else { reason(&text).1 })
}

async fn status(server: &Server, project: &str, headers: &[(&str, &str)]) -> u16 {
    ask(server, project, headers).await.0
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> &'a str {
    response.headers()[name].to_str().unwrap()
}

/// Adds a project with the binary and returns its secret.
async fn add(server: &Server, words: &[&str]) -> String {
    let place = ["--config", "portico.toml", "--database", &server.place.database];
    let words: Vec<&str> = ["project"].iter().chain(words).chain(&place).copied().collect();
    let (done, out, error) = said(server.folder.path(), &words).await;
    assert!(done, "{error}");
    let line = out.lines().find(|line| line.trim_start().starts_with("secret")).unwrap();
    line.split_whitespace().last().unwrap().to_owned()
}

#[tokio::test]
async fn spec_8_45_a_new_installation_refuses_every_project_with_the_words_of_widgets() {
    let node = Upstream::echo().await;
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", node.url);
    let server = Server::without_project(&chain).await;
    let unknown = (401, "invalid key: no project has this id".to_owned());
    assert_eq!(ask(&server, "demo", &[]).await, unknown);
    assert_eq!(ask(&server, "demo", &[("origin", "https://shop.example")]).await, unknown);
    server.project(&["add", "--id", "demo", "--any-origin"]).await;
    assert_eq!(status(&server, "demo", &[]).await, 200);
    assert_eq!(node.unread(), 1);
}

#[tokio::test]
async fn the_project_may_stand_in_a_header_and_the_query_goes_before() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let ask = async |query: &str, id: &str| {
        let request = Request::post(format!("/v1?chainId=eip155:31337{query}")).header("x-project-id", id);
        server.send(request.body(Body::from(call(1, "eth_chainId").to_string())).unwrap()).await.status().as_u16()
    };
    assert_eq!(ask("", "demo").await, 200);
    assert_eq!(ask("&projectId=demo", "other").await, 200);
    assert_eq!(ask("&projectId=other", "demo").await, 401);
    assert_eq!(ask("", "not an id").await, 401);
    assert_eq!(ask("", "é").await, 401);
}

#[tokio::test]
async fn spec_8_43_pages_that_are_not_on_the_list_are_refused_by_name() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    server
        .project(&["add", "--id", "shop", "--origin", "https://*.shop.example", "--origin", "http://localhost:*"])
        .await;
    for (name, origin, told) in [
        ("origin", "https://evil.example", "https://evil.example isn't on the project's list"),
        ("origin", "https://shop.example", "https://shop.example isn't on the project's list"),
        ("origin", "http://a.shop.example", "http://a.shop.example isn't on the project's list"),
        ("origin", "null", "add x-project-secret, or send this from a page on the project's list"),
        ("origin", "nonsense", "add x-project-secret, or send this from a page on the project's list"),
        ("referer", "https://evil.example/page?x", "https://evil.example isn't on the project's list"),
        ("sec-fetch-site", "same-origin", "add x-project-secret, or send this from a page on the project's list"),
        ("accept", "*/*", "add x-project-secret, or send this from a page on the project's list"),
    ] {
        assert_eq!(ask(&server, "shop", &[(name, origin)]).await, (403, format!("origin not allowed: {told}")));
    }
    assert_eq!(node.unread(), 0);
    for (name, origin) in [
        ("origin", "https://a.shop.example"),
        ("origin", "http://localhost:5173"),
        // Image requests have no `Origin`, but a `Referer`.
        ("referer", "https://a.b.shop.example/cart"),
    ] {
        assert_eq!(status(&server, "shop", &[(name, origin)]).await, 200, "{origin}");
    }
}

#[tokio::test]
async fn pages_that_the_server_serves_itself_are_always_allowed() {
    let node = Upstream::echo().await;
    let pages = tempfile::tempdir().unwrap();
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", node.url);
    let server = Server::configured(&format!("static_dir = {:?}\n{chain}", pages.path())).await;
    server.project(&["add", "--id", "own"]).await;
    let own = [("host", "wallet.example"), ("origin", "https://wallet.example")];
    assert_eq!(status(&server, "own", &own).await, 200);
    assert_eq!(status(&server, "own", &[("sec-fetch-site", "same-origin")]).await, 200);
    assert_eq!(status(&server, "own", &[("host", "wallet.example"), ("origin", "https://evil.example")]).await, 403);
    assert_eq!(status(&server, "own", &[("sec-fetch-site", "cross-site")]).await, 403);
}

#[tokio::test]
async fn without_a_folder_of_pages_the_page_that_tries_routes_is_allowed_and_no_name_counts_as_the_servers() {
    let node = Upstream::echo().await;
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", node.url);
    let server = Server::configured(&format!("public_url = \"https://portico.example\"\n{chain}")).await;
    server.project(&["add", "--id", "own"]).await;
    for own in [
        [("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8080")],
        [("host", "[::1]:8080"), ("origin", "http://[::1]:8080")],
        [("host", "localhost:8080"), ("origin", "http://localhost:8080")],
        // A browser sends no `Origin` with a GET of the same origin.
        [("host", "127.0.0.1:8080"), ("referer", "http://127.0.0.1:8080/docs")],
        // The proxy in front need not pass the host.
        [("host", "127.0.0.1:8080"), ("origin", "https://portico.example")],
    ] {
        assert_eq!(status(&server, "own", &own).await, 200, "{own:?}");
    }
    for strange in [
        [("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:3000")],
        [("host", "127.0.0.1:8080"), ("origin", "http://localhost:8080")],
        [("host", "evil.example"), ("origin", "http://evil.example")],
        [("host", "127.0.0.1.evil.example"), ("origin", "http://127.0.0.1.evil.example")],
        [("host", "portico.example"), ("origin", "http://portico.example")],
    ] {
        assert_eq!(status(&server, "own", &strange).await, 403, "{strange:?}");
    }
}

#[tokio::test]
async fn a_server_that_knows_the_secret_needs_no_origin_until_the_secret_is_another() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    let secret = add(&server, &["add", "--id", "own"]).await;
    assert_eq!(status(&server, "own", &[("x-project-secret", &secret)]).await, 200);
    for wrong in ["", "x", &secret.to_uppercase()] {
        let told = ask(&server, "own", &[("x-project-secret", wrong)]).await;
        assert_eq!(told, (401, "Wrong project secret".into()), "{wrong}");
    }
    let other = add(&server, &["rotate", "own"]).await;
    pass_time().await;
    assert_eq!(status(&server, "own", &[("x-project-secret", &secret)]).await, 401);
    assert_eq!(status(&server, "own", &[("x-project-secret", &other)]).await, 200);
}

/// Advances the clock until changes are visible.
async fn pass_time() {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(5)).await;
    tokio::time::resume();
}

#[tokio::test]
async fn a_project_is_refused_from_disable_to_enable_without_a_restart() {
    let node = Upstream::echo().await;
    let server = Server::with_upstreams(&[&node.url]).await;
    assert_eq!(status(&server, "demo", &[]).await, 200);
    server.project(&["disable", "demo"]).await;
    pass_time().await;
    assert_eq!(ask(&server, "demo", &[]).await, (401, "invalid key: the project is disabled".into()));
    server.project(&["enable", "demo"]).await;
    pass_time().await;
    assert_eq!(status(&server, "demo", &[]).await, 200);
}

#[tokio::test]
async fn over_its_quota_a_project_is_told_when_to_come_again() {
    let node = Upstream::echo().await;
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", node.url);
    let server = Server::configured(&format!("limits.client_per_second = 0\nlimits.client_part = 1\n{chain}")).await;
    server.project(&["add", "--id", "slow", "--any-origin", "--per-second", "1", "--burst", "3600"]).await;
    server.project(&["add", "--id", "day", "--any-origin", "--per-day", "3"]).await;
    let batch = |calls: usize| Value::from_iter((0..calls).map(|id| call(id, "eth_chainId")));
    // Each call of a batch counts as one request.
    assert_eq!(server.send(request("slow", &[], &batch(1000))).await.status(), 200);
    assert_eq!(server.send(request("day", &[], &batch(3))).await.status(), 200);
    for (body, cost) in [(call(1, "eth_chainId"), 1), (batch(2), 2)] {
        let response = server.send(request("day", &[], &body)).await;
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS, "{cost}");
        let seconds: u32 = header(&response, "retry-after").parse().unwrap();
        assert!((1..=86_400).contains(&seconds));
        assert_eq!(header(&response, "ratelimit-policy"), "\"day\";q=3;w=86400");
        assert_eq!(header(&response, "ratelimit"), format!("\"day\";r=0;t={seconds}"));
        assert_eq!(header(&response, "access-control-allow-origin"), "*");
        let (field, told) = reason(&text(response).await);
        assert_eq!(field, "projectId");
        let wait = told.strip_prefix("This project has used its requests for today. Try again in ").unwrap();
        let unit = match seconds {
            7200.. => " hours.",
            120.. => " minutes.",
            _ => " second",
        };
        assert!(wait.contains(unit), "{wait} for {seconds} seconds");
    }
    for _ in 0..2 {
        assert_eq!(server.send(request("slow", &[], &batch(999))).await.status(), 200);
    }
    let response = server.send(request("slow", &[], &batch(999))).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(header(&response, "ratelimit-policy"), "\"project\";q=3600;w=3600");
}

#[tokio::test]
async fn a_visitors_part_of_a_small_daily_quota_is_there_again_within_a_day() {
    let node = Upstream::echo().await;
    let chain = format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", node.url);
    let server = Server::configured(&chain).await;
    server.project(&["add", "--id", "small", "--any-origin", "--per-day", "5"]).await;
    assert_eq!(status(&server, "small", &[]).await, 200);
    let response = server.send(request("small", &[], &call(1, "eth_chainId"))).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    let seconds: u32 = header(&response, "retry-after").parse().unwrap();
    assert!((1..=86_400).contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn one_visitor_cannot_spend_what_is_for_all() {
    let node = Upstream::echo().await;
    let settings = "trusted_proxies = [\"0.0.0.0\"]\n[limits]\nclient_per_second = 1\nclient_burst = 2\n";
    let server =
        Server::configured(&format!("{settings}[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", node.url))
            .await;
    let secret = add(&server, &["add", "--id", "own", "--any-origin"]).await;
    let of = |address| [("x-forwarded-for", address)];
    for _ in 0..2 {
        assert_eq!(status(&server, "demo", &of("198.51.100.7")).await, 200);
    }
    let (refused, told) = ask(&server, "demo", &of("198.51.100.7")).await;
    assert_eq!(
        (refused, told.starts_with("Too many requests at once from here. Try again in ")),
        (429, true),
        "{told}"
    );
    // Other visitors, the same visitor in another project, and the host's own server are not affected.
    assert_eq!(status(&server, "demo", &of("198.51.100.8")).await, 200);
    assert_eq!(status(&server, "own", &of("198.51.100.7")).await, 200);
    for _ in 0..5 {
        assert_eq!(
            status(&server, "own", &[("x-forwarded-for", "198.51.100.7"), ("x-project-secret", &secret)]).await,
            200
        );
    }
}

#[tokio::test]
async fn a_project_may_be_kept_to_methods_and_chains() {
    let node = Upstream::echo().await;
    let chain = |id: &str| format!("[[chains]]\nid = \"eip155:{id}\"\nupstreams = [{:?}]\n", node.url);
    let server = Server::configured(&(chain("31337") + &chain("1"))).await;
    server.project(&["add", "--id", "few", "--any-origin", "--method", "eth_get*", "--chain", "eip155:31337"]).await;
    let body = json!([call(1, "eth_getBalance"), call(2, "eth_call"), call(3, "evm_mine")]);
    let (found, answer) = status_and_text(server.send(request("few", &[], &body)).await).await;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((found.as_u16(), &answer[0]["result"]), (200, &json!("eth_getBalance")));
    for (place, method, whom) in [(1, "eth_call", "for this project"), (2, "evm_mine", "on this server")] {
        let message = format!("The method {method} isn't allowed {whom}");
        assert_eq!(answer[place]["error"], json!({"code": -32601, "message": message}));
    }
    let path = "/v1?chainId=eip155:1&projectId=few";
    let (found, answer) = status_and_text(server.post(path, call(1, "eth_getBalance").to_string()).await).await;
    let told = ("chainId".into(), "The chain eip155:1 isn't allowed for this project".into());
    assert_eq!((found.as_u16(), reason(&answer)), (400, told));
    let config = async |project: &str, origin: &str| {
        let asked = Request::get(format!("/v1/project/{project}/config")).header("origin", origin);
        let (found, text) = status_and_text(server.send(asked.body(Body::empty()).unwrap()).await).await;
        (found.as_u16(), serde_json::from_str::<Value>(&text).unwrap())
    };
    let (found, few) = config("few", "https://a.example").await;
    assert_eq!((found, &few["chains"], &few["originAllowed"]), (200, &json!(["eip155:31337"]), &json!(true)));
    server.project(&["add", "--id", "own"]).await;
    let (found, own) = config("own", "https://a.example").await;
    assert_eq!((found, &own["id"], &own["originAllowed"]), (200, &json!("own"), &json!(false)));
    assert_eq!(own["chains"], json!(["eip155:31337", "eip155:1"]));
    for project in ["nobody", "not%20an%20id"] {
        assert_eq!(config(project, "https://a.example").await.0, 401);
    }
}
