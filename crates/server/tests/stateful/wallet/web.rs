//! The wallet's listener: what browsers reach, and what they do not.

use crate::support;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use support::device::Device;
use support::wallet::{HOST, ORIGIN, Web};
use support::{status_and_text, text};

const EMAIL: &str = "ada@example.org";

fn login(email: &str, host: &str) -> Value {
    json!({"email": email, "project": "demo", "host": host, "language": "en"})
}

async fn post(web: &Web, body: &str) -> (StatusCode, String) {
    status_and_text(web.send(Request::post("/approve").body(Body::from(body.to_owned())).unwrap()).await).await
}

#[tokio::test]
async fn a_login_passes_through_the_listener_and_a_link_that_a_program_fetches_approves_nothing() {
    let web = Web::new().await;
    let mut device = Device::new();
    let (status, started) = web.ask(&device, "/wallet/v1/login/email", &login(EMAIL, HOST)).await;
    assert_eq!(status, StatusCode::OK, "{started}");
    let started: Value = serde_json::from_str(&started).unwrap();
    let token = web.safe.link().await;
    for _ in 0..3 {
        let response = web.get(&format!("/approve?t={token}")).await;
        assert_eq!(response.status(), StatusCode::OK);
        let policy = response.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(response.headers()["referrer-policy"], "no-referrer");
        assert_eq!(response.headers()["cross-origin-opener-policy"], "same-origin");
        let page = text(response).await;
        assert!(page.contains(started["number"].as_str().unwrap()) && page.contains(HOST), "{page}");
        let head = web.send(Request::head(format!("/approve?t={token}")).body(Body::empty()).unwrap()).await;
        assert_eq!(head.status(), StatusCode::OK);
    }
    assert_eq!(web.safe.mails().await.len(), 1, "no code was sent");
    for wrong in
        ["", "t=", "t=x&decision=approve", "decision=approve", &format!("t={}&decision=approve", "A".repeat(43))]
    {
        assert_eq!(post(&web, wrong).await.0, StatusCode::GONE, "{wrong}");
    }
    let (status, page) = post(&web, &format!("t={token}&decision=approve")).await;
    assert_eq!(status, StatusCode::OK);
    let next = "Go back to the page where you are logging in, and enter the code we just emailed you.";
    for piece in ["Login approved", next, started["number"].as_str().unwrap(), HOST, "Unknown browser"] {
        assert!(page.contains(piece), "{piece} is not in {page}");
    }
    assert!(text(web.get(&format!("/approve?t={token}")).await).await.contains("This link was already used"));
    assert_eq!(post(&web, &format!("t={token}&decision=decline")).await.0, StatusCode::CONFLICT);
    let body =
        json!({"transaction": started["transaction"], "code": web.safe.code().await, "key": device.worker_key()});
    let (status, entered) = web.ask(&device, "/wallet/v1/login/code", &body).await;
    assert_eq!(status, StatusCode::OK, "{entered}");
    let entered: Value = serde_json::from_str(&entered).unwrap();
    device.access = Some(entered["session"]["access"].as_str().unwrap().into());
    assert_eq!(web.ask(&device, "/wallet/v1/me", &json!({})).await.0, StatusCode::OK);
}

#[tokio::test]
async fn the_pages_of_links_are_in_the_language_of_their_mail() {
    const ARABIC: &str = "<html lang=\"ar\" dir=\"rtl\">";
    let web = Web::new().await;
    let mut device = Device::new();
    web.safe.log_in(&mut device, "grace@example.org").await;
    let body = json!({"email": EMAIL, "project": "demo", "host": HOST, "language": "ar-EG"});
    assert_eq!(web.ask(&Device::new(), "/wallet/v1/login/email", &body).await.0, StatusCode::OK);
    let token = web.safe.link().await;
    let page = text(web.get(&format!("/approve?t={token}")).await).await;
    assert!(page.contains(ARABIC) && page.contains(&format!("<dt>الموقع</dt><dd><bdi>{HOST}</bdi></dd>")), "{page}");
    let (_, decided) = post(&web, &format!("t={token}&decision=decline")).await;
    assert!(decided.contains(ARABIC) && decided.contains("رُفض تسجيل الدخول"), "{decided}");
    for (deed, title) in
        [("export", "هل تريد إظهار عبارة الاسترداد والمفاتيح؟"), ("change", "هل تريد تغيير حماية محفظتك؟")]
    {
        let body = json!({"deed": deed, "language": "ar", "mail": true});
        let (status, told) = web.ask(&device, "/wallet/v1/confirm", &body).await;
        assert_eq!(status, StatusCode::OK, "{told}");
        let mail = web.safe.mails().await[0]["text"].as_str().unwrap().to_owned();
        let (_, after) = mail.split_once("/confirm?t=").unwrap();
        let page = text(web.get(&format!("/confirm?t={}", after.lines().next().unwrap())).await).await;
        assert!(page.contains(ARABIC) && page.contains(title) && page.contains("action=\"/confirm\""), "{page}");
        web.safe.clock.pass(31_000);
    }
    // Without a mail the browser's language counts.
    for path in ["/approve?t=x", "/confirm?t=x", "/wallet/callback/google?state=x"] {
        for (accepted, found) in [("ar, en;q=0.5", true), ("de", false)] {
            let request = Request::get(path).header("accept-language", accepted).body(Body::empty()).unwrap();
            let (status, page) = status_and_text(web.send(request).await).await;
            assert_eq!((status, page.contains(ARABIC)), (StatusCode::GONE, found), "{page}");
        }
    }
}

#[tokio::test]
async fn the_link_in_the_mail_to_the_old_address_shows_who_changed_it_and_cancels_it_once() {
    let web = Web::new().await;
    let mut device = Device::new();
    web.safe.log_in(&mut device, EMAIL).await;
    web.safe.clock.pass(31_000);
    web.ask(&device, "/wallet/v1/email/update", &json!({"email": "new@example.org"})).await;
    web.ask(&device, "/wallet/v1/email/primary", &json!({"code": web.safe.code().await})).await;
    let (status, told) = web.ask(&device, "/wallet/v1/email/secondary", &json!({"code": web.safe.code().await})).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    let mail = web.safe.mails().await[0]["text"].as_str().unwrap().to_owned();
    assert!(mail.contains("The link works for 24 hours."), "{mail}");
    let token = mail.split_once("/cancel?t=").unwrap().1.lines().next().unwrap();
    let path = format!("/cancel?t={token}");
    let page = text(web.get(&path).await).await;
    for piece in ["Cancel the change of your email?", HOST, "action=\"/cancel\"", "Keep the new email"] {
        assert!(page.contains(piece), "{piece} is not in {page}");
    }
    assert!(!page.contains("class=\"match\""), "{page}");
    let post = async |decision: &str| {
        let body = Body::from(format!("t={token}&decision={decision}"));
        status_and_text(web.send(Request::post("/cancel").body(body).unwrap()).await).await
    };
    let (status, kept) = post("decline").await;
    assert!(status == StatusCode::OK && kept.contains("Nothing changed"), "{kept}");
    let (status, cancelled) = post("approve").await;
    assert!(status == StatusCode::OK && cancelled.contains("Change canceled"), "{cancelled}");
    let (status, used) = post("approve").await;
    assert!(
        status == StatusCode::GONE && used.contains("This link was used already, or is older than 24 hours."),
        "{used}"
    );
    assert_eq!(web.ask(&device, "/wallet/v1/me", &json!({})).await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn mails_about_the_settings_are_in_the_language_of_the_browser() {
    let web = Web::new().await;
    let mut device = Device::new();
    web.safe.log_in(&mut device, EMAIL).await;
    for (language, subject) in
        [("ar-EG,en;q=0.5", "رمز تغيير بريدك الإلكتروني"), ("de", "Your code to change your email")]
    {
        web.safe.clock.pass(31_000);
        let body = json!({"email": "new@example.org"});
        let (status, told) = web.ask_in(language, &device, "/wallet/v1/email/update", &body).await;
        assert_eq!(status, StatusCode::OK, "{told}");
        assert_eq!(web.safe.mails().await[0]["subject"], subject);
    }
}

#[tokio::test]
async fn a_login_begins_on_pages_of_its_project_alone() {
    let web = Web::new().await;
    web.safe.server.project(&["add", "--id", "shop", "--origin", HOST]).await;
    let device = Device::new();
    let body = |project: &str, host: &str| json!({"email": EMAIL, "project": project, "host": host, "language": "en"});
    for (project, host, status) in [
        ("shop", "https://evil.example", StatusCode::FORBIDDEN),
        ("shop", "https://shop.example/", StatusCode::FORBIDDEN),
        ("shop", "null", StatusCode::FORBIDDEN),
        ("other", HOST, StatusCode::UNAUTHORIZED),
        ("", HOST, StatusCode::UNAUTHORIZED),
        ("shop", HOST, StatusCode::OK),
    ] {
        let answer = web.ask(&device, "/wallet/v1/login/email", &body(project, host)).await;
        assert_eq!(answer.0, status, "{project} {host} {}", answer.1);
    }
}

#[tokio::test]
async fn other_pages_and_larger_bodies_are_refused_and_the_vaults_own_paths_are_not_there() {
    let web = Web::new().await;
    for (name, value) in [("origin", "https://evil.example"), ("origin", "null"), ("sec-fetch-site", "cross-site")] {
        let request = Request::post("/wallet/v1/me").header(name, value).body(Body::from("{}")).unwrap();
        assert_eq!(web.send(request).await.status(), StatusCode::FORBIDDEN, "{value}");
    }
    let large = Request::post("/wallet/v1/me").body(Body::from("a".repeat(64 * 1024 + 1))).unwrap();
    assert_eq!(web.send(large).await.status(), StatusCode::PAYLOAD_TOO_LARGE);
    for path in ["/approval", "/wallet/v1/approval", "/wallet/v1/approve", "/wallet/v1/outbox", "/v1"] {
        let request = Request::post(path).body(Body::from("{}")).unwrap();
        assert_eq!(web.send(request).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let get = web.get("/wallet/v1/me").await;
    assert_eq!(get.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_vault_that_is_away_is_told_as_that() {
    let web = Web::new().await;
    web.without_vault().await;
    let (status, told) = web.ask(&Device::new(), "/wallet/v1/me", &json!({})).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(told.contains("Your wallet isn't available right now"), "{told}");
    assert_eq!(web.get("/approve?t=x").await.status(), StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn the_frame_reads_the_names_that_the_configuration_gives_to_chains() {
    let web = Web::new().await;
    let response = web.get("/networks.json").await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(response.headers().get("access-control-allow-origin").is_none());
    let told: Value = serde_json::from_str(&text(response).await).unwrap();
    assert_eq!(told, json!({"networks": []}), "a chain without a name is not listed");
    let named = "[[chains]]\nid = \"eip155:31337\"\nname = \"Devnet\"\nupstreams = [\"http://127.0.0.1:1\"]\n\
        coin = { name = \"Dev\", symbol = \"DEV\", decimals = 18 }\n";
    let web = Web::configured(named).await;
    let told: Value = serde_json::from_str(&text(web.get("/networks.json").await).await).unwrap();
    assert_eq!(told, json!({"networks": [{"chain": "eip155:31337", "name": "Devnet", "coin": "DEV"}]}));
}

#[tokio::test]
async fn the_frame_can_be_framed_by_the_pages_of_its_project_alone() {
    let web = Web::new().await;
    web.safe.server.project(&["add", "--id", "shop", "--origin", HOST, "--origin", "http://localhost:*"]).await;
    let latest = web.get("/frame/v4/latest?projectId=shop&host=x&version=4").await;
    assert_eq!(latest.status(), StatusCode::TEMPORARY_REDIRECT);
    assert_eq!(latest.headers()["cache-control"], "no-store");
    let path = format!("/frame/v4/{}/index.html", web.hash);
    assert_eq!(latest.headers()["location"].to_str().unwrap(), format!("{path}?projectId=shop&host=x&version=4"));
    let host = "https%3A%2F%2Fshop.example";
    let page = web.get(&format!("{path}?projectId=shop&host={host}&version=4&enableLogger=false")).await;
    assert_eq!(page.status(), StatusCode::OK);
    let policy = page.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.ends_with("; frame-ancestors http://localhost:* https://shop.example"), "{policy}");
    assert!(policy.contains("require-trusted-types-for 'script'") && policy.contains("connect-src 'self'"), "{policy}");
    assert_eq!(page.headers()["cache-control"], "no-store");
    // What the page could use of the browser is off, except what it needs; it shares no process with other origins, and no file is taken for another kind.
    let permissions = page.headers()["permissions-policy"].to_str().unwrap();
    for off in ["camera=()", "geolocation=()", "microphone=()", "payment=()", "usb=()"] {
        assert!(permissions.contains(off), "{permissions}");
    }
    for own in ["publickey-credentials-get=(self)", "storage-access=(self)", "clipboard-write=(self)"] {
        assert!(permissions.contains(own), "{permissions}");
    }
    for path in [&path, &format!("/frame/v4/{}/assets/frame.js", web.hash), "/approve?t=x", "/nowhere"] {
        let response = web.get(&format!("{path}?projectId=shop&host={host}&version=4")).await;
        assert_eq!(response.headers()["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(response.headers()["origin-agent-cluster"], "?1", "{path}");
    }
    for (query, status) in [
        ("projectId=shop&host=https://evil.example&version=4".to_owned(), StatusCode::FORBIDDEN),
        (format!("projectId=none&host={host}&version=4"), StatusCode::UNAUTHORIZED),
        (format!("projectId=shop&host={host}&version=3"), StatusCode::BAD_REQUEST),
        ("projectId=shop&version=4".to_owned(), StatusCode::BAD_REQUEST),
    ] {
        let refused = web.get(&format!("{path}?{query}")).await;
        assert_eq!(refused.status(), status, "{query}");
    }
}

#[tokio::test]
async fn files_of_the_frame_never_change_under_their_path() {
    let web = Web::new().await;
    let path = format!("/frame/v4/{}/assets/frame.js", web.hash);
    let plain = web.get(&path).await;
    assert_eq!(plain.headers()["cache-control"], "public, max-age=31536000, immutable");
    assert_eq!(plain.headers()["content-type"], "text/javascript; charset=utf-8");
    let policy = plain.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("connect-src 'self'") && policy.contains("default-src 'none'"), "a worker's own: {policy}");
    assert_eq!(text(plain).await, "export {}");
    let request = Request::get(&path).header("accept-encoding", "gzip, br;q=1").body(Body::empty()).unwrap();
    let compressed = web.send(request).await;
    assert_eq!(compressed.headers()["content-encoding"], "br");
    assert_eq!(text(compressed).await, "compressed");
    let other = format!("/frame/v4/{}/assets/frame.js", "0".repeat(64));
    for missing in [other, format!("{path}.br"), format!("/frame/v4/{}/../vault.key", web.hash)] {
        assert_eq!(web.get(&missing).await.status(), StatusCode::NOT_FOUND, "{missing}");
    }
}

#[tokio::test]
async fn the_frame_reads_chains_at_its_own_origin_and_other_pages_do_not() {
    let web = Web::new().await;
    web.safe.server.project(&["add", "--id", "shop", "--origin", HOST]).await;
    let ask = async |origin: &str| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}).to_string();
        let request = Request::post("/rpc/v1?chainId=eip155:1&projectId=shop").header("origin", origin);
        status_and_text(web.send(request.body(Body::from(body)).unwrap()).await).await
    };
    // The project is accepted; the chain is not served in this test.
    let (status, told) = ask(ORIGIN).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{told}");
    assert!(told.contains("chainId"), "{told}");
    assert_eq!(ask("https://evil.example").await.0, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_outbox_shows_mails_with_links_that_can_be_clicked() {
    let web = Web::new().await;
    web.ask(&Device::new(), "/wallet/v1/login/email", &login("ada@example.org", HOST)).await;
    let get = async |path: &str, host: &str| {
        web.send(Request::get(path).header("host", host).body(Body::empty()).unwrap()).await
    };
    let page = text(get("/outbox", "localhost:8081").await).await;
    assert!(page.contains(&format!("<a href=\"{ORIGIN}/approve?t=")), "{page}");
    assert!(text(get("/outbox.json", "localhost:8081").await).await.contains("Approve your login"));
    // A name of another site that leads to this machine.
    for path in ["/outbox", "/outbox.json"] {
        assert_eq!(get(path, "evil.example:8081").await.status(), StatusCode::NOT_FOUND);
    }
}
