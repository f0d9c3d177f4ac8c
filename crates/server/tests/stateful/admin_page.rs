//! Content of the admin page: use, nodes, errors, projects.

use crate::admin::{Admin, recorder};
use crate::support;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use portico_server::AppState;
use portico_server::config::Config;
use portico_server::shared::Shared;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use support::{RPC, Reply, Server, Upstream, text};
use tracing_subscriber::layer::SubscriberExt;

#[tokio::test]
async fn the_page_has_no_script_and_escapes_what_others_wrote() {
    let admin = Admin::with("").await;
    let name = "<script>alert(1)</script>\"'&";
    admin.server.project(&["add", name, "--origin", "https://shop.example"]).await;
    let log = tracing_subscriber::registry().with(admin.events.clone());
    tracing::subscriber::with_default(log, || tracing::warn!(said = "</td><img src=x>", "a node said <b>no</b>"));
    let session = admin.signed_in().await;
    let response = admin.get("/admin", Some(&session)).await;
    let policy = response.headers()["content-security-policy"].to_str().unwrap();
    assert_eq!(
        policy,
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
    );
    for (header, value) in
        [("cache-control", "no-store"), ("referrer-policy", "no-referrer"), ("x-content-type-options", "nosniff")]
    {
        assert_eq!(response.headers()[header], value);
    }
    let page = text(response).await;
    for markup in ["<script", "<b>", "<img"] {
        assert!(!page.contains(markup), "{markup} is in {page}");
    }
    for escaped in ["&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;", "A node said &lt;b&gt;no&lt;/b&gt;"] {
        assert!(page.contains(escaped), "{escaped} is not in {page}");
    }
}

#[tokio::test]
async fn the_page_tells_use_nodes_cache_errors_and_room() {
    let recorder = recorder();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let node = Upstream::echo().await;
    let toml = format!(
        "relay.enabled = true\n[[chains]]\nid = \"eip155:31337\"\ncache = true\nupstreams = [{:?}]\n",
        node.url
    );
    let admin = Admin::of(Server::configured(&toml).await, &recorder).await;
    admin
        .server
        .project(&[
            "add",
            "Shop",
            "--id",
            "shop",
            "--origin",
            "https://shop.example",
            "--per-day",
            "2000",
            "--per-second",
            "5",
        ])
        .await;
    admin.server.project(&["add", "--id", "nameless", "--any-origin"]).await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}).to_string();
    for _ in 0..3 {
        let request = Request::post(RPC.replace("demo", "shop")).header("origin", "https://shop.example");
        let response = admin.server.send(request.body(Body::from(call.clone())).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK);
    }
    let stranger = Request::post(RPC.replace("demo", "shop")).header("origin", "https://other.example");
    let response = admin.server.send(stranger.body(Body::from(call.clone())).unwrap()).await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    assert_eq!(admin.server.get("/v1/nowhere").await.status(), StatusCode::NOT_FOUND);
    let page = admin.page().await;
    let host = node.url.strip_prefix("http://").unwrap().replace('.', ".<wbr>");
    for piece in [
        "<dd class=\"good\">Ready</dd>",
        "<title>Ready · Portico admin</title>",
        "Shop<br><code>shop</code></th><td role=\"cell\" data-label=\"Origins\" class=\"origins\"><span>https://shop.<wbr>example</span></td>\
         <td role=\"cell\" data-label=\"Limits\" class=\"limits\"><span>5 per second, 50 at once<br>2,000 per day\
         <small>One visitor: at most 0.625 per second, 7 at once, 250 per day</small></span></td>\
         <td role=\"cell\" data-label=\"Today\" class=\"number\"><span>3 of 2,000</span></td>\
         <td role=\"cell\" data-label=\"Since the start\" class=\"number\"><span>3</span></td>\
         <td role=\"cell\" data-label=\"Over the limit\" class=\"number\"><span>0</span></td>\
         <td role=\"cell\" data-label=\"Wrong origin\" class=\"number\"><span>1</span></td>",
        &format!(
            "<code>eip155:<wbr>31337</code></th><td role=\"cell\" data-label=\"Node\" class=\"host\"><span>{host}</span></td>\
             <td role=\"cell\" data-label=\"Status\" class=\"good\"><span>In use</span></td>"
        ),
        "<code>eip155:<wbr>31337</code></th><td role=\"cell\" data-label=\"Hits\" class=\"number\"><span>2</span></td>\
         <td role=\"cell\" data-label=\"Misses\" class=\"number\"><span>1</span></td>\
         <td role=\"cell\" data-label=\"Expired\" class=\"number\"><span>0</span></td>\
         <td role=\"cell\" data-label=\"Merged\" class=\"number\"><span>0</span></td>\
         <td role=\"cell\" data-label=\"Hit rate\" class=\"number\"><span>67%</span></td>",
        "404 Not Found</span></th><td role=\"cell\" data-label=\"Path or node\"><span>other paths of /v1</span></td>\
         <td role=\"cell\" data-label=\"Count\" class=\"number\"><span>1</span></td>",
        "<dd>Request memory 0%, relay messages 0%, relay subscriptions 0%",
        "<dt>Connections</dt><dd>0 open, 0 refused</dd>",
        // A project without a name shows its id once, and `*` is said in words.
        "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\"><code>nameless</code></th>\
         <td role=\"cell\" data-label=\"Origins\" class=\"origins\"><span>Any origin</span></td>",
    ] {
        assert!(page.contains(piece), "{piece} is not in {page}");
    }
}

#[tokio::test]
async fn a_node_that_only_failed_is_said_to_fail_with_the_cause() {
    let recorder = recorder();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let refusing = Upstream::says(401, "no key").await;
    let full = Upstream::start(|body| {
        let call: Value = serde_json::from_str(body).unwrap();
        let error = json!({"code": -32005, "message": "rate limit exceeded"});
        Reply::Answer(StatusCode::OK, json!({"jsonrpc": "2.0", "id": call["id"], "error": error}).to_string())
    })
    .await;
    let toml = format!(
        "[[chains]]\nid = \"eip155:1\"\nupstreams = [{:?}]\n[[chains]]\nid = \"eip155:2\"\nupstreams = [{:?}]\n",
        refusing.url, full.url
    );
    let admin = Admin::of(Server::configured(&toml).await, &recorder).await;
    assert_eq!(admin.page().await.matches("<span>Not used yet</span>").count(), 2);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber"}).to_string();
    for chain in ["eip155:1", "eip155:2"] {
        admin.server.post(&format!("/v1?projectId=demo&chainId={chain}"), call.clone()).await;
    }
    let page = admin.page().await;
    for status in [
        "class=\"bad\"><span>Failing<small>: it answered with status 401</small></span>",
        // Paused too, for two seconds.
        "<small>: it limits requests</small></span>",
    ] {
        assert!(page.contains(status), "{status} is not in {page}");
    }
    assert!(!page.contains("In use"));
}

#[tokio::test]
async fn the_page_names_a_lost_redis_in_its_title_and_in_a_row() {
    let admin = Admin::with("").await;
    assert!(!admin.page().await.contains("<dt>Redis</dt><dd class=\"bad\">"));
    let mut server = Server::configured("").await;
    let config = Config::parse(Path::new("portico.toml"), "", [], &server.flags()).unwrap();
    let place = redis::IntoConnectionInfo::into_connection_info("redis://127.0.0.1:1").unwrap();
    server.state = AppState::new(&config, server.database.clone(), Shared::in_redis(place, "").unwrap()).unwrap();
    let page = Admin::of(server, &recorder()).await.page().await;
    for piece in [
        "<title>Redis isn't responding · Portico admin</title>".replace('\'', "&#39;"),
        "<dd class=\"bad\">Ready, but Redis isn't responding. Until it does, this node keeps its own limits and cache.</dd>".into(),
        "<dt>Redis</dt><dd class=\"bad\">Isn't responding</dd>".into(),
    ] {
        assert!(page.contains(&piece), "{piece} is not in {page}");
    }
    assert!(!page.contains("<dd class=\"good\">Ready</dd>"));
}

#[tokio::test]
async fn the_page_says_why_redis_refuses_and_not_that_it_is_silent() {
    let login = [
        "<title>Redis refuses the login · Portico admin</title>",
        "<dd class=\"bad\">Ready, but Redis refuses the name or password. Correct it in `redis`. Until then, this node keeps its own limits and cache.</dd>",
        "<dt>Redis</dt><dd class=\"bad\">Refuses the name or password</dd>",
    ];
    let number = [
        "<title>Redis has no such database · Portico admin</title>",
        "<dd class=\"bad\">Ready, but Redis has no database of this number. Use another number in `redis`. Until then, this node keeps its own limits and cache.</dd>",
        "<dt>Redis</dt><dd class=\"bad\">Has no database of this number</dd>",
    ];
    for (error, name, path, pieces) in [
        ("WRONGPASS invalid username-password pair or user is disabled.", ":wrong@", "", login),
        ("ERR DB index is out of range", "", "/99", number),
    ] {
        let host = support::redis::refusing(error).await;
        let mut server = Server::configured("").await;
        let config = Config::parse(Path::new("portico.toml"), "", [], &server.flags()).unwrap();
        let place = redis::IntoConnectionInfo::into_connection_info(format!("redis://{name}{host}{path}")).unwrap();
        server.state = AppState::new(&config, server.database.clone(), Shared::in_redis(place, "").unwrap()).unwrap();
        let page = Admin::of(server, &recorder()).await.page().await;
        for piece in pieces {
            assert!(page.contains(piece), "{piece} is not in {page}");
        }
        assert!(!page.contains("Redis isn"), "{page}");
    }
}

#[tokio::test]
async fn a_node_that_cannot_be_reached_is_called_that_in_both_lists() {
    let recorder = recorder();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let absent = Upstream::absent().await;
    let admin = Admin::of(Server::with_upstreams(&[&absent]).await, &recorder).await;
    admin.server.post(RPC, json!({"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}).to_string()).await;
    let page = admin.page().await;
    for piece in [
        "<span class=\"bad\">Node can't be reached or didn't respond</span>",
        "<small>: it refuses connections</small>",
    ] {
        assert!(page.contains(piece), "{piece} is not in {page}");
    }
}

/// Page of a server with the project `demo` and this many newer ones: p1, p2, …
async fn with_projects(many: u32) -> Admin {
    let admin = Admin::with("").await;
    let insert = format!(
        "insert into project (id, name, created_at, secret_hash)
         with recursive n(i) as (select 1 union all select i + 1 from n where i < {many})
         select 'p' || i, 'name', 9000000000000 + i, '' from n"
    );
    admin.server.place.tamper(insert).await;
    admin
}

#[tokio::test]
async fn links_lead_to_each_section_and_long_lists_are_folded_with_refused_projects_first() {
    let admin = with_projects(40).await;
    let stranger = Request::post(RPC.replace("demo", "p40")).header("origin", "https://other.example");
    let response = admin.server.send(stranger.body(Body::empty()).unwrap()).await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    let page = admin.page().await;
    let at = |piece: &str| page.find(piece).unwrap_or_else(|| panic!("{piece} is not in {page}"));
    for id in ["errors", "networks", "projects", "cache", "relay", "events"] {
        assert!(at(&format!("<a href=\"#{id}\">")) < at(&format!("<h2 id=\"{id}\">")), "{id}");
    }
    assert!(
        at("<h2 id=\"errors\">") < at("<h2 id=\"networks\">")
            && at("<h2 id=\"networks\">") < at("<h2 id=\"projects\">")
    );
    let more = at("<details>\n<summary>31 more</summary>\n");
    assert!(at("<code>p40</code>") < at("<code>demo</code>") && at("<code>demo</code>") < more);
    assert!(at("<code>p8</code>") < more && more < at("<code>p9</code>") && more < at("<code>p39</code>"));
}

#[tokio::test]
async fn the_page_lists_the_oldest_projects_and_counts_the_others() {
    let admin = with_projects(201).await;
    admin.server.project(&["origin", "add", "p199", "https://p199.example"]).await;
    let page = admin.page().await;
    // Without networks it says how to have some, as the doctor does.
    assert!(page.contains("<pre tabindex=\"0\">portico serve --public-nodes</pre>"), "{page}");
    assert!(page.contains("<code>demo</code>") && page.contains(">https://p199.<wbr>example</span></td>"));
    assert!(
        !page.contains("<code>p200</code>") && page.contains("2 more: <code>portico project list</code>"),
        "{page}"
    );
}

#[tokio::test]
async fn the_page_of_two_hundred_projects_answers_within_a_tenth_of_a_second() {
    let admin = with_projects(200).await;
    let session = admin.signed_in().await;
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let begun = Instant::now();
        let page = text(admin.get("/admin", Some(&session)).await).await;
        best = best.min(begun.elapsed());
        assert!(page.contains("<code>p199</code>"));
    }
    assert!(best < Duration::from_millis(100), "{best:?}");
}

#[tokio::test]
async fn the_use_of_today_is_counted_for_a_project_without_a_daily_limit_too() {
    let node = Upstream::echo().await;
    let admin = Admin::of(Server::with_upstreams(&[&node.url]).await, &recorder()).await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}).to_string();
    for _ in 0..3 {
        assert_eq!(admin.server.post(RPC, call.clone()).await.status(), StatusCode::OK);
    }
    let row = |today: &str| {
        format!(
            "class=\"limits\"><span>{}</span></td><td role=\"cell\" data-label=\"Today\" class=\"number\"><span>{today}</span></td>",
            if today == "3" { "None" } else { "9 per day<small>One visitor: at most 2 per day</small>" }
        )
    };
    let page = admin.page().await;
    assert!(page.contains(&row("3")) && !page.contains("No daily limit"), "{page}");
    // A limit that is set later counts what was used before.
    admin.server.project(&["quota", "demo", "--per-day", "9"]).await;
    let page = admin.page().await;
    assert!(page.contains(&row("3 of 9")), "{page}");
}

#[tokio::test]
async fn requests_above_the_limits_of_a_project_are_counted() {
    let node = Upstream::echo().await;
    let admin = Admin::of(Server::with_upstreams(&[&node.url]).await, &recorder()).await;
    admin.server.project(&["add", "--id", "small", "--any-origin", "--per-day", "8"]).await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}).to_string();
    for expected in [StatusCode::OK, StatusCode::TOO_MANY_REQUESTS] {
        assert_eq!(admin.server.post(&RPC.replace("demo", "small"), call.clone()).await.status(), expected);
    }
    let page = admin.page().await;
    let row = "<td role=\"cell\" data-label=\"Today\" class=\"number\"><span>1 of 8</span></td>\
        <td role=\"cell\" data-label=\"Since the start\" class=\"number\"><span>1</span></td>\
        <td role=\"cell\" data-label=\"Over the limit\" class=\"number\"><span>1</span></td>";
    assert!(page.contains(row), "{page}");
}
