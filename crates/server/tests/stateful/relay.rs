//! The WalletConnect relay: its methods, its mailboxes and its refusals.

use crate::support;
use portico_walletconnect::attestation::attested_origin;
use serde_json::{Value, json};
use std::time::Duration;
use support::relay::{Peer, RELAY, did, message, path, token, topic};
use support::socket::Serving;
use support::{Server, status_and_text};

const DAPP: u8 = 1;
const WALLET: u8 = 2;

#[tokio::test]
async fn without_its_section_there_is_no_relay() {
    let server = Server::configured("").await;
    for path in ["/relay", "/", "/rpc", "/relay/rpc"] {
        let (status, answer) = status_and_text(server.get(path).await).await;
        assert_eq!((status.as_u16(), answer.contains("There is nothing at this path")), (404, true), "{path}");
    }
    let serving = Serving::configured("").await;
    let opened = tokio_tungstenite::connect_async(format!("ws://{}{}", serving.address, path(DAPP))).await;
    assert!(opened.is_err());
}

#[tokio::test]
async fn a_message_reaches_who_listens_and_not_who_published_it() {
    let serving = Serving::configured(RELAY).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    let one = json!({"topic": topic(1)});
    let id = dapp.done("irn_subscribe", &one).await;
    assert_eq!(wallet.done("irn_subscribe", &one).await.as_str().map(str::len), Some(64));
    // Clients compute the same subscription id from their did:key.
    let own = format!("{}{}", topic(1), did(DAPP));
    assert_eq!(id, sha256(&own));
    let begun = support::relay::now() * 1000;
    assert_eq!(dapp.done("irn_publish", &message(&topic(1), "AA==")).await, true);
    let told = wallet.told().await;
    let data = &told["params"]["data"];
    assert_eq!((&data["topic"], &data["message"], &data["tag"]), (&json!(topic(1)), &json!("AA=="), &json!(1108)));
    assert_eq!(told["params"]["id"], sha256(&format!("{}{}", topic(1), did(WALLET))));
    assert!(data["publishedAt"].as_u64().unwrap() >= begun && data.get("attestation").is_none());
    assert_eq!((told["jsonrpc"].as_str(), told["id"].to_string().len()), (Some("2.0"), 16));
    assert!(dapp.is_told_nothing().await);
    let attested = json!({"topic": topic(1), "message": "BB==", "ttl": 1, "tag": 0, "attestation": "a.b.c"});
    wallet.done("irn_publish", &attested).await;
    assert_eq!(dapp.told().await["params"]["data"]["attestation"], "a.b.c");
}

#[tokio::test]
async fn the_relay_attests_the_page_of_a_browser_in_place_of_what_the_page_says_itself() {
    let serving = Serving::configured(RELAY).await;
    let key = serving.server.get("/relay/attestation-key").await;
    assert_eq!(key.headers()["access-control-allow-origin"], "*");
    let (_, key) = status_and_text(key).await;
    let key = serde_json::from_str::<Value>(&key).unwrap()["key"].as_str().unwrap().to_owned();
    let mut wallet = Peer::open(&serving, WALLET).await;
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    let published = |text: &str, tag: u32| json!({"topic": topic(1), "message": text, "ttl": 300, "tag": tag, "attestation": "a.b.c"});
    let origins = [Some("https://shop.example"), None, Some("null"), Some("https://shop.example/page")];
    for (number, origin) in origins.into_iter().enumerate() {
        let headers: Vec<_> = origin.iter().map(|origin| ("origin", *origin)).collect();
        let mut dapp = Peer::of(serving.open_with(&path(DAPP), &headers).await);
        for tag in [1100, 1108, 1116, 1110] {
            let text = format!("{number}/{tag}");
            dapp.done("irn_publish", &published(&text, tag)).await;
            let told = wallet.told().await;
            wallet.acknowledge(&told).await;
            let attestation = told["params"]["data"]["attestation"].as_str().unwrap();
            let attested = attested_origin(attestation, &key, &sha256(&text), support::relay::now());
            // Only messages that a wallet shows are attested; all else passes as the publisher wrote it.
            if number == 0 && tag != 1110 {
                assert_eq!(attested.as_deref(), origin, "{text}");
                assert!(attestation.len() < 450, "{}", attestation.len());
            } else {
                assert_eq!((attestation, attested), ("a.b.c", None), "{text}");
            }
        }
    }
}

fn sha256(text: &str) -> String {
    use k256::sha2::{Digest, Sha256};
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn a_message_waits_for_whoever_comes_and_leaves_the_mailbox_when_it_is_acknowledged() {
    let serving = Serving::configured(RELAY).await;
    let mut dapp = Peer::open(&serving, DAPP).await;
    dapp.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    // Published before there is a subscriber, as the proposal is before the code is scanned.
    dapp.done("irn_publish", &message(&topic(1), "proposal")).await;
    let mut wallet = Peer::open(&serving, WALLET).await;
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    assert_eq!(wallet.told().await["params"]["data"]["message"], "proposal");
    drop(wallet);
    // Not acknowledged, so it is delivered again.
    let mut wallet = Peer::open(&serving, WALLET).await;
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    assert_eq!(wallet.takes().await, "proposal");
    dapp.done("irn_publish", &message(&topic(1), "request")).await;
    assert_eq!(wallet.takes().await, "request");
    wallet.done("irn_fetchMessages", &json!({"topic": topic(2)})).await;
    drop(wallet);
    let mut wallet = Peer::open(&serving, WALLET).await;
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    let fetched = wallet.done("irn_fetchMessages", &json!({"topic": topic(1)})).await;
    assert_eq!(fetched, json!({"messages": [], "hasMore": false}));
    // A wallet that disconnects keeps its mailbox.
    drop(wallet);
    dapp.done("irn_publish", &message(&topic(1), "while away")).await;
    let mut stranger = Peer::open(&serving, 3).await;
    stranger.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    // Messages published without a subscriber go to every new subscriber.
    assert_eq!(stranger.takes().await, "proposal");
    let mut wallet = Peer::open(&serving, WALLET).await;
    wallet.done("irn_batchSubscribe", &json!({"topics": [topic(1), topic(2)]})).await;
    assert_eq!(wallet.takes().await, "while away");
    assert!(stranger.is_told_nothing().await && wallet.is_told_nothing().await);
}

#[tokio::test]
async fn a_client_that_comes_back_and_asks_for_nothing_is_told_after_five_seconds() {
    let serving = Serving::configured(RELAY).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    drop(wallet);
    dapp.done("irn_publish", &message(&topic(1), "while away")).await;
    let mut wallet = Peer::open(&serving, WALLET).await;
    assert!(wallet.is_told_nothing().await);
    support::pass(Duration::from_secs(5)).await;
    assert_eq!(wallet.takes().await, "while away");
    dapp.done("irn_publish", &message(&topic(1), "and now")).await;
    assert_eq!(wallet.takes().await, "and now");
}

#[tokio::test]
async fn every_socket_of_a_client_is_told_and_one_acknowledgement_is_enough() {
    let serving = Serving::configured(RELAY).await;
    let mut dapp = Peer::open(&serving, DAPP).await;
    let (mut one, mut two) = (Peer::open(&serving, WALLET).await, Peer::open(&serving, WALLET).await);
    for tab in [&mut one, &mut two] {
        tab.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    }
    dapp.done("irn_publish", &message(&topic(1), "a")).await;
    assert_eq!(one.takes().await, "a");
    assert_eq!(two.told().await["params"]["data"]["message"], "a");
    one.done("irn_fetchMessages", &json!({"topic": topic(2)})).await;
    let mut three = Peer::open(&serving, WALLET).await;
    three.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    let fetched = three.done("irn_fetchMessages", &json!({"topic": topic(1)})).await;
    assert_eq!(fetched["messages"], json!([]));
}

#[tokio::test]
async fn a_message_that_is_published_again_is_the_same_message() {
    let serving = Serving::configured(RELAY).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    for _ in 0..3 {
        assert_eq!(dapp.done("irn_publish", &message(&topic(1), "a")).await, true);
    }
    assert_eq!(wallet.takes().await, "a");
    assert_eq!(dapp.done("irn_publish", &message(&topic(1), "a")).await, true);
    let twice = json!({"messages": [message(&topic(1), "b"), message(&topic(1), "b"), message(&topic(1), "a")]});
    assert_eq!(dapp.done("irn_batchPublish", &twice).await, true);
    assert_eq!(wallet.takes().await, "b");
    assert!(wallet.is_told_nothing().await);
    // Equal texts on different topics are different messages.
    wallet.done("irn_subscribe", &json!({"topic": topic(2)})).await;
    dapp.done("irn_publish", &message(&topic(2), "a")).await;
    assert_eq!(wallet.takes().await, "a");
}

#[tokio::test]
async fn whoever_unsubscribes_is_told_no_more_whatever_id_it_names() {
    let serving = Serving::configured(RELAY).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    wallet.done("irn_batchSubscribe", &json!({"topics": [topic(1), topic(2), topic(3)]})).await;
    assert_eq!(wallet.done("irn_unsubscribe", &json!({"topic": topic(1), "id": "made up"})).await, true);
    let many = json!({"subscriptions": [{"topic": topic(2), "id": "7"}, {"topic": topic(9)}]});
    assert_eq!(wallet.done("irn_batchUnsubscribe", &many).await, true);
    for number in 1..=3 {
        dapp.done("irn_publish", &message(&topic(number), "a")).await;
    }
    let told = wallet.told().await;
    assert_eq!(told["params"]["data"]["topic"], topic(3));
    assert!(wallet.is_told_nothing().await);
}

#[tokio::test]
async fn what_has_expired_is_told_to_nobody() {
    let serving = Serving::configured(RELAY).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    for (text, ttl) in [("short", 1), ("long", 300)] {
        let published = json!({"topic": topic(1), "message": text, "ttl": ttl, "tag": 0});
        dapp.done("irn_publish", &published).await;
    }
    serving.tamper("update relay_mailbox set expires_at = expires_at - 1000").await;
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    assert_eq!(wallet.takes().await, "long");
    assert!(wallet.is_told_nothing().await);
    for (ttl, tag) in [(0, "TtlTooShort"), (2_592_001, "TtlTooLong")] {
        let published = json!({"topic": topic(1), "message": "a", "ttl": ttl, "tag": 0});
        assert_eq!(dapp.refused("irn_publish", &published).await, (-32000, tag.into()));
    }
}

#[tokio::test]
async fn fetching_takes_page_by_page_until_there_is_no_more() {
    let serving = Serving::configured(&format!("{RELAY}publishes_per_second = 0\n")).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    for batch in 0..2 {
        let texts = (0..40).map(|number| message(&topic(batch), &format!("{batch}-{number}")));
        dapp.done("irn_batchPublish", &json!({"messages": texts.collect::<Vec<_>>()})).await;
    }
    let both = json!({"topics": [topic(0), topic(1)]});
    let (mut texts, mut pages) = (Vec::new(), 0);
    loop {
        let page = wallet.done("irn_batchFetchMessages", &both).await;
        let messages = page["messages"].as_array().unwrap();
        texts.extend(messages.iter().map(|message| message["message"].as_str().unwrap().to_owned()));
        pages += 1;
        if page["hasMore"] == false {
            break;
        }
    }
    texts.sort();
    let mut all: Vec<String> =
        (0..2).flat_map(|batch| (0..40).map(move |number| format!("{batch}-{number}"))).collect();
    all.sort();
    assert_eq!((texts, pages), (all, 3));
    assert_eq!(wallet.done("irn_batchFetchMessages", &both).await, json!({"messages": [], "hasMore": false}));
}

#[tokio::test]
async fn what_was_fetched_stays_in_the_mailbox_until_a_pong_says_that_it_arrived() {
    let serving = Serving::configured(RELAY).await;
    let mut dapp = Peer::open(&serving, DAPP).await;
    dapp.done("irn_publish", &message(&topic(1), "approval")).await;
    let one = json!({"topic": topic(1)});
    for _ in 0..2 {
        let mut wallet = Peer::open(&serving, WALLET).await;
        let page = wallet.done("irn_fetchMessages", &one).await;
        assert_eq!(page["messages"][0]["message"], "approval");
        // The wallet does not answer the ping after the response, so for the relay the response did not arrive.
        drop(wallet);
    }
    let mut wallet = Peer::open(&serving, WALLET).await;
    wallet.done("irn_fetchMessages", &one).await;
    // Delivered on this socket already; the pong is sent with the next request.
    wallet.done("irn_subscribe", &one).await;
    assert!(wallet.is_told_nothing().await && wallet.is_told_nothing().await);
    let mut again = Peer::open(&serving, WALLET).await;
    assert_eq!(again.done("irn_fetchMessages", &one).await["messages"], json!([]));
}

#[tokio::test]
async fn a_receipt_takes_a_message_from_the_mailbox() {
    let serving = Serving::configured(RELAY).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    for text in ["a", "b"] {
        dapp.done("irn_publish", &message(&topic(1), text)).await;
    }
    let receipts = json!({"receipts": [{"topic": topic(1), "messageId": sha256("a")}, {"topic": topic(1), "messageId": sha256("none")}]});
    assert_eq!(wallet.done("irn_batchReceive", &receipts).await, true);
    let fetched = wallet.done("irn_fetchMessages", &json!({"topic": topic(1)})).await;
    assert_eq!((fetched["messages"][0]["message"].as_str(), fetched["messages"][1].is_null()), (Some("b"), true));
    let wrong = json!({"receipts": [{"topic": topic(1), "messageId": "a"}]});
    assert_eq!(wallet.refused("irn_batchReceive", &wrong).await, (-32600, "InvalidParams".into()));
}

#[tokio::test]
async fn a_proposal_and_an_approval_listen_and_publish_at_once() {
    let serving = Serving::configured(RELAY).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    let proposal = json!({"pairingTopic": topic(1), "sessionProposal": "proposal", "correlationId": 7, "tvf": {"chainId": "eip155:1"}});
    assert_eq!(dapp.done("wc_proposeSession", &proposal).await, true);
    assert_eq!(wallet.done("wc_createTopic", &json!({"topic": topic(1)})).await, true);
    let told = wallet.told().await;
    assert_eq!(
        (&told["params"]["data"]["message"], &told["params"]["data"]["tag"]),
        (&json!("proposal"), &json!(1100))
    );
    let approval = json!({
        "pairingTopic": topic(1), "sessionTopic": topic(2), "sessionProposalResponse": "response",
        "sessionSettlementRequest": "settlement", "approvedChains": ["eip155:1"], "approvedAccounts": ["eip155:1:0x1"],
    });
    assert_eq!(wallet.done("wc_approveSession", &approval).await, true);
    let told = dapp.told().await;
    assert_eq!(
        (&told["params"]["data"]["message"], &told["params"]["data"]["tag"]),
        (&json!("response"), &json!(1101))
    );
    dapp.done("irn_subscribe", &json!({"topic": topic(2)})).await;
    let told = dapp.told().await;
    assert_eq!(
        (&told["params"]["data"]["message"], &told["params"]["data"]["tag"]),
        (&json!("settlement"), &json!(1102))
    );
    // The wallet is subscribed to the session topic already.
    dapp.done("irn_publish", &message(&topic(2), "settled")).await;
    assert_eq!(wallet.takes().await, "settled");
}

#[tokio::test]
async fn a_batch_that_blocks_tells_of_each_topic_whether_it_is_taken() {
    let serving = Serving::configured(&format!("{RELAY}subscribers_per_topic = 1\n")).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    dapp.done("irn_subscribeBlocking", &json!({"topic": topic(1)})).await;
    let both = json!({"topics": [topic(1), topic(2)]});
    let answer = wallet.done("irn_batchSubscribeBlocking", &both).await;
    assert_eq!(answer[0]["error"]["data"], "SubscriberLimitExceeded");
    assert_eq!(answer[1]["id"].as_str().map(str::len), Some(64));
    let full = (-32000, "SubscriberLimitExceeded".into());
    assert_eq!(wallet.refused("irn_subscribe", &json!({"topic": topic(1)})).await, full);
    assert_eq!(wallet.refused("irn_batchSubscribe", &both).await, full);
    // Subscribing twice is allowed.
    dapp.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    dapp.done("irn_publish", &message(&topic(2), "a")).await;
    assert_eq!(wallet.takes().await, "a");
}

#[tokio::test]
async fn webhooks_are_refused_and_their_tokens_looked_at() {
    let serving = Serving::configured(RELAY).await;
    let mut wallet = Peer::open(&serving, WALLET).await;
    let now = support::relay::now();
    let token = |act: &str| {
        let claims = json!({
            "act": act, "typ": "subscriber", "iss": did(WALLET), "sub": "https://hook.example", "aud": "ws://localhost:5555",
            "iat": now, "exp": now + 60, "whu": "https://hook.example/wc", "tag": [1100], "sts": ["accepted"],
        });
        portico_walletconnect::jwt::ClientKey::from_seed(&[WALLET; 32]).sign_claims(&claims.to_string())
    };
    let register = json!({"registerAuth": token("irn_watchRegister")});
    assert_eq!(wallet.refused("irn_watchRegister", &register).await, (-32000, "InvalidWebhookUrl".into()));
    for wrong in ["", "a.b.c", &token("irn_watchUnregister")] {
        let register = json!({"registerAuth": wrong});
        assert_eq!(wallet.refused("irn_watchRegister", &register).await, (-32000, "InvalidJwt".into()), "{wrong}");
    }
    let unregister = json!({"unregisterAuth": token("irn_watchUnregister")});
    assert_eq!(wallet.done("irn_watchUnregister", &unregister).await, true);
}

#[tokio::test]
async fn posted_requests_are_answered_as_those_of_a_socket() {
    let server = Server::configured(RELAY).await;
    let query = path(DAPP).replace("/?", "");
    let post = async |path: &str, body: &Value| {
        let (status, text) = status_and_text(server.post(&format!("{path}?{query}"), body.to_string()).await).await;
        assert_eq!(status.as_u16(), 200);
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let id = 1_700_000_000_000_000_000_u64;
    let publish = json!({"id": id, "jsonrpc": "2.0", "method": "irn_publish", "params": message(&topic(1), "a")});
    assert_eq!(post("/relay/rpc", &publish).await, json!({"id": id, "jsonrpc": "2.0", "result": true}));
    let fetch = json!({"id": id, "jsonrpc": "2.0", "method": "irn_fetchMessages", "params": {"topic": topic(1)}});
    // The publisher does not receive its own messages.
    assert_eq!(post("/rpc", &fetch).await["result"]["messages"], json!([]));
    let query = path(WALLET).replace("/?", "");
    let (_, text) = status_and_text(server.post(&format!("/rpc?{query}"), fetch.to_string()).await).await;
    assert!(text.contains(r#""message":"a""#), "{text}");
    let (_, text) = status_and_text(server.post(&format!("/rpc?{query}"), fetch.to_string()).await).await;
    assert!(text.contains(r#""messages":[]"#), "{text}");
    let (status, text) = status_and_text(server.post("/rpc?projectId=demo", fetch.to_string()).await).await;
    assert_eq!((status.as_u16(), text.contains(r#""code":3000"#), text.contains("MissingJwt")), (401, true, true));
    let (status, text) =
        status_and_text(server.post(&format!("/rpc?auth={}", token(DAPP, "ws://localhost")), "{}").await).await;
    assert_eq!((status.as_u16(), text.contains("ProjectIdNotSpecified")), (401, true), "{text}");
}

#[tokio::test]
async fn what_did_not_fit_is_told_though_it_was_not_stored_yet_when_the_mailbox_was_read() {
    let serving = Serving::configured(RELAY).await;
    let (mut dapp, mut wallet) = (Peer::open(&serving, DAPP).await, Peer::open(&serving, WALLET).await);
    wallet.done("irn_subscribe", &json!({"topic": topic(1)})).await;
    let held = serving.server.place.hold().await;
    // Two of this size exceed the send queue of a socket.
    let long = |letter: &str| message(&topic(1), &letter.repeat(256 * 1024));
    let id = dapp.say("irn_batchPublish", &json!({"messages": [long("a"), long("b")]})).await;
    assert!(wallet.takes().await.starts_with('a'));
    for _ in 0..3 {
        assert!(wallet.is_told_nothing().await);
    }
    held.end().await;
    assert_eq!(dapp.answer(&id).await["result"], true);
    assert!(wallet.takes().await.starts_with('b'));
    assert!(wallet.is_told_nothing().await);
}

#[tokio::test]
async fn what_waits_to_be_stored_takes_memory_and_what_has_no_room_is_refused_at_once() {
    let serving = Serving::configured(&format!("max_body_memory_mib = 4\n{RELAY}")).await;
    let mut dapp = Peer::open(&serving, DAPP).await;
    let held = serving.server.place.hold().await;
    let mut ids = Vec::new();
    for letter in ["a", "b", "c", "d"] {
        ids.push(dapp.say("irn_publish", &message(&topic(1), &letter.repeat(256 * 1024))).await);
    }
    assert_eq!(dapp.answer(&ids[3]).await["error"]["data"], "TooManyRequests");
    held.end().await;
    let mut stored = std::collections::BTreeSet::new();
    for _ in 0..3 {
        let answer = dapp.client.next().await.unwrap();
        assert_eq!(answer["result"], true, "{answer}");
        stored.insert(answer["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(stored, ids[..3].iter().cloned().collect());
}
