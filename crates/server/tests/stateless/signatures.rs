//! Subscriptions to signatures of Solana.

use crate::support;
use serde_json::{Value, json};
use std::time::Duration;
use support::signature::{
    CHAIN, Connection, SIGNATURE_SOCKET, SolanaNode, accepted, confirmed, event, outcome, serving, signature,
    subscribe, unsubscribe,
};
use support::socket::{Client, Node, SOCKET, Serving};
use support::{Upstream, in_no_time, pass};
use tokio::time::advance;

/// Time after which a subscription ends without an event.
const LIFETIME: Duration = Duration::from_secs(300);

#[tokio::test]
async fn a_signature_is_told_once_under_a_number_of_ours_and_its_subscription_has_ended() {
    let node = SolanaNode::start().await;
    let serving = serving("rpc.subscriptions_per_socket = 3\n", &[&node]).await;
    let mut client = serving.open(SIGNATURE_SOCKET).await;
    client.say(&subscribe(1)).await;
    let mut line = node.connection().await;
    assert_eq!(line.accept(70).await, confirmed(1));
    let landed = accepted(&mut client).await;
    client.say(&subscribe(2)).await;
    line.accept(71).await;
    let failed = accepted(&mut client).await;
    assert!(landed != failed && ![70, 71].contains(&landed), "{landed} {failed}");
    // Keeps the connection open.
    client.say(&subscribe(3)).await;
    line.accept(72).await;
    accepted(&mut client).await;
    let error = json!({"InstructionError": [0, {"Custom": 1}]});
    line.tell(71, &outcome(9, &error)).await;
    assert_eq!(client.next().await, Ok(event(failed, &outcome(9, &error))));
    line.tell(70, &outcome(8, &json!(null))).await;
    assert_eq!(client.next().await, Ok(event(landed, &outcome(8, &json!(null)))));
    // The node has ended both, so it hears nothing of them, tells nothing more of them, and their places are free.
    line.tell(70, &outcome(8, &json!(null))).await;
    for id in [landed, failed] {
        client.say(&unsubscribe(id)).await;
        assert_eq!(error_of(&mut client).await, (-32602, "Invalid subscription id.".into()));
    }
    for (number, name) in [(4, 73), (5, 74)] {
        client.say(&subscribe(number)).await;
        assert_eq!(line.accept(name).await, confirmed(number));
        accepted(&mut client).await;
    }
}

#[tokio::test]
async fn a_client_that_unsubscribes_hears_nothing_more_and_the_node_is_told_so() {
    let node = SolanaNode::start().await;
    let serving = serving("", &[&node]).await;
    let (mut client, mut line, id) = subscribed(&serving, &node).await;
    // Keeps the connection open.
    client.say(&subscribe(2)).await;
    line.accept(2).await;
    let other = accepted(&mut client).await;
    for wrong in [json!([]), json!([id.to_string()]), json!([id, other]), json!(null), json!([-1])] {
        client.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "signatureUnsubscribe", "params": wrong})).await;
        assert_eq!(error_of(&mut client).await.0, -32602, "{wrong}");
    }
    client.say(&unsubscribe(id)).await;
    assert_eq!(client.next().await, Ok(json!({"jsonrpc": "2.0", "id": "u", "result": true})));
    line.ends(1).await;
    line.tell(1, &outcome(1, &json!(null))).await;
    line.tell(2, &outcome(2, &json!(null))).await;
    assert_eq!(client.next().await, Ok(event(other, &outcome(2, &json!(null)))));
}

#[tokio::test]
async fn equal_subscriptions_of_several_clients_are_one_for_the_node_until_its_event() {
    let node = SolanaNode::start().await;
    let serving = serving("", &[&node]).await;
    let (mut one, mut two) = (serving.open(SIGNATURE_SOCKET).await, serving.open(SIGNATURE_SOCKET).await);
    one.say(&subscribe(1)).await;
    let mut line = node.connection().await;
    line.accept(5).await;
    let first = accepted(&mut one).await;
    let mut spaced = subscribe(1);
    spaced["params"][1]["enableReceivedNotification"] = json!(false);
    two.say(&spaced).await;
    let second = accepted(&mut two).await;
    assert_ne!(first, second);
    line.tell(5, &outcome(3, &json!(null))).await;
    assert_eq!(one.next().await, Ok(event(first, &outcome(3, &json!(null)))));
    assert_eq!(two.next().await, Ok(event(second, &outcome(3, &json!(null)))));
    // A later one is a new subscription, over a new connection, as nothing was subscribed to.
    two.say(&subscribe(1)).await;
    let mut line = node.connection().await;
    assert_eq!(line.accept(6).await, confirmed(1));
    let third = accepted(&mut two).await;
    line.tell(6, &outcome(3, &json!(null))).await;
    assert_eq!(two.next().await, Ok(event(third, &outcome(3, &json!(null)))));
}

#[tokio::test]
async fn an_event_that_comes_before_the_answer_to_its_subscription_is_told_after_it() {
    let node = SolanaNode::start().await;
    let serving = serving("", &[&node]).await;
    let mut client = serving.open(SIGNATURE_SOCKET).await;
    client.say(&subscribe(1)).await;
    let mut line = node.connection().await;
    let order = line.order().await;
    line.tell(9, &outcome(4, &json!(null))).await;
    line.say(&json!({"jsonrpc": "2.0", "id": order["id"], "result": 9})).await;
    let id = accepted(&mut client).await;
    assert_eq!(client.next().await, Ok(event(id, &outcome(4, &json!(null)))));
}

#[tokio::test]
async fn when_the_node_is_lost_midway_another_tells_the_signature_under_the_same_id() {
    let (first, second) = (SolanaNode::start().await, SolanaNode::start().await);
    let serving = serving("", &[&first, &second]).await;
    let (mut client, line, id) = subscribed(&serving, &first).await;
    drop(line);
    let mut line = second.connection().await;
    assert_eq!(line.accept(40).await, confirmed(1));
    line.tell(40, &outcome(6, &json!(null))).await;
    assert_eq!(client.next().await, Ok(event(id, &outcome(6, &json!(null)))));
}

#[tokio::test]
async fn a_node_that_tells_nonsense_or_of_other_subscriptions_is_not_believed() {
    let node = SolanaNode::start().await;
    let serving = serving("", &[&node]).await;
    let (mut client, mut line, id) = subscribed(&serving, &node).await;
    for lie in [
        event(2, &outcome(1, &json!(null))),
        event(id + 1000, &outcome(1, &json!(null))),
        event(1, &json!({"context": {"slot": 1}, "value": "receivedSignature"})),
        event(1, &json!({"context": {"slot": 1}, "value": {}})),
        event(1, &json!({"context": {"slot": -1}, "value": {"err": null}})),
        event(1, &json!({"context": {"slot": 1}, "value": {"err": "x".repeat(5000)}})),
        json!({"jsonrpc": "2.0", "method": "signatureNotification", "params": {"subscription": "1", "result": outcome(1, &json!(null))}}),
        json!({"jsonrpc": "2.0", "id": 1, "result": 1}),
        json!([1]),
    ] {
        line.say(&lie).await;
    }
    // Only slot and error are passed on.
    let told = json!({"context": {"slot": 7, "apiVersion": "4.1.2"}, "value": {"err": null, "more": [1]}, "more": 1});
    line.tell(1, &told).await;
    assert_eq!(client.next().await, Ok(event(id, &outcome(7, &json!(null)))));
}

#[tokio::test]
async fn a_node_that_gives_two_signatures_one_id_is_left_for_another() {
    let (first, second) = (SolanaNode::start().await, SolanaNode::start().await);
    let serving = serving("", &[&first, &second]).await;
    let (mut client, mut line, one) = subscribed(&serving, &first).await;
    client.say(&subscribe(2)).await;
    line.accept(1).await;
    let mut line = second.connection().await;
    let names = [line.accept(21).await, line.accept(22).await];
    let two = accepted(&mut client).await;
    for (name, params) in [21, 22].into_iter().zip(&names) {
        let (id, slot) = if *params == confirmed(1) { (one, 1) } else { (two, 2) };
        line.tell(name, &outcome(slot, &json!(null))).await;
        assert_eq!(client.next().await, Ok(event(id, &outcome(slot, &json!(null)))));
    }
}

#[tokio::test]
async fn a_node_whose_message_is_far_longer_than_an_event_is_left_for_another() {
    let (first, second) = (SolanaNode::start().await, SolanaNode::start().await);
    let serving = serving("", &[&first, &second]).await;
    let (mut client, mut line, id) = subscribed(&serving, &first).await;
    line.tell(1, &outcome(1, &json!("x".repeat(65 * 1024)))).await;
    let mut line = second.connection().await;
    line.accept(2).await;
    line.tell(2, &outcome(3, &json!(null))).await;
    assert_eq!(client.next().await, Ok(event(id, &outcome(3, &json!(null)))));
}

#[tokio::test]
async fn a_subscription_that_the_node_accepts_too_late_ends_unless_the_client_has_come_again() {
    let node = SolanaNode::start().await;
    let serving = serving("", &[&node]).await;
    let (mut client, mut line, open) = subscribed(&serving, &node).await;
    let mut late = Vec::new();
    for number in [2, 3] {
        client.say(&subscribe(number)).await;
        late.push(line.order().await["id"].clone());
        pass(Duration::from_secs(9)).await;
        let told = "The node didn't accept the subscription within 8 seconds. Try again.";
        assert_eq!(error_of(&mut client).await, (-32603, told.into()));
    }
    line.say(&json!({"jsonrpc": "2.0", "id": late[0], "result": 2})).await;
    line.ends(2).await;
    // The node gives both subscriptions of the client to this signature one id.
    client.say(&subscribe(3)).await;
    let again = line.order().await["id"].clone();
    for id in [&late[1], &again] {
        line.say(&json!({"jsonrpc": "2.0", "id": id, "result": 3})).await;
    }
    let id = accepted(&mut client).await;
    client.say(&unsubscribe(open)).await;
    line.ends(1).await;
    line.tell(3, &outcome(5, &json!(null))).await;
    assert_eq!(client.next().await.unwrap()["result"], true);
    assert_eq!(client.next().await, Ok(event(id, &outcome(5, &json!(null)))));
}

#[tokio::test]
async fn a_signature_of_which_the_node_tells_nothing_ends_after_five_minutes() {
    let node = SolanaNode::start().await;
    let serving = serving("rpc.subscriptions_per_socket = 2\n", &[&node]).await;
    let (mut client, mut line, old) = subscribed(&serving, &node).await;
    in_no_time(async {
        advance(LIFETIME / 2).await;
        client.say(&subscribe(2)).await;
        line.accept(2).await;
        let young = accepted(&mut client).await;
        client.say(&subscribe(3)).await;
        assert_eq!(error_of(&mut client).await.0, -32005);
        advance(LIFETIME / 2 + Duration::from_secs(1)).await;
        line.ends(1).await;
        client.say(&unsubscribe(old)).await;
        assert_eq!(error_of(&mut client).await.0, -32602);
        // Its place is free again.
        client.say(&subscribe(3)).await;
        line.accept(3).await;
        accepted(&mut client).await;
        line.tell(2, &outcome(1, &json!(null))).await;
        assert_eq!(client.next().await, Ok(event(young, &outcome(1, &json!(null)))));
    })
    .await;
}

#[tokio::test]
async fn what_is_no_subscription_to_a_signature_is_an_error_that_says_what_is() {
    let node = SolanaNode::start().await;
    let serving = serving("", &[&node]).await;
    let mut client = serving.open(SIGNATURE_SOCKET).await;
    let long = "1".repeat(17 * 1024);
    for params in [
        json!(null),
        json!([]),
        json!(["0x12"]),
        json!([signature(1), {"commitment": "recent"}]),
        json!([signature(1), {"commitment": "confirmed", "enableReceivedNotification": true}]),
        json!([signature(1), [], 1]),
        json!([long]),
    ] {
        client.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "signatureSubscribe", "params": params})).await;
        assert_eq!(error_of(&mut client).await.0, -32602, "{params}");
    }
    for (method, told) in [
        ("eth_subscribe", format!("The chain {CHAIN} has no eth_subscribe. Use signatureSubscribe.")),
        ("eth_unsubscribe", format!("The chain {CHAIN} has no eth_unsubscribe. Use signatureUnsubscribe.")),
        ("accountSubscribe", "The method accountSubscribe isn't allowed on this server".into()),
    ] {
        client.say(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": ["newHeads"]})).await;
        assert_eq!(error_of(&mut client).await, (-32601, told));
    }
    let http = Upstream::echo().await;
    let ethereum = Node::start("a").await;
    let serving = Serving::with("", &http, &[&ethereum.url]).await;
    let mut client = serving.open(SOCKET).await;
    client.say(&subscribe(1)).await;
    let told = "The chain eip155:31337 has no signatureSubscribe. Use eth_subscribe.";
    assert_eq!(error_of(&mut client).await, (-32601, told.into()));
}

#[tokio::test]
async fn chains_without_subscriptions_refuse_them_as_before() {
    let bitcoin = "bip122:000000000019d6689c085ae165831e93";
    let polkadot = "polkadot:91b171bb158e2d3848fa23a9f1c25182";
    let chain = |id: &str| format!("[[chains]]\nid = {id:?}\nupstreams = [\"http://127.0.0.1:9\"]\n");
    let serving = Serving::configured(&[bitcoin, polkadot, CHAIN].map(chain).concat()).await;
    for id in [bitcoin, polkadot] {
        let mut client = serving.open(&format!("/v1/ws?chainId={id}&projectId=demo")).await;
        client.say(&subscribe(1)).await;
        let told = "The method signatureSubscribe isn't allowed on this server";
        assert_eq!(error_of(&mut client).await, (-32601, told.into()));
    }
    let mut client = serving.open(SIGNATURE_SOCKET).await;
    client.say(&subscribe(1)).await;
    let told = format!("No node of the chain {CHAIN} supports subscriptions. Poll instead.");
    assert_eq!(error_of(&mut client).await, (-32603, told));
}

#[tokio::test]
async fn a_signature_that_the_node_refuses_is_refused_with_its_words() {
    let node = SolanaNode::start().await;
    let serving = serving("", &[&node]).await;
    let mut client = serving.open(SIGNATURE_SOCKET).await;
    client.say(&subscribe(1)).await;
    let mut line = node.connection().await;
    let order = line.order().await;
    let refused = json!({"code": -32603, "message": "Subscription refused. Node subscription limit reached"});
    line.say(&json!({"jsonrpc": "2.0", "id": order["id"], "error": refused})).await;
    let told = "Subscription refused. Node subscription limit reached";
    assert_eq!(error_of(&mut client).await, (-32603, told.into()));
}

/// Client with a subscription to the first signature that the node accepted as 1; the node's connection, and the subscription's id at the client.
async fn subscribed(serving: &Serving, node: &SolanaNode) -> (Client, Connection, u64) {
    let mut client = serving.open(SIGNATURE_SOCKET).await;
    client.say(&subscribe(1)).await;
    let mut line = node.connection().await;
    assert_eq!(line.accept(1).await, confirmed(1));
    let id = accepted(&mut client).await;
    (client, line, id)
}

/// Code and message of the error that the client gets next.
async fn error_of(client: &mut Client) -> (i64, String) {
    let answer: Value = client.next().await.unwrap();
    let error = &answer["error"];
    (error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned())
}
