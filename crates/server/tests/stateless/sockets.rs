//! JSON-RPC over WebSocket.

use crate::support;
use futures_util::SinkExt;
use portico_explorer::testing::Anvil;
use portico_server::stop::Ended;
use serde_json::json;
use std::time::Duration;
use support::socket::{SOCKET, Serving};
use support::{RPC, Server, Upstream, call, reason, status_and_text, within};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

#[tokio::test]
async fn what_is_not_a_websocket_or_not_allowed_is_refused() {
    let server = Server::with_upstreams(&[&Upstream::absent().await]).await;
    let (status, answer) = status_and_text(server.get(SOCKET).await).await;
    assert_eq!((status.as_u16(), reason(&answer).1.as_str()), (426, "Open a WebSocket on this path"));
    let http = Upstream::echo().await;
    let serving = Serving::with("", &http, &["ws://127.0.0.1:1"]).await;
    for path in ["/v1/ws?projectId=demo", "/v1/ws?chainId=eip155:31337", "/v1/ws?chainId=eip155:5&projectId=demo"] {
        assert!(connect_async(format!("ws://{}{path}", serving.address)).await.is_err(), "{path}");
    }
}

#[tokio::test]
async fn calls_are_answered_as_if_they_were_posted() {
    let http = Upstream::echo().await;
    let serving = Serving::with("", &http, &["ws://127.0.0.1:1"]).await;
    for path in [SOCKET, RPC] {
        let mut client = serving.open(path).await;
        client.say(&call(7, "eth_chainId")).await;
        assert_eq!(client.next().await, Ok(json!({"jsonrpc": "2.0", "id": 7, "result": "eth_chainId"})));
        client.say(&json!([call(1, "evm_mine"), call(2, "eth_call")])).await;
        let answer = client.next().await.unwrap();
        assert_eq!((&answer[0]["error"]["code"], &answer[1]["result"]), (&json!(-32601), &json!("eth_call")));
        client.0.send(Message::text("{")).await.unwrap();
        let answer = client.next().await.unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(null), &json!(-32700)));
    }
}

#[tokio::test]
async fn a_client_that_asks_nothing_for_ten_minutes_is_closed_though_it_is_there() {
    let http = Upstream::echo().await;
    let serving = Serving::with("", &http, &["ws://127.0.0.1:1"]).await;
    let mut client = serving.open(SOCKET).await;
    client.say(&call(7, "eth_chainId")).await;
    client.next().await.unwrap();
    for _ in 0..19 {
        support::pass(Duration::from_secs(30)).await;
        assert!(matches!(client.frame().await, Some(Ok(Message::Ping(_)))));
        // The server handles messages in order: after the pong, the earlier response is done.
        client.0.send(Message::Ping(Default::default())).await.unwrap();
        assert!(matches!(client.frame().await, Some(Ok(Message::Pong(_)))));
    }
    support::pass(Duration::from_secs(31)).await;
    assert_eq!(client.next().await, Err((1000, "Closed after ten quiet minutes. Connect again.".into())));
}

#[tokio::test]
async fn an_answer_too_long_for_a_websocket_is_an_error_for_each_of_its_calls() {
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"result":"{}"}}"#, "a".repeat(5 * 1024 * 1024));
    let http = Upstream::says(200, &long).await;
    let serving = Serving::with("", &http, &["ws://127.0.0.1:1"]).await;
    let mut client = serving.open(SOCKET).await;
    client.say(&call(7, "eth_call")).await;
    let answer = client.next().await.unwrap();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32603)), "{answer}");
    client.say(&json!([call(1, "eth_call"), call(2, "evm_mine")])).await;
    let answer = client.next().await.unwrap();
    let codes = (&answer[0]["error"]["code"], &answer[1]["error"]["code"]);
    assert_eq!(codes, (&json!(-32603), &json!(-32601)), "{answer}");
}

#[tokio::test]
async fn a_client_has_no_more_websockets_than_it_may_and_none_takes_a_message_too_long() {
    let http = Upstream::echo().await;
    let serving = Serving::with("rpc.sockets_per_client = 1\n", &http, &["ws://127.0.0.1:1"]).await;
    let mut client = serving.open(SOCKET).await;
    let refused = connect_async(format!("ws://{}{SOCKET}", serving.address)).await.unwrap_err();
    let tokio_tungstenite::tungstenite::Error::Http(answer) = refused else { panic!("{refused}") };
    assert_eq!((answer.status().as_u16(), &answer.headers()["retry-after"]), (429, &"30".parse().unwrap()));
    client.0.send(Message::text(" ".repeat(1024 * 1024 + 1))).await.unwrap();
    let ended = client.frame().await;
    assert!(!matches!(ended, Some(Ok(Message::Text(_)))), "{ended:?}");
}

#[tokio::test]
async fn a_stop_closes_with_1001_and_waits_for_nobody() {
    let http = Upstream::echo().await;
    let serving = Serving::with("", &http, &["ws://127.0.0.1:1"]).await;
    let mut client = serving.open(SOCKET).await;
    client.say(&call(7, "eth_chainId")).await;
    client.next().await.unwrap();
    serving.stop.notify_one();
    assert_eq!(client.next().await, Err((1001, "The server is stopping. Connect again.".into())));
    drop(client);
    assert_eq!(within("the end of the server", serving.ended).await.unwrap().unwrap(), Ended::Drained);
}

#[tokio::test]
async fn a_client_that_does_not_answer_a_ping_is_given_up() {
    let http = Upstream::echo().await;
    let serving = Serving::with("", &http, &["ws://127.0.0.1:1"]).await;
    let mut deaf = TcpStream::connect(serving.address).await.unwrap();
    let upgrade = "host: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
    deaf.write_all(format!("GET {SOCKET} HTTP/1.1\r\n{upgrade}\r\n\r\n").as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        assert_ne!(within("an upgrade", deaf.read_buf(&mut answer)).await.unwrap(), 0);
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"));
    tokio::time::pause();
    let start = tokio::time::Instant::now();
    let mut rest = Vec::new();
    within("the end of the socket", deaf.read_to_end(&mut rest)).await.unwrap();
    // RFC 6455 5.5.2: ping without payload.
    assert_eq!(rest, [0x89, 0]);
    assert!((55..65).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_real_chain_tells_of_its_blocks() {
    let chain = Anvil::start();
    let upstream = format!("{{ url = {:?}, ws_url = {:?} }}", chain.url, chain.url.replace("http", "ws"));
    let methods = "methods = [\"evm_mine\"]";
    let serving =
        Serving::configured(&format!("[[chains]]\nid = \"eip155:31337\"\n{methods}\nupstreams = [{upstream}]\n")).await;
    let mut client = serving.open(SOCKET).await;
    let heads = client.subscribe(&json!(["newHeads"])).await;
    let mine = json!({"jsonrpc": "2.0", "id": 1, "method": "evm_mine", "params": []});
    client.say(&mine).await;
    let mut told = [client.next().await.unwrap(), client.next().await.unwrap()];
    // The order of the two is not defined.
    told.sort_by_key(|told| told["method"].is_null());
    assert_eq!(
        (&told[0]["params"]["subscription"], &told[0]["params"]["result"]["number"]),
        (&json!(heads), &json!(format!("{:#x}", chain.addresses.block + 1)))
    );
    assert_eq!(told[1]["id"], 1);
}
