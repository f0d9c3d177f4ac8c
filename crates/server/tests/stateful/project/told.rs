//! Information about a project for its pages and SDKs.

use super::*;

#[tokio::test]
async fn a_page_hears_what_stands_behind_its_project() {
    let node = Upstream::echo().await;
    let settings = format!(
        "[names]\nparent = \"example.eth\"\n[analytics]\nenabled = true\n[[chains]]\nid = \"eip155:1\"\nupstreams = [{:?}]\n",
        node.url
    );
    let words = json!(["rpc", "balances", "history", "names", "swap", "analytics"]);
    // No source knows balances or history on this chain.
    let polkadot = format!(
        "[[chains]]\nid = \"polkadot:91b171bb158e2d3848fa23a9f1c25182\"\nupstreams = [{:?}]\nmethods = [\"chain_getHeader\"]\n",
        node.url
    );
    let bitcoin =
        format!("[[chains]]\nid = \"bip122:000000000019d6689c085ae165831e93\"\nupstreams = [{:?}]\n", node.url);
    let nobody =
        format!("[sources]\nhistory = [\"explorer\"]\n[[chains]]\nid = \"eip155:1\"\nupstreams = [{:?}]\n", node.url);
    for (settings, features, names) in [
        ("", json!([]), Value::Null),
        (&settings, words, json!("example.eth")),
        (&polkadot, json!(["rpc"]), Value::Null),
        (&bitcoin, json!(["rpc", "balances", "history"]), Value::Null),
        (&nobody, json!(["rpc", "balances", "swap"]), Value::Null),
    ] {
        let server = Server::configured(settings).await;
        let answer = get(&server, "/v1/project/demo/config").await;
        assert_eq!((&answer["features"], &answer["names"]), (&features, &names));
    }
}

async fn get(server: &Server, path: &str) -> Value {
    let (status, text) = status_and_text(server.get(path).await).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn a_page_hears_how_much_may_be_asked() {
    let server = Server::configured("").await;
    server.project(&["add", "--id", "small", "--any-origin"]).await;
    server.project(&["quota", "small", "--per-second", "5", "--per-day", "1000"]).await;
    let unlimited =
        json!({"perSecond": null, "burst": null, "perDay": null, "clientPerSecond": 100, "clientBurst": 2000});
    let small = json!({"perSecond": 5, "burst": 50, "perDay": 1000, "clientPerSecond": 100, "clientBurst": 2000});
    for (project, limits) in [("demo", unlimited), ("small", small)] {
        assert_eq!(get(&server, &format!("/v1/project/{project}/config")).await["limits"], limits);
    }
    let (found, text) = status_and_text(server.get("/v1/project/%ff/config").await).await;
    assert_eq!((found.as_u16(), reason(&text).0.as_str()), (400, "path"));
}

#[tokio::test]
async fn kits_hear_under_their_own_paths_what_a_project_has() {
    let node = Upstream::echo().await;
    let settings =
        format!("[analytics]\nenabled = true\n[[chains]]\nid = \"eip155:1\"\nupstreams = [{:?}]\n", node.url);
    for (settings, on) in [("", false), (&settings, true)] {
        let server = Server::configured(settings).await;
        server
            .project(&["add", "--id", "shop", "--origin", "https://*.shop.example", "--origin", "http://localhost:*"])
            .await;
        for path in ["/getAnalyticsConfig", "/projects/v1/origins", "/appkit/v1/config", "/appkit/v1/project-limits"] {
            for (query, field) in
                [("", "projectId"), ("?projectId=nobody", "projectId"), ("?projectId=a%20b", "projectId")]
            {
                let (found, text) = status_and_text(server.get(&format!("{path}{query}")).await).await;
                assert_eq!((found.as_u16(), reason(&text).0.as_str()), (401, field), "{path}{query}");
            }
        }
        assert_eq!(get(&server, "/getAnalyticsConfig?projectId=demo").await, json!({"isAnalyticsEnabled": on}));
        // Pages of any origin can read the list, to compare their own with it.
        let allowed = json!({"allowedOrigins": ["http://localhost:*", "https://*.shop.example"]});
        assert_eq!(get(&server, "/projects/v1/origins?projectId=shop").await, allowed);
        let features = get(&server, "/appkit/v1/config?projectId=demo").await;
        let is_on = |id: &str| {
            let feature = features["features"].as_array().unwrap().iter().find(|feature| feature["id"] == id).unwrap();
            feature["isEnabled"].clone()
        };
        assert_eq!([is_on("activity"), is_on("swap"), is_on("social_login")], [json!(on), json!(on), json!(false)]);
        let plan = json!({"planLimits": {"tier": "self-hosted", "isAboveRpcLimit": false, "isAboveMauLimit": false}});
        assert_eq!(get(&server, "/appkit/v1/project-limits?projectId=demo").await, plan);
    }
}

#[tokio::test]
async fn spec_3_28_the_services_at_which_visitors_log_in_are_told_to_pages_and_no_secret_is() {
    let social = "client_id = \"client\"\nclient_secret = \"hidden\"";
    let server = Server::configured(&format!(
        "[wallet]\norigin = \"http://localhost:8081\"\n[wallet.mail]\noutbox = true\n[wallet.social.github]\n{social}\n\
         [wallet.social.openid]\nissuer = \"https://id.example\"\nname = \"Example Company\"\n{social}\n"
    ))
    .await;
    let config = get(&server, "/v1/project/demo/config").await;
    assert_eq!(config["socials"], json!([{"id": "github", "name": null}, {"id": "openid", "name": "Example Company"}]));
    assert!(!config.to_string().contains("hidden"));
    let kit = get(&server, "/appkit/v1/config?projectId=demo").await;
    let logins = kit["features"].as_array().unwrap().iter().find(|feature| feature["id"] == "social_login").unwrap();
    assert_eq!(*logins, json!({"id": "social_login", "isEnabled": true, "config": ["github", "openid"]}));
}

#[tokio::test]
async fn a_visitor_may_ask_what_is_open_to_everyone_only_so_often() {
    let settings = "trusted_proxies = [\"0.0.0.0\"]\n[limits]\nclient_per_second = 1\nclient_burst = 2\n";
    for path in ["/getWalletImages?ids=a", "/getWalletImage/a", "/public/getAssetImage/a", "/v1/ens/0x00/0x00"] {
        let server = Server::configured(settings).await;
        let ask = async |address: &str| {
            let request = Request::get(path).header("x-forwarded-for", address).body(Body::empty()).unwrap();
            server.send(request).await
        };
        for _ in 0..2 {
            assert_ne!(ask("198.51.100.7").await.status(), StatusCode::TOO_MANY_REQUESTS, "{path}");
        }
        let refused = ask("198.51.100.7").await;
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS, "{path}");
        assert_eq!(header(&refused, "retry-after"), "1");
        assert_ne!(ask("198.51.100.8").await.status(), StatusCode::TOO_MANY_REQUESTS, "{path}");
    }
}
