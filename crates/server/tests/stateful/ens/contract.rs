//! Contracts and nodes that lie, refuse or are unreachable.

use super::*;

/// Return data or revert data of a contract.
type Script = Result<Vec<u8>, Vec<u8>>;

/// Node with one contract, which runs the script on its calldata.
async fn contract(script: impl Fn(Vec<u8>) -> Script + Send + Sync + 'static) -> Upstream {
    Upstream::start(move |body| {
        let answer = |call: &Value| {
            assert_eq!((&call["method"], &call["params"][1]), (&json!("eth_call"), &json!("latest")));
            assert_eq!(call["params"][0]["to"], UNIVERSAL);
            let data = hex::decode(call["params"][0]["data"].as_str().unwrap()).unwrap();
            match script(data) {
                Ok(result) => json!({ "id": call["id"], "result": hex::encode_prefixed(result) }),
                Err(revert) => {
                    let error =
                        json!({ "code": 3, "message": "execution reverted", "data": hex::encode_prefixed(revert) });
                    json!({ "id": call["id"], "error": error })
                }
            }
        };
        let answers = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => calls.iter().map(answer).collect(),
            call => answer(&call),
        };
        Reply::Answer(StatusCode::OK, answers.to_string())
    })
    .await
}

fn lookup(sender: &str, urls: Vec<String>) -> Vec<u8> {
    OffchainLookup {
        sender: sender.parse().unwrap(),
        urls,
        callData: vec![1, 2, 3].into(),
        callbackFunction: callbackCall::SELECTOR.into(),
        extraData: vec![9].into(),
    }
    .abi_encode()
}

fn found(account: Address) -> Vec<u8> {
    resolveWithGatewaysCall::abi_encode_returns(&resolveWithGatewaysReturn {
        result: account.abi_encode().into(),
        resolver: Address::ZERO,
    })
}

#[tokio::test]
async fn the_question_carries_the_name_in_dns_form_and_its_node() {
    let node = contract(|data| {
        let call = resolveWithGatewaysCall::abi_decode(&data).unwrap();
        assert_eq!(&call.name[..], b"\x05alice\x03eth\0");
        // EIP-137 namehash of alice.eth.
        let hash = hex!("787192fc5378cc32aa956ddfdedbf26b24e8d78e40109add0eea2c1a012c3dec");
        assert_eq!(&call.data[..], [hex!("3b3b57de").as_slice(), &hash].concat());
        assert_eq!(call.gateways, ["x-batch-gateway:true"]);
        Ok(found(Address::repeat_byte(7)))
    })
    .await;
    let server = server(&node.url, &[]).await;
    assert_eq!(ens::account_of(&server.state, &name("alice.eth")).await, Ok(Some(Address::repeat_byte(7))));
}

#[tokio::test]
async fn a_gateway_without_a_place_for_data_is_posted_to() {
    let mut web = Web::start(|_| axum::Json(json!({ "data": "0xabcd" }))).await;
    let url = web.url("/post/{sender}");
    let node = contract(move |data| match callbackCall::abi_decode(&data) {
        Ok(call) => {
            assert_eq!((&call.response[..], &call.extra[..]), (&[0xab, 0xcd][..], &[9][..]));
            Ok(found(Address::repeat_byte(5)))
        }
        Err(_) => Err(lookup(UNIVERSAL, vec![url.clone()])),
    })
    .await;
    let server = server(&node.url, &[web.port]).await;
    assert_eq!(ens::account_of(&server.state, &name("alice.eth")).await, Ok(Some(Address::repeat_byte(5))));
    let heard = web.heard().unwrap();
    let small = UNIVERSAL.to_ascii_lowercase();
    assert_eq!((heard.method.as_str(), heard.path), ("POST", format!("/post/{small}")));
    assert_eq!(serde_json::from_slice::<Value>(&heard.body).unwrap(), json!({ "data": "0x010203", "sender": small }));
}

#[tokio::test]
async fn a_contract_that_sends_on_for_ever_or_for_another_is_not_followed() {
    let mut web = Web::start(|_| axum::Json(json!({ "data": "0x" }))).await;
    let url = web.url("/{data}");
    let node = contract(move |_| Err(lookup(UNIVERSAL, vec![url.clone()]))).await;
    let server_of_endless = server(&node.url, &[web.port]).await;
    assert_eq!(ens::account_of(&server_of_endless.state, &name("alice.eth")).await, Ok(None));
    let hops = std::iter::from_fn(|| web.heard()).count();
    assert_eq!(hops, 5);
    assert_eq!(node.unread(), 5);
    let url = web.url("/{data}");
    let node = contract(move |_| Err(lookup(&Address::repeat_byte(1).to_string(), vec![url.clone()]))).await;
    let server_of_another = server(&node.url, &[web.port]).await;
    assert_eq!(ens::account_of(&server_of_another.state, &name("alice.eth")).await, Ok(None));
    assert!(web.heard().is_none());
}

#[tokio::test]
async fn a_refusal_or_nonsense_of_the_contract_is_nothing_and_its_absence_is_said() {
    let at_a_gateway = |status| HttpError { status, message: "x".into() }.abi_encode();
    let table: Vec<(Script, Result<Option<Address>, LookupFailed>)> = vec![
        (Err(Vec::new()), Ok(None)),
        (Err(vec![1, 2, 3]), Ok(None)),
        (Err(ResolverNotFound { name: vec![0].into() }.abi_encode()), Ok(None)),
        (Err(at_a_gateway(404)), Ok(None)),
        (Err(at_a_gateway(502)), Err(LookupFailed::Gateway)),
        (Err(lookup(UNIVERSAL, Vec::new())), Ok(None)),
        (Err(lookup(UNIVERSAL, vec!["nonsense".into()])), Ok(None)),
        (Err(OffchainLookup::SELECTOR.to_vec()), Ok(None)),
        (Ok(found(Address::ZERO)), Ok(None)),
        // Return data that is not an address.
        (Ok((Bytes::from(vec![1]), Address::ZERO).abi_encode_params()), Ok(None)),
        // Return data of a call to an account without code.
        (Ok(Vec::new()), Err(LookupFailed::NoResolver)),
        (Ok(vec![0xff; 64]), Err(LookupFailed::NoResolver)),
    ];
    for (said, expected) in table {
        let scripted = said.clone();
        let node = contract(move |_| scripted.clone()).await;
        let server = server(&node.url, &[]).await;
        assert_eq!(ens::account_of(&server.state, &name("alice.eth")).await, expected, "{said:?}");
    }
}

/// Node that answers every call like this.
async fn says(answer: Value) -> Upstream {
    Upstream::start(move |body| {
        let say = |call: &Value| {
            let mut answer = answer.clone();
            answer["id"] = call["id"].clone();
            answer
        };
        let answer = match serde_json::from_str(body).unwrap() {
            Value::Array(calls) => calls.iter().map(say).collect(),
            call => say(&call),
        };
        Reply::Answer(StatusCode::OK, answer.to_string())
    })
    .await
}

#[tokio::test]
async fn a_node_that_is_away_or_too_busy_is_no_answer() {
    let asked = name("alice.eth");
    let busy = says(json!({ "error": { "code": -32005, "message": "limit exceeded" } })).await;
    let odd = says(json!({ "result": { "a": 1 } })).await;
    for node in [Upstream::absent().await, Upstream::hangs_up().await, busy.url.clone(), odd.url.clone()] {
        let server = server(&node, &[]).await;
        assert_eq!(ens::account_of(&server.state, &asked).await, Err(LookupFailed::Node), "{node}");
        assert_eq!(ens::name_of(&server.state, Address::ZERO).await, Err(LookupFailed::Node), "{node}");
    }
}

#[tokio::test]
async fn a_name_counts_only_in_its_normal_form() {
    let said = Arc::new(Mutex::new(String::new()));
    let primary = said.clone();
    let node = contract(move |data| {
        let call = reverseWithGatewaysCall::abi_decode(&data).unwrap();
        assert_eq!((call.lookupAddress.len(), call.coinType), (20, U256::from(60)));
        let found = reverseWithGatewaysReturn {
            primary: primary.lock().unwrap().clone(),
            resolver: Address::ZERO,
            reverseResolver: Address::ZERO,
        };
        Ok(reverseWithGatewaysCall::abi_encode_returns(&found))
    })
    .await;
    let server = server(&node.url, &[]).await;
    for refused in ["", "Alice.eth", "alice.eth.", "a b.eth", "v\u{0456}talik.eth", "alice\u{200b}.eth", "xn--ls8h.eth"]
    {
        refused.clone_into(&mut said.lock().unwrap());
        assert_eq!(ens::name_of(&server.state, Address::ZERO).await, Ok(None), "{refused}");
    }
    "alice.eth".clone_into(&mut said.lock().unwrap());
    assert_eq!(ens::name_of(&server.state, Address::ZERO).await, Ok(Some(name("alice.eth"))));
}

#[tokio::test]
async fn without_its_chain_there_are_no_names() {
    let server = Server::configured("").await;
    assert_eq!(ens::account_of(&server.state, &name("alice.eth")).await, Ok(None));
    assert_eq!(ens::name_of(&server.state, Address::ZERO).await, Ok(None));
}
