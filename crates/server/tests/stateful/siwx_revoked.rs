//! List of ended sessions, by which back ends that verify tokens by themselves refuse those of ended sessions.

use crate::siwx::{
    ask, at, auth, authenticate, claims, configured, lines, me, nonce, server, signed_in, signed_in_from,
};
use crate::support::names::{PAGE, Visitor};
use crate::support::node::said;
use crate::support::{Server, pass, reason, status_and_text, text};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

const LIST: &str = "/auth/v1/revoked/shop";

/// Rate limits of requests in general that these tests don't reach, and visitors told apart by a header.
const ROOMY: &str = "trusted_proxies = [\"0.0.0.0\"]\n[limits]\nclient_per_second = 1000\nclient_burst = 10000\n";

/// The list as a back end sees it that reads it after the node's own copy has become old.
async fn revoked(server: &Server) -> Value {
    pass(Duration::from_secs(1)).await;
    let (status, text) = status_and_text(server.get(LIST).await).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Ids in the list, sorted.
async fn ids(server: &Server) -> Vec<String> {
    let list = revoked(server).await;
    assert_eq!(list["completeFrom"], 0);
    let ids = list["revoked"].as_array().unwrap().iter().map(|entry| entry["jti"].as_str().unwrap().to_owned());
    let mut ids: Vec<String> = ids.collect();
    ids.sort();
    ids
}

fn id(token: &str) -> String {
    claims(token)["jti"].as_str().unwrap().to_owned()
}

async fn sign_out(server: &Server, token: &str) {
    let (status, text) = ask(server, "POST", "/auth/v1/sign-out", PAGE, token, Value::Null).await;
    assert_eq!(status, StatusCode::NO_CONTENT, "{text}");
}

#[tokio::test]
async fn the_list_has_the_id_and_the_end_of_a_session_that_was_signed_out_and_nothing_else() {
    let server = server().await;
    let [token, open] = [signed_in(&server, &Visitor::new(1)).await, signed_in(&server, &Visitor::new(1)).await];
    assert_eq!(revoked(&server).await, json!({"revoked": [], "completeFrom": 0}));
    sign_out(&server, &token).await;
    let entry = json!({"jti": claims(&token)["jti"], "exp": claims(&token)["exp"]});
    assert_eq!(revoked(&server).await, json!({"revoked": [entry], "completeFrom": 0}));
    // Another node reads the same database.
    let server = Server { router: server.another(), ..server };
    assert_eq!(ids(&server).await, [id(&token)]);
    assert_ne!(id(&token), id(&open));
    // The id is no secret: it opens nothing.
    let (status, _) = ask(&server, "GET", "/auth/v1/me", PAGE, &id(&open), Value::Null).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_list_has_the_sessions_that_the_operator_ended() {
    let server = server().await;
    let one = signed_in(&server, &Visitor::new(1)).await;
    assert!(auth(&server, &["sessions", "end", &id(&one)]).await);
    assert_eq!(ids(&server).await, [id(&one)]);
    // It is not open any more.
    assert!(!auth(&server, &["sessions", "end", &id(&one)]).await);
    let two = signed_in(&server, &Visitor::new(2)).await;
    let three = signed_in(&server, &Visitor::new(3)).await;
    assert!(auth(&server, &["sessions", "end", &format!("eip155:1:{}", Visitor::new(2).address())]).await);
    let mut expected = [id(&one), id(&two)];
    expected.sort();
    assert_eq!(ids(&server).await, expected);
    assert!(auth(&server, &["keys", "rotate", "--at-once"]).await);
    let mut expected = [id(&one), id(&two), id(&three)];
    expected.sort();
    assert_eq!(ids(&server).await, expected);
}

#[tokio::test]
async fn the_operator_ends_all_sessions_of_a_project_and_none_of_another_one() {
    let server = server().await;
    server.project(&["add", "--id", "blog", "--any-origin"]).await;
    let mut ended = [1, 2].map(|_| String::new());
    for (number, ended) in (1..).zip(&mut ended) {
        *ended = id(&signed_in(&server, &Visitor::new(number)).await);
    }
    ended.sort();
    // Without the confirmation, together with an id, or with a mistyped project it ends none.
    for words in [&["--project", "shop"][..], &["--all"], &["--project", "shop", "--all", &ended[0]], &[]] {
        assert!(!auth(&server, &[&["sessions", "end"], words].concat()).await, "{words:?}");
    }
    let end = async |project: &str| {
        let words = ["auth", "sessions", "end", "--project", project, "--all"];
        let place = ["--config", "portico.toml", "--database", &server.place.database];
        said(server.folder.path(), &[&words[..], &place].concat()).await
    };
    let (done, _, error) = end("shpo").await;
    assert!(!done && error.starts_with("No project shpo."), "{error}");
    let said = |told: &str| (true, format!("{told}\n"), String::new());
    assert_eq!(end("blog").await, said("Ended 0 sessions of the project blog."));
    assert_eq!(ids(&server).await, [""; 0]);
    assert_eq!(end("shop").await, said("Ended 2 sessions of the project shop."));
    assert_eq!(ids(&server).await, ended);
    let one = signed_in(&server, &Visitor::new(1)).await;
    assert_eq!(me(&server, &one).await.0, StatusCode::OK);
    assert_eq!(end("shop").await, said("Ended 1 session of the project shop."));
    assert_eq!(me(&server, &one).await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_session_that_was_pushed_out_by_too_many_of_its_account_is_in_the_list() {
    let server = configured(ROOMY).await;
    let first = signed_in_from(&server, &Visitor::new(1), "203.0.113.9").await;
    for _ in 0..20 {
        signed_in_from(&server, &Visitor::new(1), "203.0.113.9").await;
    }
    assert_eq!(ids(&server).await, [id(&first)]);
}

#[tokio::test]
async fn each_project_has_a_list_of_its_own_and_an_unknown_one_none() {
    let server = server().await;
    server.project(&["add", "--id", "blog", "--any-origin"]).await;
    sign_out(&server, &signed_in(&server, &Visitor::new(1)).await).await;
    let blog = text(server.get("/auth/v1/revoked/blog").await).await;
    assert_eq!(serde_json::from_str::<Value>(&blog).unwrap(), json!({"revoked": [], "completeFrom": 0}));
    // A mistyped id must not look like a project without ended sessions.
    for unknown in ["shpo", "%20", "%ff", &"a".repeat(65)] {
        let (status, said) = status_and_text(server.get(&format!("/auth/v1/revoked/{unknown}")).await).await;
        assert!(matches!(status.as_u16(), 400 | 401), "{unknown}: {status} {said}");
    }
    server.project(&["disable", "blog"]).await;
    pass(Duration::from_secs(5)).await;
    let (status, said) = status_and_text(server.get("/auth/v1/revoked/blog").await).await;
    assert_eq!((status, reason(&said).0), (StatusCode::UNAUTHORIZED, "projectId".into()));
}

#[tokio::test]
async fn a_back_end_that_has_the_list_gets_304_until_a_session_ends() {
    let server = server().await;
    let token = signed_in(&server, &Visitor::new(1)).await;
    let first = server.get(LIST).await;
    assert_eq!(first.headers()["cache-control"], "public, max-age=5");
    assert_eq!(first.headers()["content-type"], "application/json");
    let tag = first.headers()["etag"].clone();
    let again = async || {
        pass(Duration::from_secs(1)).await;
        server.send(Request::get(LIST).header("if-none-match", &tag).body(Body::empty()).unwrap()).await
    };
    let same = again().await;
    assert_eq!((same.status(), &same.headers()["etag"]), (StatusCode::NOT_MODIFIED, &tag));
    assert_eq!(text(same).await, "");
    sign_out(&server, &token).await;
    let other = again().await;
    assert_eq!(other.status(), StatusCode::OK);
    assert_ne!(other.headers()["etag"], tag);
    assert!(text(other).await.contains(&id(&token)));
}

#[tokio::test]
async fn a_session_that_ended_with_its_token_is_not_in_the_list() {
    let server = server().await;
    let visitor = Visitor::new(1);
    let mut lines = lines(&visitor.address(), &nonce(&server, PAGE).await);
    lines.push(format!("Expiration Time: {}", at(2)));
    let message = lines.join("\n");
    let (status, said) = authenticate(&server, &message, &visitor.sign(&message)).await;
    assert_eq!(status, StatusCode::OK, "{said}");
    let token = serde_json::from_str::<Value>(&said).unwrap()["token"].as_str().unwrap().to_owned();
    let open = async || ask(&server, "GET", "/auth/v1/me", PAGE, &token, Value::Null).await.0 == StatusCode::OK;
    while open().await {
        tokio::task::yield_now().await;
    }
    assert!(!auth(&server, &["sessions", "end", &id(&token)]).await);
    assert_eq!(ids(&server).await, [""; 0]);
}

#[tokio::test]
async fn a_spent_quota_of_the_project_does_not_keep_the_list_from_its_back_ends() {
    let server = server().await;
    server.project(&["quota", "shop", "--per-day", "1"]).await;
    let mut asked = 0;
    while ask(&server, "GET", "/auth/v1/nonce", PAGE, "", Value::Null).await.0 != StatusCode::TOO_MANY_REQUESTS {
        asked += 1;
        assert!(asked < 10);
    }
    assert_eq!(ids(&server).await, [""; 0]);
}

/// Minutes from the start to the end of a session.
fn minutes(token: &str) -> i64 {
    let claims = claims(token);
    (claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap()) / 60
}

#[tokio::test]
async fn a_visitor_who_spent_the_share_of_an_address_keeps_no_neighbour_behind_it_from_signing_in() {
    let server = configured(ROOMY).await;
    let [greedy, neighbour] = [Visitor::new(1), Visitor::new(2)];
    let [shared, other] = ["203.0.113.9", "203.0.113.10"];
    let token = signed_in_from(&server, &greedy, shared).await;
    sign_out(&server, &token).await;
    // The rate limit of sign-ins makes a visitor take minutes for as many ended sessions.
    let more = "insert into siwx_session (id, project, account, origin, visitor, created_at, expires_at, ended_at)
        with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 298)
        select id || number, project, account, origin, visitor, created_at, expires_at, ended_at
        from siwx_session, numbers";
    server.place.tamper(more).await;
    let token = signed_in_from(&server, &greedy, shared).await;
    assert_eq!(minutes(&token), 60, "the share has room for one more");
    sign_out(&server, &token).await;
    // A shorter session costs the list little, so nobody behind the address is refused.
    let token = signed_in_from(&server, &neighbour, shared).await;
    assert_eq!(minutes(&token), 5);
    assert_eq!(me(&server, &token).await.0, StatusCode::OK);
    assert_eq!(minutes(&signed_in_from(&server, &greedy, shared).await), 5);
    assert_eq!(minutes(&signed_in_from(&server, &neighbour, other).await), 60);
}

#[tokio::test]
async fn an_account_that_a_host_s_server_signs_in_and_out_again_and_again_waits_and_its_neighbour_does_not() {
    let server = configured(ROOMY).await;
    // Through the host's own server, which has no rate of sign-ins: each account has a share instead of the address.
    let words = ["project", "rotate", "shop", "--config", "portico.toml", "--database", &server.place.database];
    let (done, told, error) = said(server.folder.path(), &words).await;
    assert!(done, "{error}");
    let secret = told.lines().find_map(|line| line.strip_prefix("secret")).unwrap().trim();
    pass(Duration::from_secs(5)).await;
    let sign_in = async |visitor: &Visitor| {
        let message = lines(&visitor.address(), &nonce(&server, PAGE).await).join("\n");
        let body = json!({"message": message, "signature": visitor.sign(&message)}).to_string();
        let request = Request::post("/auth/v1/authenticate?projectId=shop").header("origin", PAGE);
        server.send(request.header("x-project-secret", secret).body(Body::from(body)).unwrap()).await
    };
    let token = async |response| {
        let (status, said) = status_and_text(response).await;
        assert_eq!(status, StatusCode::OK, "{said}");
        serde_json::from_str::<Value>(&said).unwrap()["token"].as_str().unwrap().to_owned()
    };
    for _ in 0..300 {
        sign_out(&server, &token(sign_in(&Visitor::new(1)).await).await).await;
    }
    let refused = sign_in(&Visitor::new(1)).await;
    // Until the first of the tokens has expired, with a minute for clocks that differ.
    let seconds = refused.headers()["retry-after"].to_str().unwrap().parse::<u32>().unwrap();
    assert!((3000..=3661).contains(&seconds), "{seconds}");
    let (status, said) = status_and_text(refused).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert!(reason(&said).1.starts_with("Too many sessions of this account were ended in the last hour."), "{said}");
    let neighbour = token(sign_in(&Visitor::new(2)).await).await;
    sign_out(&server, &neighbour).await;
    let ids = ids(&server).await;
    assert_eq!((ids.len(), ids.contains(&id(&neighbour))), (301, true));
}
