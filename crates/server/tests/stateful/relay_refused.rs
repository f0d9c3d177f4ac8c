//! Access control of the relay, invalid requests, and limits.

use crate::support;
use futures_util::SinkExt;
use portico_server::stop::Ended;
use portico_walletconnect::jwt::ClientKey;
use serde_json::json;
use std::time::Duration;
use support::relay::{Peer, RELAY, message, now, path, token, topic};
use support::socket::{Client, Serving};
use support::within;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::{self, Message};

const DAPP: u8 = 1;
const WALLET: u8 = 2;

/// Close code and reason of a socket opened with this path.
async fn closed(serving: &Serving, path: &str) -> (u16, String) {
    serving.open(path).await.next().await.unwrap_err()
}

/// Whether the relay accepts a request of this client.
async fn is_taken(client: Client) -> bool {
    let mut client = client;
    client.say(&json!({"id": 1_700_000_000_000_000_u64, "jsonrpc": "2.0", "method": "irn_subscribe", "params": {"topic": topic(1)}})).await;
    client.next().await.is_ok()
}

#[tokio::test]
async fn a_token_that_is_not_right_is_refused_by_a_close_that_says_why() {
    let serving = Serving::configured(RELAY).await;
    let with = |auth: &str| format!("/?auth={auth}&projectId=demo&useOnCloseEvent=true");
    let key = ClientKey::from_seed(&[DAPP; 32]);
    let own = "ws://localhost:5555";
    let (future, past) = (now() + 300, now() - 90_000);
    let early = key.sign("a", own, future, 86_400);
    let late = key.sign("a", own, past, 86_400);
    let foreign = key.sign("a", "wss://relay.example", now(), 86_400);
    let good = key.sign("a", own, now(), 86_400);
    // The letter is changed to another one, whatever it was.
    let place = good.len() - 10;
    let other = if good.as_bytes()[place] == b'A' { 'B' } else { 'A' };
    let forged = format!("{}{other}{}", &good[..place], &good[place + 1..]);
    for (auth, reason) in [
        (early.as_str(), "JWT validation error: JWT Token is not yet valid: basic.iat: "),
        (&late, "JWT validation error: JWT Token is expired"),
        (&foreign, "JWT validation error: Invalid audience"),
        (&forged, "JWT validation error: Invalid signature"),
        ("a.b.c", "JWT validation error: "),
        ("", "JWT validation error: "),
    ] {
        let (code, said) = closed(&serving, &with(auth)).await;
        assert_eq!(code, 3000, "{said}");
        assert!(said.starts_with(reason), "{said} is not {reason}");
    }
    let (code, said) = closed(&serving, "/relay?projectId=demo").await;
    assert_eq!((code, said.starts_with("JWT validation error: ")), (3000, true), "{said}");
    let for_a_month = key.sign("a", own, now(), 30 * 86_400);
    assert_eq!(closed(&serving, &with(&for_a_month)).await, (3000, "JWT validation error: Invalid claims".into()));
    // Clock differences are tolerated.
    for issued in [now() + 100, now() - 86_400 - 100] {
        assert!(is_taken(serving.open(&with(&key.sign("a", own, issued, 86_400))).await).await);
    }
    let bearer = format!("Bearer {good}");
    assert!(is_taken(serving.open_with("/relay?projectId=demo", &[("authorization", &bearer)]).await).await);
}

#[tokio::test]
async fn a_project_that_is_not_there_and_a_page_that_is_not_allowed_are_told_in_the_known_words() {
    let serving = Serving::configured(RELAY).await;
    serving.server.project(&["add", "--id", "shop", "--origin", "https://shop.example"]).await;
    serving.server.project(&["add", "--id", "old", "--any-origin"]).await;
    serving.server.project(&["disable", "old"]).await;
    let auth = token(DAPP, "ws://localhost:5555");
    for (query, reason) in [
        ("", "Project ID is missing"),
        ("&projectId=nobody", "Unauthorized: invalid key"),
        ("&projectId=a%20b", "Unauthorized: invalid key"),
        ("&projectId=old", "Unauthorized: invalid key"),
        ("&projectId=shop", "Unauthorized: origin not allowed"),
        ("&projectId=shop&origin=https://evil.example", "Unauthorized: origin not allowed"),
    ] {
        assert_eq!(closed(&serving, &format!("/?auth={auth}{query}")).await, (3000, reason.into()), "{query}");
    }
    let shop = format!("/?auth={auth}&projectId=shop");
    let evil = [("origin", "https://evil.example")];
    let named = format!("{shop}&packageName=com.example");
    for path in [&shop, &named, &format!("{shop}&origin=https://shop.example")] {
        let mut client = serving.open_with(path, &evil).await;
        assert_eq!(client.next().await.unwrap_err().1, "Unauthorized: origin not allowed", "{path}");
    }
    assert!(is_taken(serving.open_with(&shop, &[("origin", "https://shop.example")]).await).await);
    for app in ["&packageName=com.example", "&bundleId=com.example", "&origin=https://shop.example"] {
        assert!(is_taken(serving.open(&format!("{shop}{app}")).await).await, "{app}");
    }
}

#[tokio::test]
async fn a_relay_with_names_takes_those_alone_with_or_without_a_slash_or_a_path() {
    let named = format!("public_url = \"https://shop.example\"\n{RELAY}urls = [\"wss://relay.example\"]\n");
    let serving = Serving::configured(&named).await;
    let opened = async |audience: &str| serving.open(&format!("/?auth={}&projectId=demo", token(DAPP, audience))).await;
    for audience in [
        "wss://relay.example",
        "wss://relay.example/",
        "https://relay.example",
        "https://relay.example/rpc",
        "wss://relay.example/relay",
        "https://relay.example/relay/rpc",
        "wss://RELAY.example",
        "wss://shop.example/relay",
    ] {
        assert!(is_taken(opened(audience).await).await, "{audience}");
    }
    for audience in
        ["ws://localhost:5555", "wss://relay.example.evil", "wss://evil.example/relay.example", "ws://relay.example"]
    {
        let (code, said) = opened(audience).await.next().await.unwrap_err();
        assert_eq!((code, said.as_str()), (3000, "JWT validation error: Invalid audience"), "{audience}");
    }
}

#[tokio::test]
async fn nonsense_is_answered_under_the_id_zero_and_ends_nothing() {
    let serving = Serving::configured(RELAY).await;
    let mut peer = Peer::open(&serving, DAPP).await;
    let deep = format!(r#"{{"id":1,"params":{}"#, "[".repeat(200_000));
    for text in
        ["", "{", "[]", "null", "true", "\u{1F600}", &deep, r#"{"id":1,"jsonrpc":"2.0","method":"irn_publish"}"#]
    {
        peer.client.0.send(Message::text(text)).await.unwrap();
        let heard = peer.client.next().await.unwrap();
        assert_eq!((&heard["id"], &heard["error"]["code"]), (&json!(0), &json!(-32600)), "{heard}");
    }
    peer.client.0.send(Message::binary(b"{}".as_slice())).await.unwrap();
    let heard = peer.client.next().await.unwrap();
    assert_eq!(
        heard,
        json!({"id": 0, "jsonrpc": "2.0", "error": {"code": -32600, "message": "Request cannot be read", "data": "Serialization"}})
    );
    for answer in
        [json!({"id": 7, "jsonrpc": "2.0", "result": true}), json!({"id": 7, "error": {"code": 1, "message": "no"}})]
    {
        peer.client.say(&answer).await;
    }
    for (method, params, tag) in [
        ("irn_subscribe", json!({"topic": "short"}), "InvalidTopic"),
        ("irn_publish", json!({"topic": topic(1)}), "InvalidParams"),
        ("irn_batchSubscribe", json!({"topics": []}), "BatchEmpty"),
        ("irn_batchSubscribe", json!({"topics": vec![topic(1); 501]}), "BatchLimitExceeded"),
        ("eth_chainId", json!([]), "InvalidMethod"),
    ] {
        assert_eq!(peer.refused(method, &params).await, (-32600, tag.into()));
    }
    peer.done("irn_batchSubscribe", &json!({"topics": vec![topic(1); 500]})).await;
}

#[tokio::test]
async fn an_id_of_19_digits_comes_back_as_it_was_said() {
    let serving = Serving::configured(RELAY).await;
    let mut client = serving.open(&path(DAPP)).await;
    for id in ["\"1763762400000123456\"", "1763762400000123457", "\"1763762400000123\"", "1763762400000123"] {
        let text =
            format!(r#"{{"id":{id},"jsonrpc":"2.0","method":"irn_subscribe","params":{{"topic":"{}"}}}}"#, topic(1));
        client.0.send(Message::text(text)).await.unwrap();
        let Some(Ok(Message::Text(answer))) = client.frame().await else { panic!("no answer") };
        assert!(answer.starts_with(&format!(r#"{{"id":{id},"jsonrpc":"2.0","result":""#)), "{answer}");
    }
}

#[tokio::test]
async fn a_frame_that_is_too_long_or_no_text_ends_its_socket_and_no_other() {
    let serving = Serving::configured(RELAY).await;
    let mut other = Peer::open(&serving, WALLET).await;
    let mut client = serving.open(&path(DAPP)).await;
    // Too long for the server, which closes, perhaps before the client has sent all of it.
    let _ = client.0.send(Message::text(" ".repeat(600 * 1024))).await;
    assert!(!matches!(client.frame().await, Some(Ok(Message::Text(_)))));
    let mut peer = Peer::open(&serving, DAPP).await;
    let long = "a".repeat(256 * 1024 + 1);
    assert_eq!(peer.refused("irn_publish", &message(&topic(1), &long)).await, (-32600, "PayloadSizeExceeded".into()));
    peer.done("irn_publish", &message(&topic(1), &long[1..])).await;
    let attested = |length: usize| {
        let mut said = message(&topic(9), "AA==");
        said["attestation"] = "a".repeat(length).into();
        said
    };
    let refused = peer.refused("irn_publish", &attested(4 * 1024 + 1)).await;
    assert_eq!(refused, (-32600, "PayloadSizeExceeded".into()));
    peer.done("irn_publish", &attested(4 * 1024)).await;
    let mut raw = support::socket::raw(&serving, &path(DAPP)).await;
    // Text frame of one byte that is not UTF-8, with a zero mask.
    tokio::io::AsyncWriteExt::write_all(&mut raw, &[0x81, 0x81, 0, 0, 0, 0, 0xff]).await.unwrap();
    let mut rest = Vec::new();
    within("the end of the socket", tokio::io::AsyncReadExt::read_to_end(&mut raw, &mut rest)).await.unwrap();
    other.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    assert_eq!(other.takes().await.len(), 256 * 1024);
}

#[tokio::test]
async fn a_client_publishes_and_comes_to_topics_as_fast_as_it_may() {
    let slow = "publishes_per_second = 1\npublish_burst = 3\nnew_topics_per_second = 1\nnew_topic_burst = 2\n";
    let serving = Serving::configured(&format!("{RELAY}{slow}")).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    for number in 0..3 {
        dapp.done("irn_publish", &message(&topic(1), &number.to_string())).await;
    }
    let too_many = (3001, "TooManyRequests".to_owned());
    assert_eq!(dapp.refused("irn_publish", &message(&topic(1), "4")).await, too_many);
    wallet.done("irn_publish", &message(&topic(1), "of another client")).await;
    wallet.done("irn_batchSubscribe", &json!({"topics": [topic(1), topic(2)]})).await;
    assert_eq!(wallet.refused("irn_subscribe", &json!({"topic": topic(3)})).await, too_many);
    // Topics that the client has subscribed to already cost nothing, on any socket.
    for _ in 0..5 {
        let mut wallet = Peer::open(&serving, WALLET).await;
        wallet.done("irn_batchSubscribe", &json!({"topics": [topic(1), topic(2)]})).await;
    }
}

#[tokio::test]
async fn a_new_key_is_no_new_visitor() {
    let slow = "visitor_publishes_per_second = 1\nvisitor_publish_burst = 2\n";
    let serving = Serving::configured(&format!("{RELAY}{slow}")).await;
    let too_many = (3001, "TooManyRequests".to_owned());
    for key in 1..=2 {
        Peer::open(&serving, key).await.done("irn_publish", &message(&topic(1), &key.to_string())).await;
    }
    assert_eq!(Peer::open(&serving, 3).await.refused("irn_publish", &message(&topic(1), "3")).await, too_many);
    let slow = "visitor_new_topics_per_second = 1\nvisitor_new_topic_burst = 2\n";
    let serving = Serving::configured(&format!("{RELAY}{slow}")).await;
    for key in 1..=2 {
        let number = usize::from(key);
        Peer::open(&serving, key).await.done("irn_subscribe", &json!({"topic": topic(number)})).await;
    }
    assert_eq!(Peer::open(&serving, 3).await.refused("irn_subscribe", &json!({"topic": topic(3)})).await, too_many);
    let slow =
        "visitor_requests_per_second = 1\nvisitor_request_burst = 4\nrequests_per_second = 1\nrequest_burst = 3\n";
    let serving = Serving::configured(&format!("{RELAY}{slow}")).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    dapp.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    dapp.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    dapp.done("irn_fetchMessages", &json!({"topic": topic(1)})).await;
    assert_eq!(dapp.refused("irn_unsubscribe", &json!({"topic": topic(1)})).await, too_many);
    wallet.done("irn_fetchMessages", &json!({"topic": topic(1)})).await;
    let receipts = json!({"receipts": [{"topic": topic(1), "messageId": topic(1)}]});
    assert_eq!(wallet.refused("irn_batchReceive", &receipts).await, too_many);
    // Acknowledgements still work.
    dapp.done("irn_publish", &message(&topic(2), "a")).await;
}

#[tokio::test]
async fn a_client_that_never_reads_keeps_nothing_from_the_others() {
    let serving = Serving::configured(&format!("{RELAY}messages_per_topic = 2\n")).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    let mut stale = Peer::open(&serving, 3).await;
    for peer in [&mut stale, &mut wallet] {
        peer.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    }
    drop(stale);
    for number in 0..6 {
        assert_eq!(dapp.done("irn_publish", &message(&topic(1), &number.to_string())).await, true);
        assert_eq!(wallet.takes().await, number.to_string());
        wallet.done("irn_fetchMessages", &json!({"topic": topic(2)})).await;
    }
    // Messages stored for it earlier are still there.
    let mut stale = Peer::open(&serving, 3).await;
    stale.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    assert_eq!((stale.takes().await, stale.takes().await), ("0".into(), "1".into()));
    assert!(stale.is_told_nothing().await);
}

#[tokio::test]
async fn mailboxes_topics_and_sockets_are_bounded() {
    let small = "messages_per_topic = 3\ntopics_per_client = 2\nsockets_per_client = 3\nmib_per_topic = 1\n";
    let serving = Serving::configured(&format!("{RELAY}{small}")).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    for number in 0..3 {
        dapp.done("irn_publish", &message(&topic(1), &number.to_string())).await;
    }
    let full = (-32000, "MailboxLimitExceeded".to_owned());
    // Connected subscribers still receive it.
    assert_eq!(dapp.refused("irn_publish", &message(&topic(1), "3")).await, full);
    for number in 0..4 {
        assert_eq!(wallet.takes().await, number.to_string());
    }
    wallet.done("irn_fetchMessages", &json!({"topic": topic(2)})).await;
    dapp.done("irn_publish", &message(&topic(1), "4")).await;
    let half = "a".repeat(256 * 1024);
    for number in 0..3 {
        dapp.done("irn_publish", &message(&topic(5), &format!("{number}{}", &half[1..]))).await;
    }
    let long = json!({"messages": [message(&topic(6), &half), message(&topic(6), &format!("b{}", &half[1..]))]});
    for _ in 0..2 {
        dapp.done("irn_batchPublish", &long).await;
    }
    wallet.done("irn_subscribe", &json!({"topic": topic(2)})).await;
    assert_eq!(wallet.refused("irn_subscribe", &json!({"topic": topic(3)})).await, (-32000, "SubscribeFailed".into()));
    let third = Peer::open(&serving, 3).await;
    let open = || connect_async(format!("ws://{}{}", serving.address, path(4)));
    match open().await {
        Err(tungstenite::Error::Http(refused)) => assert_eq!(refused.status(), 429),
        other => panic!("{other:?}"),
    }
    drop(third);
    within("room for one more", async { while open().await.is_err() {} }).await;
}

#[tokio::test]
async fn a_client_that_does_not_read_is_told_the_rest_from_its_mailbox() {
    let serving = Serving::configured(&format!("{RELAY}publishes_per_second = 0\nmib_per_topic = 64\n")).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    let body = "a".repeat(100 * 1024);
    for batch in 0..60 {
        let texts: Vec<_> = (0..5).map(|number| message(&topic(1), &format!("{batch}-{number}-{body}"))).collect();
        dapp.done("irn_batchPublish", &json!({"messages": texts})).await;
    }
    let mut heard = std::collections::BTreeSet::new();
    while heard.len() < 300 {
        heard.insert(wallet.takes().await);
    }
    assert!(wallet.is_told_nothing().await);
}

#[tokio::test]
async fn a_client_that_acknowledges_late_is_told_the_rest_and_nothing_twice() {
    let serving =
        Serving::configured(&format!("{RELAY}publishes_per_second = 0\nvisitor_publishes_per_second = 0\n")).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    wallet.done("irn_batchSubscribe", &json!({"topics": [topic(1), topic(2)]})).await;
    for number in [1, 2] {
        for batch in 0..3 {
            let texts: Vec<_> =
                (0..200).map(|count| message(&topic(number), &format!("{number}-{batch}-{count}"))).collect();
            dapp.done("irn_batchPublish", &json!({"messages": texts})).await;
        }
    }
    let mut told = Vec::new();
    while told.len() < 1024 {
        told.push(wallet.told().await);
    }
    assert!(wallet.is_told_nothing().await);
    for one in &told {
        wallet.acknowledge(one).await;
    }
    let mut heard: std::collections::BTreeSet<String> =
        told.iter().map(|told| told["params"]["data"]["message"].to_string()).collect();
    for _ in 1024..1200 {
        assert!(heard.insert(json!(wallet.takes().await).to_string()));
    }
    assert!(wallet.is_told_nothing().await);
}

#[tokio::test]
async fn the_end_of_the_server_is_told_with_1001_after_what_was_asked_is_answered() {
    let serving = Serving::configured(RELAY).await;
    let mut dapp = Peer::open(&serving, DAPP).await;
    let id = dapp.say("irn_publish", &message(&topic(1), "last")).await;
    assert_eq!(dapp.answer(&id).await["result"], true);
    serving.stop.notify_one();
    assert_eq!(dapp.client.next().await, Err((1001, "The server is stopping. Connect again.".into())));
    drop(dapp);
    assert_eq!(within("the end of the server", serving.ended).await.unwrap().unwrap(), Ended::Drained);
}

#[tokio::test]
async fn a_client_is_pinged_every_thirty_seconds_and_given_up_where_it_does_not_answer() {
    let serving = Serving::configured(RELAY).await;
    let mut quiet = serving.open(&path(DAPP)).await;
    let mut deaf = support::socket::raw(&serving, &path(WALLET)).await;
    for _ in 0..4 {
        support::pass(Duration::from_secs(30)).await;
        assert!(matches!(quiet.frame().await, Some(Ok(Message::Ping(_)))));
        quiet.0.send(Message::Ping(Default::default())).await.unwrap();
        assert!(matches!(quiet.frame().await, Some(Ok(Message::Pong(_)))));
    }
    let mut rest = Vec::new();
    within("the end of the socket", tokio::io::AsyncReadExt::read_to_end(&mut deaf, &mut rest)).await.unwrap();
    // RFC 6455 5.5.2: ping without payload.
    assert_eq!(rest, [0x89, 0]);
}

#[tokio::test]
async fn what_cannot_be_stored_is_not_acknowledged_and_the_node_says_that_it_is_not_ready() {
    let serving = Serving::configured(RELAY).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    dapp.done("irn_publish", &message(&topic(1), "before")).await;
    serving.tamper("alter table relay_mailbox rename to elsewhere").await;
    let failed = (-32603, "StorageError".to_owned());
    assert_eq!(dapp.refused("irn_publish", &message(&topic(1), "a")).await, failed);
    assert_eq!(dapp.refused("irn_publish", &message(&topic(1), "a")).await, failed);
    let ready = async || support::status_and_text(serving.server.get("/health/ready").await).await;
    assert_eq!((ready().await.0.as_u16(), ready().await.1.as_str()), (503, "the relay can't store\n"));
    serving.tamper("alter table elsewhere rename to relay_mailbox").await;
    assert_eq!(dapp.done("irn_publish", &message(&topic(1), "a")).await, true);
    assert_eq!(ready().await.0.as_u16(), 200);
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    assert_eq!((wallet.takes().await, wallet.takes().await), ("before".into(), "a".into()));
}
