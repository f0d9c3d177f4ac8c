use super::*;

const ID: &str = "1234567890123456789";

fn topic_text(digit: &str) -> String {
    digit.repeat(64)
}

fn asked(method: &str, params: &str) -> Result<RelayCall, Fault> {
    let text = format!(r#"{{"id":{ID},"jsonrpc":"2.0","method":"{method}","params":{params}}}"#);
    match read(&text) {
        Ok((ClientMessage::Request(id, call), _)) => {
            assert_eq!(id.get(), ID);
            Ok(call)
        }
        Ok(other) => panic!("{other:?}"),
        Err(refused) => {
            assert_eq!(refused.id, ID);
            Err(refused.fault)
        }
    }
}

#[test]
fn what_cannot_be_read_is_refused_under_the_id_zero() {
    let deep = format!(r#"{{"id":{ID},"jsonrpc":"2.0","method":"irn_publish","params":{}"#, "[".repeat(100_000));
    for text in
        ["", "{", "[]", "null", "7", "{}", r#"{"id":1}"#, r#"{"method":7}"#, r#"{"method":"a","method":"b"}"#, &deep]
    {
        let refused = read(text).unwrap_err();
        assert_eq!(refused.id, "0");
        assert_eq!(refused.fault, Fault::Serialization, "{}", &text[..text.len().min(80)]);
    }
    for id in
        ["null", "1", "999999999", "\"999999999\"", "1.5e12", "-1234567890", "\"\"", "\"a\"", "[]", &"9".repeat(39)]
    {
        let text = format!(r#"{{"id":{id},"jsonrpc":"2.0","method":"irn_subscribe","params":{{}}}}"#);
        let refused = read(&text).unwrap_err();
        assert_eq!((refused.id.as_str(), refused.fault), ("0", Fault::InvalidRequestId), "{id}");
    }
}

#[test]
fn an_id_is_kept_as_it_came() {
    for id in ["1000000000", "1234567890123456789", "\"1234567890123456789\"", "9999999999999999999"] {
        let text = format!(r#"{{"id":{id},"jsonrpc":"2.0","method":"nothing","params":{{}}}}"#);
        let refused = read(&text).unwrap_err();
        assert_eq!((refused.id.as_str(), refused.fault), (id, Fault::InvalidMethod));
    }
    let old = format!(r#"{{"id":{ID},"jsonrpc":"1.0","method":"irn_subscribe"}}"#);
    assert_eq!(read(&old).unwrap_err().fault, Fault::InvalidJsonRpcVersion);
}

#[test]
fn an_answer_acknowledges_where_it_says_true_and_nothing_else() {
    let heard = |text: &str| match read(text) {
        Ok((ClientMessage::Acknowledged(id), _)) => Some(id),
        Ok((ClientMessage::Nothing, _)) => None,
        other => panic!("{other:?}"),
    };
    assert_eq!(heard(r#"{"id":7,"jsonrpc":"2.0","result":true}"#), Some(7));
    assert_eq!(heard(r#"{"id":"1700000000000001","result":true}"#), Some(1_700_000_000_000_001));
    for text in [
        r#"{"id":7,"result":false}"#,
        r#"{"id":7,"result":null,"error":{"code":1}}"#,
        r#"{"id":7,"error":{"code":-32000,"message":"no"}}"#,
        r#"{"id":"a","result":true}"#,
        r#"{"result":true}"#,
    ] {
        assert_eq!(read(text).map(|_| heard(text)).unwrap_or_default(), None, "{text}");
    }
}

#[test]
fn a_topic_is_64_hex_digits_and_its_case_does_not_count() {
    let upper = topic_text("A");
    let call = asked("irn_subscribe", &format!(r#"{{"topic":"{upper}"}}"#)).unwrap();
    assert_eq!(call, asked("iridium_subscribe", &format!(r#"{{"topic":"{}"}}"#, topic_text("a"))).unwrap());
    for topic in ["", "aa", &topic_text("g"), &format!("{}a", topic_text("a"))] {
        assert_eq!(asked("irn_subscribe", &format!(r#"{{"topic":"{topic}"}}"#)), Err(Fault::InvalidTopic), "{topic}");
    }
    for params in ["{}", "[]", "7", r#"{"topic":7}"#, r#"{"topic":null}"#] {
        assert_eq!(asked("irn_subscribe", params), Err(Fault::InvalidParams), "{params}");
    }
}

#[test]
fn a_batch_holds_from_1_to_500() {
    let of = |count: usize| {
        let list = vec![format!("\"{}\"", topic_text("1")); count].join(",");
        asked("irn_batchSubscribe", &format!(r#"{{"topics":[{list}]}}"#))
    };
    assert_eq!(of(0), Err(Fault::BatchEmpty));
    assert!(of(1).is_ok() && of(500).is_ok());
    assert_eq!(of(501), Err(Fault::BatchLimitExceeded));
    for (method, list) in
        [("irn_batchUnsubscribe", "subscriptions"), ("irn_batchPublish", "messages"), ("irn_batchReceive", "receipts")]
    {
        assert_eq!(asked(method, &format!(r#"{{"{list}":[]}}"#)), Err(Fault::BatchEmpty), "{method}");
    }
}

#[test]
fn a_method_is_known_by_both_of_its_names_and_not_by_half_of_one() {
    let topic = format!(r#"{{"topic":"{}"}}"#, topic_text("1"));
    for method in ["irn_fetchMessages", "iridium_fetchMessages"] {
        assert_eq!(asked(method, &topic), Ok(RelayCall::Fetch(vec![Topic([0x11; 32])])));
    }
    for method in ["fetchMessages", "irn_", "wc_publish", "irn_subscription", "irn_wc_createTopic", "eth_chainId"] {
        assert_eq!(asked(method, &topic), Err(Fault::InvalidMethod), "{method}");
    }
}

#[test]
fn what_is_told_for_analytics_is_not_read() {
    let topic = topic_text("1");
    let told = format!(
        r#"{{"topic":"{topic}","message":"AA==","ttl":300,"tag":1108,"prompt":true,"correlationId":7,"chainId":"eip155:1",
           "rpcMethods":{{"not":"a list"}},"txHashes":["0x1"],"contractAddresses":null,"tvf":{{"deep":[[]]}}}}"#
    );
    let publication =
        Publication { topic: Topic([0x11; 32]), message: "AA==".into(), ttl: 300, tag: 1108, attestation: None };
    assert_eq!(asked("irn_publish", &told), Ok(RelayCall::Publish(vec![publication])));
    for params in [
        format!(r#"{{"topic":"{topic}","message":"a"}}"#),
        format!(r#"{{"topic":"{topic}","message":7,"ttl":1}}"#),
        format!(r#"{{"topic":"{topic}","message":"a","ttl":-1}}"#),
        format!(r#"{{"topic":"{topic}","message":"a","ttl":1.5}}"#),
        format!(r#"{{"topic":"{topic}","message":"a\u0000","ttl":1}}"#),
        format!(r#"{{"topic":"{topic}","message":"a","ttl":1,"tag":-1}}"#),
        format!(r#"{{"topic":"{topic}","message":"a","ttl":1,"attestation":7}}"#),
    ] {
        assert_eq!(asked("irn_publish", &params), Err(Fault::InvalidParams), "{params}");
    }
}

#[test]
fn a_proposal_and_an_approval_stand_for_what_older_clients_do_one_by_one() {
    let (pairing, session) = (topic_text("1"), topic_text("2"));
    let proposal = format!(
        r#"{{"pairingTopic":"{pairing}","sessionProposal":"p","ttl":7,"correlationId":1,"attestation":"jwt"}}"#
    );
    let publication = |topic: u8, message: &str, tag, attestation: Option<&str>| Publication {
        topic: Topic([topic; 32]),
        message: message.into(),
        ttl: 300,
        tag,
        attestation: attestation.map(str::to_owned),
    };
    assert_eq!(
        asked("wc_proposeSession", &proposal),
        Ok(RelayCall::ListenAndPublish(Topic([0x11; 32]), vec![publication(0x11, "p", 1100, Some("jwt"))]))
    );
    let approval = format!(
        r#"{{"pairingTopic":"{pairing}","sessionTopic":"{session}","sessionProposalResponse":"r",
           "sessionSettlementRequest":"s","approvedChains":["eip155:1"],"approvedAccounts":[7]}}"#
    );
    assert_eq!(
        asked("wc_approveSession", &approval),
        Ok(RelayCall::ListenAndPublish(
            Topic([0x22; 32]),
            vec![publication(0x11, "r", 1101, None), publication(0x22, "s", 1102, None)]
        ))
    );
}

proptest::proptest! {
    #[test]
    fn any_text_is_a_request_or_refused_under_its_id_or_zero(text in ".{0,200}") {
        if let Err(refused) = read(&text) {
            proptest::prop_assert!(refused.id == "0" || text.contains(&refused.id));
        }
    }

    #[test]
    fn any_parameters_of_any_method_are_taken_or_refused(
        method in "(irn_|iridium_|wc_)?(publish|subscribe|batchSubscribe|unsubscribe|batchReceive|approveSession)",
        params in r#"[\{\}\[\]":,0-9a-ftopicmesgl ]{0,80}"#,
    ) {
        let text = format!(r#"{{"id":{ID},"jsonrpc":"2.0","method":"{method}","params":{params}}}"#);
        if let Err(refused) = read(&text) {
            proptest::prop_assert!(refused.id == "0" || refused.id == ID);
        }
    }
}
