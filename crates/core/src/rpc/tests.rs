use super::*;
use crate::facts::Facts;
use crate::rpc::Alarm;
use portico_json::parse;
use std::rc::Rc;

fn facts() -> Facts {
    let options = parse(
        r#"{"projectId":"abc","endpoints":"https://host.example","customRpcUrls":{"eip155:1":[{"url":"https://custom.example"}]},
        "networks":[{"id":1,"name":"Ethereum","nativeCurrency":{"name":"Ether","symbol":"ETH","decimals":18},"rpcUrls":{"default":{"http":["https://chain.example"]}}}]}"#,
    );
    let options = Rc::new(crate::config::Options::read(&options.unwrap()));
    Facts { networks: options.networks.clone(), options, ..Facts::default() }
}

fn call(method: &'static str) -> ChainRead {
    ChainRead {
        chain: ChainId::eip155(1),
        method: method.into(),
        params: vec![],
        reason: Reason::Nothing,
        nodes: super::Nodes::Any,
    }
}

fn sent(cx: &Cx) -> Vec<(String, String)> {
    let http = cx.asks.iter().filter_map(|(operation, _)| match operation {
        Operation::SendHttp { url, body: Some(body), timeout, .. } => {
            assert_eq!(*timeout, 10_000);
            Some((url.clone(), body.clone()))
        }
        _ => None,
    });
    http.collect()
}

fn answer(status: u16, retry_after: Option<u64>, body: &str) -> Outcome {
    Outcome::HttpAnswered { status, retry_after, body: body.into() }
}

#[test]
fn spec_7_8_a_call_is_a_json_rpc_post_with_chain_id_and_project_id() {
    let mut facts = facts();
    let mut options = (*facts.options).clone();
    options.custom_rpc_urls.clear();
    facts.options = Rc::new(options);
    let mut cx = Cx::new(0, &facts);
    Rpc::default().send(vec![call("eth_chainId")], &mut cx);
    assert_eq!(
        sent(&cx),
        [(
            "https://host.example/v1?chainId=eip155:1&projectId=abc".into(),
            r#"{"jsonrpc":"2.0","id":0,"method":"eth_chainId","params":[]}"#.into()
        )]
    );
}

#[test]
fn spec_9_16_calls_of_one_turn_travel_together_and_at_most_1000_at_once() {
    let facts = facts();
    let mut cx = Cx::new(0, &facts);
    Rpc::default().send((0..1001).map(|_| call("eth_blockNumber")).collect(), &mut cx);
    let sizes: Vec<_> =
        sent(&cx).iter().map(|(_, body)| parse(body).unwrap().as_list().map_or(1, <[Value]>::len)).collect();
    assert_eq!(sizes, [1000, 1]);
    assert_eq!((BATCH_SIZE, TIMEOUT), (1000, 10_000));
}

#[test]
fn answers_come_to_their_calls_in_any_order_and_fail_one_by_one() {
    let facts = facts();
    let mut cx = Cx::new(0, &facts);
    let mut rpc = Rpc::default();
    rpc.send(vec![call("a"), call("b"), call("c")], &mut cx);
    let body = r#"[{"id":2,"result":"0x2"},{"id":0,"error":{"code":3,"message":"reverted"}}]"#;
    let done = rpc.answered(1, answer(200, None, body), &mut cx);
    let codes: Vec<_> = done.iter().map(|(_, answer)| answer.as_ref().map_err(|error| error.code).cloned()).collect();
    // A call without a response is an internal error, which is retried.
    assert_eq!(codes, [Err(3), Ok(Value::from("0x2"))]);
    assert_eq!(rpc.resting.len(), 1);
}

#[test]
fn spec_8_53_three_codes_and_eight_http_statuses_are_tried_again() {
    for code in [-1, -32005, -32603, 403, 408, 413, 429, 500, 502, 503, 504] {
        assert!(is_retryable(code), "{code}");
    }
    for code in [3, 4001, -32000, -32601, 400, 401, 404] {
        assert!(!is_retryable(code), "{code}");
    }
}

#[test]
fn spec_8_53_retry_after_is_honoured() {
    let facts = facts();
    let mut cx = Cx::new(1_000, &facts);
    let mut rpc = Rpc::default();
    rpc.send(vec![call("a")], &mut cx);
    assert!(rpc.answered(1, answer(429, Some(7_000), ""), &mut cx).is_empty());
    assert_eq!(cx.alarms, [(Alarm::Retry.into(), Some(8_000))]);
    let mut later = Cx::new(8_000, &facts);
    rpc.alarm(&mut later);
    assert_eq!(sent(&later).len(), 1);
}

#[test]
fn a_failed_endpoint_gives_way_to_the_next_and_after_three_more_tries_the_call_fails() {
    let facts = facts();
    let mut rpc = Rpc::default();
    let mut cx = Cx::new(0, &facts);
    rpc.send(vec![call("a")], &mut cx);
    let mut urls = vec![sent(&cx)[0].0.clone()];
    for id in 1..=3 {
        let mut cx = Cx::new(100_000 * u64::from(id), &facts);
        assert!(rpc.answered(id, Outcome::Failed { error: Value::Null }, &mut cx).is_empty());
        let mut later = Cx::new(cx.now + 10_000, &facts);
        rpc.alarm(&mut later);
        urls.push(sent(&later)[0].0.clone());
    }
    assert!(
        urls[0].contains("custom") && urls[1].contains("host.example") && urls[2].contains("chain.example"),
        "{urls:?}"
    );
    let mut cx = Cx::new(900_000, &facts);
    let done = rpc.answered(4, Outcome::Failed { error: Value::Null }, &mut cx);
    assert_eq!(done[0].1.as_ref().unwrap_err().code, -1);
}

#[test]
fn spec_7_8_and_9_18_an_endpoint_that_refuses_gives_way_to_the_next_and_is_not_the_first_asked_afterwards() {
    let facts = facts();
    for status in [400, 401, 404, 422] {
        let mut rpc = Rpc::default();
        rpc.send(vec![call("a")], &mut Cx::new(0, &facts));
        for (id, next) in [(1, "host.example"), (2, "chain.example")] {
            let mut cx = Cx::new(1_000 * u64::from(id), &facts);
            assert!(rpc.answered(id, answer(status, None, ""), &mut cx).is_empty(), "{status}");
            let mut later = Cx::new(cx.now + 500, &facts);
            rpc.alarm(&mut later);
            assert!(sent(&later)[0].0.contains(next), "{status} {:?}", sent(&later));
        }
        let done = rpc.answered(3, answer(200, None, r#"{"id":0,"result":"0x1"}"#), &mut Cx::new(3_000, &facts));
        assert_eq!(done[0].1, Ok(Value::from("0x1")));
        let mut again = Cx::new(4_000, &facts);
        rpc.send(vec![call("a")], &mut again);
        assert!(sent(&again)[0].0.contains("chain.example"));
    }
}

#[test]
fn spec_8_53_a_refusal_is_final_once_every_endpoint_refused() {
    let facts = facts();
    let mut rpc = Rpc::default();
    rpc.send(vec![call("a")], &mut Cx::new(0, &facts));
    for id in 1..=2 {
        let now = 1_000 * u64::from(id);
        assert!(rpc.answered(id, answer(404, None, ""), &mut Cx::new(now, &facts)).is_empty());
        rpc.alarm(&mut Cx::new(now + 500, &facts));
    }
    let done = rpc.answered(3, answer(404, None, ""), &mut Cx::new(3_000, &facts));
    assert_eq!(done[0].1.as_ref().unwrap_err().code, 404);
}

#[test]
fn a_chain_without_an_address_fails_at_once() {
    let facts = facts();
    let mut cx = Cx::new(0, &facts);
    let mut lost = call("a");
    lost.chain = "solana:abc".parse().unwrap();
    let mut options = (*facts.options).clone();
    options.endpoint = None;
    let facts = Facts { options: Rc::new(options), ..Facts::default() };
    let mut without = Cx::new(0, &facts);
    assert_eq!(Rpc::default().send(vec![lost.clone()], &mut without)[0].1.as_ref().unwrap_err().code, 4901);
    assert!(Rpc::default().send(vec![lost], &mut cx).is_empty());
}

#[test]
fn nonsense_from_a_node_becomes_a_typed_error() {
    let facts = facts();
    for body in ["", "<html>", "[]", "{}", "null", "[1,2]", r#"{"id":9,"result":1}"#] {
        let mut cx = Cx::new(0, &facts);
        let mut rpc = Rpc::default();
        rpc.send(vec![call("a")], &mut cx);
        rpc.flying.get_mut(&1).unwrap().attempt = 3;
        let done = rpc.answered(1, answer(200, None, body), &mut cx);
        assert_eq!(done[0].1.as_ref().unwrap_err().code, -32603, "{body}");
    }
}

#[test]
fn spec_9_17_a_receipt_is_awaited_180_s_with_6_retries_after_200_ms_times_two_to_the_n() {
    assert_eq!((RECEIPT_TIMEOUT, RECEIPT_RETRIES), (180_000, 6));
    let mut receipt = Receipt::new("0x1".into(), 0);
    let delays: Vec<_> = (0..7).map(|_| receipt.failed(0)).collect();
    assert_eq!(delays, [Some(200), Some(400), Some(800), Some(1_600), Some(3_200), Some(6_400), None]);
    let mut receipt = Receipt::new("0x1".into(), 0);
    assert_eq!(receipt.not_yet(176_000), Some(4_000));
    assert_eq!(receipt.not_yet(176_001), None);
}

#[test]
fn spec_9_18_the_polling_interval_is_4_s_and_ten_samples_rank_an_endpoint() {
    assert_eq!((POLLING_INTERVAL, RANK_SAMPLES), (4_000, 10));
    let mut rank = Rank::default();
    rank.record(5, false);
    for _ in 0..10 {
        rank.record(50, true);
    }
    assert_eq!(rank.cost(), 0);
    for _ in 0..5 {
        rank.record(5, false);
    }
    assert!(rank.cost() > 40);
}

/// Sends one read to a pair of nodes, and gives each side this status and body. Returns the URLs and the answer.
fn pair(
    facts: &Facts,
    agreement: Agreement,
    first: (u16, &str),
    second: (u16, &str),
) -> (Vec<String>, Vec<Result<Value, RpcError>>) {
    let mut rpc = Rpc::default();
    let mut cx = Cx::new(0, facts);
    let read = ChainRead { nodes: Nodes::Pair(agreement), ..call("eth_call") };
    let mut done = rpc.send(vec![read], &mut cx);
    let mut urls = Vec::new();
    // Retries go on until both sides have ended.
    for _ in 0..8 {
        for (operation, reason) in std::mem::take(&mut cx.asks) {
            let (Operation::SendHttp { url, .. }, Reason::Rpc(id)) = (operation, reason) else { panic!("no request") };
            let (status, body) = if url.contains("host.example") { second } else { first };
            urls.push(url);
            done.extend(rpc.answered(id, answer(status, None, body), &mut cx));
        }
        cx.now += 60_000;
        done.extend(rpc.alarm(&mut cx));
    }
    (urls, done.into_iter().map(|(_, answer)| answer).collect())
}

#[test]
fn a_failure_that_one_node_alone_tells_is_not_believed_and_a_success_is() {
    let mut facts = facts();
    Rc::make_mut(&mut facts.options).custom_rpc_urls.clear();
    let told = |result: &str| format!(r#"{{"jsonrpc":"2.0","id":0,"result":{result}}}"#);
    let (well, failed) = (r#"{"status":"0x1"}"#, r#"{"status":"0x0"}"#);
    for (one, other, counts) in
        [(well, well, Some("0x1")), (failed, failed, Some("0x0")), (failed, "null", None), ("null", "null", None)]
    {
        for (first, second) in [(one, other), (other, one)] {
            let answers = pair(&facts, Agreement::Receipt, (200, &told(first)), (200, &told(second))).1;
            let [Ok(answer)] = &answers[..] else { panic!("{first} {second}: {answers:?}") };
            assert_eq!(answer.get("status").as_str(), counts, "{first} {second}");
        }
    }
    let answers = pair(&facts, Agreement::Receipt, (200, &told(well)), (200, &told(failed))).1;
    assert!(matches!(&answers[..], [Err(error)] if error.code == DISAGREED));
    // Where only one node answers, it is believed.
    let one = told(failed);
    let answers = pair(&facts, Agreement::Receipt, (200, &one), (500, "")).1;
    assert!(matches!(&answers[..], [Ok(answer)] if answer.get("status").as_str() == Some("0x0")));
    // The host's own server is not: it alone has made up a failure, or has a success that the other node may still get.
    let answers = pair(&facts, Agreement::Receipt, (500, ""), (200, &one)).1;
    assert_eq!(answers, [Ok(Value::Null)]);
    let mined = told(well);
    for (first, second) in [((500, ""), mined.as_str()), ((200, &*told("null")), mined.as_str())] {
        let answers = pair(&facts, Agreement::Receipt, first, (200, second)).1;
        let [Ok(answer)] = &answers[..] else { panic!("{first:?}: {answers:?}") };
        assert_eq!(lone(answer).and_then(|receipt| receipt.get("status").as_str()), Some("0x1"), "{first:?}");
    }
    // Two successes of different senders or receivers are none.
    for other in [r#"{"status":"0x1","from":"0xb"}"#, r#"{"status":"0x1","from":"0xa","to":"0xc"}"#] {
        let one = told(r#"{"status":"0x1","from":"0xA"}"#);
        let answers = pair(&facts, Agreement::Receipt, (200, &one), (200, &told(other))).1;
        assert!(matches!(&answers[..], [Err(error)] if error.code == DISAGREED), "{other}");
    }
    // Logs count where both tell the same ones, whatever else a node adds to them.
    let logged = |data: &str, more: &str| {
        told(&format!(r#"{{"status":"0x1","logs":[{{"address":"0xAa","topics":["0x1"],"data":"{data}"{more}}}]}}"#))
    };
    for (second, agreed) in [(logged("0x0A", r#","removed":false"#), true), (logged("0x0b", ""), false)] {
        let answers = pair(&facts, Agreement::Receipt, (200, &logged("0x0a", "")), (200, &second)).1;
        let [Ok(answer)] = &answers[..] else { panic!("{answers:?}") };
        assert_eq!((answer.get("logs").as_list().is_some(), answer.get("status").as_str()), (agreed, Some("0x1")));
    }
}

#[test]
fn of_two_quantities_the_lower_counts_and_a_node_without_one_does_not() {
    let mut facts = facts();
    Rc::make_mut(&mut facts.options).custom_rpc_urls.clear();
    let told = |result: &str| format!(r#"{{"jsonrpc":"2.0","id":0,"result":{result}}}"#);
    for (first, second, counts) in [
        (r#""0x3b9aca00""#, r#""0xffffffffffff""#, "0x3b9aca00"),
        (r#""0xffffffffffff""#, r#""0x3b9aca00""#, "0x3b9aca00"),
        ("null", r#""0x5""#, "0x5"),
        (r#""nonsense""#, r#""0x5""#, "0x5"),
        (r#""0x5""#, "7", "0x5"),
    ] {
        let answers = pair(&facts, Agreement::Lower, (200, &told(first)), (200, &told(second))).1;
        assert_eq!(answers, [Ok(Value::Text(counts.into()))], "{first} {second}");
    }
    let one = told(r#""0x7""#);
    for (first, second) in [((500, ""), (200, &*one)), ((200, &*one), (500, ""))] {
        assert_eq!(pair(&facts, Agreement::Lower, first, second).1, [Ok(Value::Text("0x7".into()))]);
    }
    // A number of transactions decides whether a payment counts as replaced, so the host's own server is not believed alone.
    assert_eq!(pair(&facts, Agreement::Count, (200, &one), (500, "")).1, [Ok(Value::Text("0x7".into()))]);
    assert_eq!(
        pair(&facts, Agreement::Count, (200, &told(r#""0x9""#)), (200, &one)).1,
        [Ok(Value::Text("0x7".into()))]
    );
    let answers = pair(&facts, Agreement::Count, (500, ""), (200, &one)).1;
    assert!(matches!(&answers[..], [Err(error)] if error.code == UNPROVEN));
}

#[test]
fn a_pair_agrees_or_has_no_answer_and_the_hosts_server_is_believed_alone_only_where_that_is_allowed() {
    let facts = facts();
    // With two other nodes the host's server is not needed.
    let fine = r#"{"jsonrpc":"2.0","id":0,"result":"0x"}"#;
    assert_eq!(
        pair(&facts, Agreement::Proven, (200, fine), (200, fine)).0,
        ["https://custom.example", "https://chain.example"]
    );
    let mut facts = facts;
    Rc::make_mut(&mut facts.options).custom_rpc_urls.clear();
    let told = |result: &str| format!(r#"{{"jsonrpc":"2.0","id":0,"result":"{result}"}}"#);
    let (one, other) = (told("0xAB"), told("0xac"));
    let (urls, answers) = pair(&facts, Agreement::Proven, (200, &one), (200, &told("0xab")));
    assert_eq!(urls, ["https://chain.example", "https://host.example/v1?chainId=eip155:1&projectId=abc"]);
    assert_eq!(answers, [Ok(Value::Text("0xAB".into()))]);
    let code = |agreement, first: (u16, &str), second: (u16, &str)| match &pair(&facts, agreement, first, second).1[..]
    {
        [Ok(_)] => 0,
        [Err(error)] => error.code,
        other => panic!("{} answers", other.len()),
    };
    for agreement in [Agreement::Proven, Agreement::Same] {
        assert_eq!(code(agreement, (200, &one), (200, &other)), DISAGREED);
        assert_eq!(code(agreement, (200, &one), (500, "")), 0, "the other node is believed alone");
        assert_eq!(code(agreement, (500, ""), (500, "")), 500);
    }
    for agreement in [Agreement::Proven, Agreement::Same, Agreement::Transaction, Agreement::Block] {
        assert_eq!(code(agreement, (500, ""), (200, &one)), UNPROVEN, "{agreement:?}");
    }
    // Where no other node is known, some reads have to do with the host's own server.
    let mut alone = facts.clone();
    alone.networks.clear();
    let mut rpc = |agreement| match &pair(&alone, agreement, (500, ""), (200, &one)).1[..] {
        [answer] => answer.as_ref().map_or_else(|error| error.code, |_| 0),
        other => panic!("{} answers", other.len()),
    };
    assert_eq!([Agreement::Same, Agreement::Proven].map(&mut rpc), [0, UNPROVEN]);
    // Revert data is an answer, a revert without data and any other error is none.
    let revert = |data: &str| format!(r#"{{"id":0,"error":{{"code":3,"message":"execution reverted"{data}}}}}"#);
    let with = revert(r#","data":"0x55""#);
    assert_eq!(
        reverted(pair(&facts, Agreement::Proven, (200, &with), (200, &with)).1[0].as_ref().unwrap()),
        Some("0x55")
    );
    assert_eq!(code(Agreement::Proven, (200, &with), (200, &one)), DISAGREED);
    assert_eq!(code(Agreement::Proven, (200, &with), (200, &revert(r#","data":"0x56""#))), DISAGREED);
    assert_eq!(code(Agreement::Proven, (200, &revert("")), (200, &revert(""))), 3);
}

#[test]
fn endpoints_of_one_origin_are_on_one_side_and_no_side_shares_an_endpoint_with_the_other() {
    let facts = facts();
    let urls = |urls: &[&str]| urls.iter().map(|url| (*url).to_owned()).collect::<Vec<_>>();
    let own = "https://host.example/v1?chainId=eip155:1&projectId=abc";
    for (given, first, second) in [
        (vec!["https://a.example/1", own], vec!["https://a.example/1"], vec![own]),
        (vec![own], vec![], vec![own]),
        (vec!["https://a.example/1"], vec!["https://a.example/1"], vec![]),
        (
            vec!["https://a.example/1", "https://a.example/2"],
            vec!["https://a.example/1", "https://a.example/2"],
            vec![],
        ),
        (
            vec!["https://a.example", own, "https://b.example"],
            vec!["https://a.example"],
            vec![own, "https://b.example"],
        ),
        // Another address of the host's own server is on its side.
        (
            vec!["https://host.example/node", own, "https://b.example"],
            vec!["https://b.example"],
            vec!["https://host.example/node", own],
        ),
    ] {
        assert_eq!(pair::side(urls(&given), Side::First, &facts), urls(&first), "{given:?}");
        assert_eq!(pair::side(urls(&given), Side::Second, &facts), urls(&second), "{given:?}");
    }
}
