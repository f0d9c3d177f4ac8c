//! Subscriptions over WebSocket.

use crate::support;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::Duration;
use support::socket::{Client, Node, SOCKET, Serving, event};
use support::{Upstream, call, in_no_time, pass, within};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, accept_async, connect_async};

#[tokio::test]
async fn what_happens_reaches_who_subscribed_under_an_id_of_ours() {
    let (http, mut node) = (Upstream::echo().await, Node::start("a").await);
    let serving = Serving::with("", &http, &[&node.url]).await;
    let mut client = serving.open(SOCKET).await;
    let heads = client.subscribe(&json!(["newHeads"])).await;
    let logs = client.subscribe(&json!(["logs", {"address": "0x1"}])).await;
    assert!(heads != logs && !heads.contains("a-"), "{heads} {logs}");
    assert_eq!(node.heard().await["params"], json!(["newHeads"]));
    assert_eq!(node.heard().await["params"], json!(["logs", {"address": "0x1"}]));
    node.happens("a-logs", &json!({"data": "0x"}));
    assert_eq!(client.next().await, Ok(event(&logs, &json!({"data": "0x"}))));
    // An event of an unknown subscription is dropped.
    node.happens("a-other", &json!(1));
    node.happens("a-newHeads", &json!({"number": "0x1"}));
    assert_eq!(client.next().await, Ok(event(&heads, &json!({"number": "0x1"}))));
    // A cancelled subscription receives nothing more.
    let unsubscribe = json!({"jsonrpc": "2.0", "id": 9, "method": "eth_unsubscribe", "params": [logs]});
    for known in [true, false] {
        client.say(&unsubscribe).await;
        assert_eq!(client.next().await, Ok(json!({"jsonrpc": "2.0", "id": 9, "result": known})));
    }
    assert_eq!(node.heard().await["params"], json!(["a-logs"]));
    node.happens("a-logs", &json!(2));
    node.happens("a-newHeads", &json!(3));
    assert_eq!(client.next().await, Ok(event(&heads, &json!(3))));
}

#[tokio::test]
async fn when_the_node_is_lost_another_tells_the_same_under_the_same_ids() {
    let (http, mut first, mut second) = (Upstream::echo().await, Node::start("a").await, Node::start("b").await);
    let serving = Serving::with("", &http, &[&first.url, &second.url]).await;
    let mut client = serving.open(SOCKET).await;
    let heads = client.subscribe(&json!(["newHeads"])).await;
    let pending = client.subscribe(&json!(["newPendingTransactions"])).await;
    first.heard().await;
    first.hangs_up();
    for _ in 0..2 {
        second.heard().await;
    }
    second.happens("b-newHeads", &json!(1));
    second.happens("b-newPendingTransactions", &json!("0x2"));
    assert_eq!(client.next().await, Ok(event(&heads, &json!(1))));
    assert_eq!(client.next().await, Ok(event(&pending, &json!("0x2"))));
}

#[tokio::test]
async fn what_many_clients_of_a_chain_subscribe_to_is_asked_of_its_node_once() {
    let (http, mut node) = (Upstream::echo().await, Node::start("a").await);
    let serving = Serving::with("", &http, &[&node.url]).await;
    let (mut one, mut two) = (serving.open(SOCKET).await, serving.open(SOCKET).await);
    let ids = [
        one.subscribe(&json!(["newHeads"])).await,
        two.subscribe(&json!(["newHeads"])).await,
        two.subscribe(&json!(["newHeads"])).await,
    ];
    assert!(ids[0] != ids[1] && ids[1] != ids[2]);
    let logs = one.subscribe(&json!(["logs", {"topics": [], "address": "0x1"}])).await;
    node.happens("a-newHeads", &json!({"number": "0x1"}));
    assert_eq!(one.next().await, Ok(event(&ids[0], &json!({"number": "0x1"}))));
    for id in &ids[1..] {
        assert_eq!(two.next().await, Ok(event(id, &json!({"number": "0x1"}))));
    }
    // Two subscribe requests, both over one connection.
    let heard = [node.heard().await, node.heard().await];
    assert_eq!(heard.map(|order| order["id"].clone()), [json!(1), json!(2)]);
    assert!(node.heard.try_recv().is_err());
    assert_eq!(node.tell.receiver_count(), 1);
    // When one client leaves, the others stay subscribed; the last one ends the subscription.
    drop(one);
    assert_eq!(node.heard().await["params"], json!(["a-logs"]));
    node.happens("a-logs", &json!(logs));
    for (place, left) in [(1, 2), (2, 1)] {
        node.happens("a-newHeads", &json!(left));
        for id in &ids[place..] {
            assert_eq!(two.next().await, Ok(event(id, &json!(left))));
        }
        two.say(&json!({"jsonrpc": "2.0", "id": 9, "method": "eth_unsubscribe", "params": [ids[place]]})).await;
        assert_eq!(two.next().await.unwrap()["result"], true);
    }
    assert_eq!(node.heard().await["params"], json!(["a-newHeads"]));
    // The next client subscribes anew.
    two.subscribe(&json!(["newHeads"])).await;
    assert_eq!(node.heard().await["id"], 1);
}

#[tokio::test]
async fn a_subscription_that_the_node_refuses_is_refused_to_each_who_asked_and_the_others_stay() {
    let http = Upstream::echo().await;
    let mut node = Node::start("a").await;
    let serving = Serving::with("", &http, &[&node.url]).await;
    let (mut one, mut two) = (serving.open(SOCKET).await, serving.open(SOCKET).await);
    let heads = one.subscribe(&json!(["newHeads"])).await;
    for client in [&mut one, &mut two] {
        client
            .say(&json!({"jsonrpc": "2.0", "id": 5, "method": "eth_subscribe", "params": ["logs", {"refuse": true}]}))
            .await;
        let answer = client.next().await.unwrap();
        assert_eq!((&answer["id"], &answer["error"]["message"]), (&json!(5), &json!("no such filter")));
    }
    node.happens("a-newHeads", &json!(1));
    assert_eq!(one.next().await, Ok(event(&heads, &json!(1))));
    for _ in 0..3 {
        node.heard().await;
    }
}

#[tokio::test]
async fn a_subscription_on_which_nodes_hang_up_ends_and_comes_back_only_once_those_of_the_others_hold() {
    let http = Upstream::echo().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    let serving = Serving::with("", &http, &[&url]).await;
    let (mut calm, mut odd) = (serving.open(SOCKET).await, serving.open(SOCKET).await);
    for kind in ["newHeads", "newPendingTransactions"] {
        calm.say(&subscribe(kind)).await;
    }
    let mut node = connection(&listener).await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        confirm(&mut node).await;
        ids.push(calm.next().await.unwrap()["result"].clone());
    }
    odd.say(&subscribe("logs")).await;
    assert_eq!(order(&mut node).await["params"], json!(["logs"]));
    // The first two connections end, and the third is opened after a pause.
    drop(node);
    drop(connection(&listener).await);
    let answer = odd.next().await.unwrap();
    assert_eq!(answer["error"]["message"], "Nodes close this subscription. Poll instead.", "{answer}");
    for kind in ["logs", "newHeads"] {
        odd.say(&subscribe(kind)).await;
    }
    // Orders of a client stay in order, so the one before has been read.
    assert!(odd.next().await.unwrap()["result"].is_string());
    let mut node = connection(&listener).await;
    // The pause after which the third is opened begins with the answers, and does not end here on a slow machine.
    in_no_time(async {
        let mut again = [confirm(&mut node).await, confirm(&mut node).await];
        again.sort();
        assert_eq!(again, ["newHeads", "newPendingTransactions"]);
        calm.say(&json!({"jsonrpc": "2.0", "id": 9, "method": "eth_unsubscribe", "params": [ids[1]]})).await;
        assert_eq!(order(&mut node).await["method"], "eth_unsubscribe");
    })
    .await;
    let params = json!({"subscription": "of newHeads", "result": 1});
    let told = json!({"jsonrpc": "2.0", "method": "eth_subscription", "params": params});
    node.send(Message::text(told.to_string())).await.unwrap();
    assert_eq!(calm.next().await.unwrap()["result"], true);
    assert_eq!(calm.next().await, Ok(event(ids[0].as_str().unwrap(), &json!(1))));
    pass(Duration::from_secs(10)).await;
    assert_eq!(confirm(&mut node).await, "logs");
}

/// Next connection of the server to a node.
async fn connection(listener: &TcpListener) -> WebSocketStream<TcpStream> {
    accept_async(within("a connection to the node", listener.accept()).await.unwrap().0).await.unwrap()
}

/// Next order that the node receives.
async fn order(node: &mut WebSocketStream<TcpStream>) -> Value {
    let heard = within("a request to the node", node.next()).await.unwrap().unwrap();
    serde_json::from_str(heard.to_text().unwrap()).unwrap()
}

/// Accepts the next subscription as "of <kind>", and returns its kind.
async fn confirm(node: &mut WebSocketStream<TcpStream>) -> String {
    let order = order(node).await;
    assert_eq!(order["method"], "eth_subscribe", "{order}");
    let kind = order["params"][0].as_str().unwrap().to_owned();
    let answer = json!({"jsonrpc": "2.0", "id": order["id"], "result": format!("of {kind}")});
    node.send(Message::text(answer.to_string())).await.unwrap();
    kind
}

#[tokio::test]
async fn a_subscription_that_no_further_node_takes_closes_its_own_websocket_alone() {
    let http = Upstream::echo().await;
    let node = Node::start("a").await;
    let serving = Serving::with("", &http, &[&node.url]).await;
    let (mut calm, mut odd) = (serving.open(SOCKET).await, serving.open(SOCKET).await);
    let heads = calm.subscribe(&json!(["newHeads"])).await;
    odd.subscribe(&json!(["logs", {"refuse_later": true}])).await;
    node.hangs_up();
    assert_eq!(
        odd.next().await,
        Err((1012, "No node of the chain eip155:31337 supports subscriptions. Poll instead.".to_owned()))
    );
    serving.open(SOCKET).await.subscribe(&json!(["newPendingTransactions"])).await;
    node.happens("a-newHeads", &json!(1));
    assert_eq!(calm.next().await, Ok(event(&heads, &json!(1))));
}

#[tokio::test]
async fn who_reads_too_slowly_is_closed_and_holds_up_nobody_else() {
    let (http, node) = (Upstream::echo().await, Node::start("a").await);
    let serving = Serving::with("", &http, &[&node.url]).await;
    let (mut slow, mut quick) = (serving.open_narrow(SOCKET).await, serving.open(SOCKET).await);
    slow.subscribe(&json!(["newHeads"])).await;
    let id = quick.subscribe(&json!(["newHeads"])).await;
    let large = json!("x".repeat(1024 * 1024));
    // More than the queue and the buffers of two sockets hold together; not many more, as the close frame must arrive within five seconds.
    for _ in 0..16 {
        node.happens("a-newHeads", &large);
        assert_eq!(quick.next().await.unwrap()["params"]["subscription"], json!(id));
    }
    let mut taken = 0;
    let closed = loop {
        match slow.next().await {
            Ok(_) => taken += 1,
            Err(closed) => break closed,
        }
    };
    assert_eq!(closed, (1008, "Reading too slowly, with 8 MiB waiting. Connect again.".into()));
    assert!(taken < 8, "{taken}");
    node.happens("a-newHeads", &large);
    assert_eq!(quick.next().await.unwrap()["params"]["subscription"], json!(id));
    let mut next = serving.open(SOCKET).await;
    next.say(&call(7, "eth_chainId")).await;
    assert_eq!(next.next().await.unwrap()["result"], "eth_chainId");
}

#[tokio::test]
async fn when_no_node_is_left_the_client_is_told_to_come_again() {
    let (http, mut node) = (Upstream::echo().await, Node::start("a").await);
    let gone = Upstream::absent().await.replace("http", "ws");
    let serving = Serving::with("", &http, &[&gone]).await;
    let mut client = serving.open(SOCKET).await;
    client.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": ["newHeads"]})).await;
    let expected = Err((1012, "No node of the chain eip155:31337 supports subscriptions. Poll instead.".to_owned()));
    assert_eq!(client.next().await, expected);
    assert!(node.heard.try_recv().is_err());
}

#[tokio::test]
async fn what_cannot_be_subscribed_to_is_an_error_and_the_connection_stays() {
    let (http, node) = (Upstream::echo().await, Node::start("a").await);
    let serving = Serving::with("rpc.subscriptions_per_socket = 1\n", &http, &[&node.url]).await;
    let mut client = serving.open(SOCKET).await;
    for (params, code) in [(json!(["syncing"]), -32602), (json!([]), -32602), (json!(null), -32602)] {
        client.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": params})).await;
        assert_eq!(client.next().await.unwrap()["error"]["code"], code, "{params}");
    }
    client.subscribe(&json!(["newHeads"])).await;
    client.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": ["logs", {}]})).await;
    assert_eq!(client.next().await.unwrap()["error"]["code"], -32005);
    let plain =
        Serving::configured(&format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{:?}]\n", http.url)).await;
    let mut client = plain.open(SOCKET).await;
    client.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "eth_subscribe", "params": ["newHeads"]})).await;
    assert_eq!(client.next().await.unwrap()["error"]["code"], -32603);
}

#[tokio::test]
async fn an_order_whose_id_json_rpc_does_not_know_is_no_order() {
    let (http, node) = (Upstream::echo().await, Node::start("a").await);
    let serving = Serving::with("", &http, &[&node.url]).await;
    let mut client = serving.open(SOCKET).await;
    for method in ["eth_subscribe", "eth_unsubscribe"] {
        client.say(&json!({"jsonrpc": "2.0", "id": {"a": 1}, "method": method, "params": ["newHeads"]})).await;
        let answer = client.next().await.unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(null), &json!(-32700)), "{answer}");
    }
}

fn subscribe(kind: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": "s", "method": "eth_subscribe", "params": [kind]})
}

#[tokio::test]
async fn who_leaves_before_the_node_answered_and_comes_again_makes_it_tell_nothing_twice() {
    let http = Upstream::echo().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    let serving = Serving::with("rpc.sockets_per_client = 2\n", &http, &[&url]).await;
    // Keeps the connection to the node open.
    let mut other = serving.open(SOCKET).await;
    other.say(&subscribe("logs")).await;
    let mut node = accept_async(within("a connection to the node", listener.accept()).await.unwrap().0).await.unwrap();
    let mut asked = Vec::new();
    let mut client = serving.open(SOCKET).await;
    for _ in 0..3 {
        client.say(&subscribe("newHeads")).await;
        client.say(&call(1, "eth_chainId")).await;
        client.next().await.unwrap();
        drop(client);
        // The limit of two sockets has room again once the closed one is removed.
        let room = async {
            loop {
                if let Ok((stream, _)) = connect_async(format!("ws://{}{SOCKET}", serving.address)).await {
                    break Client(stream);
                }
            }
        };
        client = within("room for one more", room).await;
    }
    client.say(&subscribe("newHeads")).await;
    client.say(&subscribe("newPendingTransactions")).await;
    while asked.last() != Some(&json!("newPendingTransactions")) {
        let heard = within("a request to the node", node.next()).await.unwrap().unwrap();
        let order: Value = serde_json::from_str(heard.to_text().unwrap()).unwrap();
        asked.push(order["params"][0].clone());
    }
    assert_eq!(asked, [json!("logs"), json!("newHeads"), json!("newPendingTransactions")]);
    for id in 1..=3 {
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": format!("n{id}")});
        node.send(Message::text(answer.to_string())).await.unwrap();
    }
    let [heads, pending] =
        [client.next().await.unwrap(), client.next().await.unwrap()].map(|said| said["result"].clone());
    for (name, result) in [("n2", 7), ("n3", 8)] {
        let params = json!({"subscription": name, "result": result});
        let text = json!({"jsonrpc": "2.0", "method": "eth_subscription", "params": params}).to_string();
        node.send(Message::text(text)).await.unwrap();
    }
    assert_eq!(client.next().await, Ok(event(heads.as_str().unwrap(), &json!(7))));
    assert_eq!(client.next().await, Ok(event(pending.as_str().unwrap(), &json!(8))));
}

#[tokio::test]
async fn a_subscription_that_the_node_never_answers_is_refused_in_time_and_the_others_stay() {
    let (http, mut node) = (Upstream::echo().await, Node::start("a").await);
    let serving = Serving::with("", &http, &[&node.url]).await;
    let mut client = serving.open(SOCKET).await;
    let heads = client.subscribe(&json!(["newHeads"])).await;
    node.heard().await;
    let silent = json!({"jsonrpc": "2.0", "id": 5, "method": "eth_subscribe", "params": ["logs", {"silent": true}]});
    for _ in 0..2 {
        client.say(&silent).await;
        // After the timeout the subscription is requested again.
        assert_eq!(node.heard().await["params"][1]["silent"], true);
        pass(Duration::from_secs(9)).await;
        let answer = client.next().await.unwrap();
        let message = "The node didn't accept the subscription within 8 seconds. Try again.";
        assert_eq!((&answer["id"], &answer["error"]), (&json!(5), &json!({"code": -32603, "message": message})));
    }
    // A subscription that the node confirms too late is cancelled.
    node.tell.send(Some(json!({"jsonrpc": "2.0", "id": 3, "result": "a-late"}).to_string())).unwrap();
    let dropped = node.heard().await;
    assert_eq!((&dropped["method"], &dropped["params"]), (&json!("eth_unsubscribe"), &json!(["a-late"])));
    node.happens("a-newHeads", &json!(1));
    assert_eq!(client.next().await, Ok(event(&heads, &json!(1))));
}

#[tokio::test]
async fn a_node_that_hangs_up_at_once_is_not_called_again_and_again() {
    let http = Upstream::echo().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    let serving = Serving::with("", &http, &[&url]).await;
    let mut client = serving.open(SOCKET).await;
    client.say(&subscribe("newHeads")).await;
    let mut calls = 0;
    let hung_up = async {
        while let Ok((stream, _)) = listener.accept().await {
            calls += 1;
            drop(accept_async(stream).await);
        }
    };
    let closed = tokio::select! {
        () = hung_up => unreachable!("it listens"),
        closed = timeout(Duration::from_secs(60), client.next()) => closed.expect("the client is asked to retry"),
    };
    assert_eq!(
        closed,
        Err((1012, "No node of the chain eip155:31337 supports subscriptions. Poll instead.".to_owned()))
    );
    assert!((2..=6).contains(&calls), "{calls}");
}

#[tokio::test]
async fn a_client_above_its_rate_hears_what_happens_while_its_orders_wait_for_their_refusal() {
    let (http, node) = (Upstream::echo().await, Node::start("a").await);
    let limits = "[limits]\nclient_per_second = 1\nclient_burst = 2\n";
    let serving = Serving::with(limits, &http, &[&node.url]).await;
    let mut client = serving.open(SOCKET).await;
    let id = client.subscribe(&json!(["newHeads"])).await;
    // The clock stands still as long as the blocking task runs.
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let still = tokio::task::spawn_blocking(move || ended.recv());
    tokio::time::pause();
    for _ in 0..20 {
        client.say(&json!({"jsonrpc": "2.0", "id": 9, "method": "eth_subscribe", "params": ["logs"]})).await;
    }
    // An answer to a ping tells that the orders before it were read.
    client.0.send(Message::Ping("x".into())).await.unwrap();
    loop {
        if let Some(Ok(Message::Pong(_))) = client.frame().await {
            break;
        }
    }
    node.happens("a-newHeads", &json!(1));
    assert_eq!(client.next().await, Ok(event(&id, &json!(1))));
    drop(end);
    still.await.unwrap().unwrap_err();
    for _ in 0..20 {
        let answer = client.next().await.unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(9), &json!(-32005)));
    }
}
