//! Parsing of the frames between clients and relays, on both ends.

use portico_json::{Value, to_text};
use portico_walletconnect::relay::{
    Answer, Publication, Received, RelayCall, RelayError, RelayFault, Request, RequestId, write_answer, write_call,
    write_error,
};
use proptest::prelude::*;

const TOPIC: &str = "2c03712132ad2f85adc472a2242e608d67bfecd4362d05012d69a89143fecd16";

fn call(method: &str, params: &str) -> Result<RelayCall, RelayFault> {
    let frame = format!(r#"{{"id":1700000000000000,"jsonrpc":"2.0","method":"{method}","params":{params}}}"#);
    match Request::parse(&frame.replace("TOPIC", TOPIC)) {
        Ok(Request::Call { call, .. }) => Ok(call),
        Ok(Request::Answer(_)) => panic!("an answer"),
        Err(refused) => Err(refused.fault),
    }
}

fn refused(frame: &str) -> (String, RelayFault) {
    let refused = Request::parse(frame).unwrap_err();
    (to_text(&refused.id), refused.fault)
}

#[test]
fn an_id_comes_back_as_it_came() {
    for id in ["1700000000000000", "\"1700000000123456789\"", "1700000000123456789", "\"18446744073709551615\""] {
        let frame = format!(r#"{{"id":{id},"jsonrpc":"2.0","method":"irn_subscribe","params":{{"topic":"{TOPIC}"}}}}"#);
        let Ok(Request::Call { id: read, .. }) = Request::parse(&frame) else { panic!("{id}") };
        assert_eq!(write_answer(&read, "true"), format!(r#"{{"id":{id},"jsonrpc":"2.0","result":true}}"#));
    }
}

#[test]
fn what_cannot_be_read_is_answered_under_zero_and_the_rest_under_its_id() {
    for frame in ["", "{", "[]", "null", "{}", "[{\"id\":1}]", r#"{"id":1700000000,"jsonrpc":"2.0"}"#] {
        assert_eq!(refused(frame), ("0".into(), RelayFault::Serialization), "{frame}");
    }
    for id in ["null", "-1", "1.5", "\"x\"", "\"\"", "{}", "18446744073709551616", "1e12"] {
        let frame = format!(r#"{{"id":{id},"jsonrpc":"2.0","method":"irn_subscribe","params":{{}}}}"#);
        assert_eq!(refused(&frame), ("0".into(), RelayFault::InvalidRequestId), "{id}");
    }
    let small = r#"{"id":999999999,"jsonrpc":"2.0","method":"irn_subscribe","params":{}}"#;
    assert_eq!(refused(small), ("999999999".into(), RelayFault::InvalidRequestId));
    let old = r#"{"id":"1700000000","jsonrpc":"1.0","method":"irn_subscribe","params":{}}"#;
    assert_eq!(refused(old), ("\"1700000000\"".into(), RelayFault::InvalidJsonRpcVersion));
    let strange = r#"{"id":1700000000,"jsonrpc":"2.0","method":"irn_nothing","params":{}}"#;
    assert_eq!(refused(strange), ("1700000000".into(), RelayFault::InvalidMethod));
}

#[test]
fn parameters_that_do_not_fit_are_told_apart() {
    assert_eq!(call("irn_subscribe", "{}"), Err(RelayFault::InvalidParams));
    assert_eq!(call("irn_subscribe", r#"{"topic":"00"}"#), Err(RelayFault::InvalidTopic));
    assert_eq!(
        call("irn_publish", r#"{"topic":"TOPIC","message":"","ttl":-1,"tag":0}"#),
        Err(RelayFault::InvalidParams)
    );
    assert_eq!(call("irn_publish", r#"{"topic":"TOPIC","ttl":1,"tag":0}"#), Err(RelayFault::InvalidParams));
    assert_eq!(call("irn_batchSubscribe", r#"{"topics":[]}"#), Err(RelayFault::BatchEmpty));
    assert_eq!(call("irn_batchSubscribe", r#"{"topics":[1]}"#), Err(RelayFault::InvalidParams));
    let many = |count: usize| format!(r#"{{"topics":[{}]}}"#, vec!["\"TOPIC\""; count].join(","));
    assert_eq!(call("irn_batchSubscribe", &many(501)), Err(RelayFault::BatchLimitExceeded));
    assert!(call("irn_batchFetchMessages", &many(500)).is_ok());
}

#[test]
fn every_method_is_read_under_both_names() {
    for (method, params) in [
        ("publish", r#"{"topic":"TOPIC","message":"AA==","ttl":300,"tag":1100}"#),
        ("batchPublish", r#"{"messages":[{"topic":"TOPIC","message":"AA==","ttl":300,"tag":1100}]}"#),
        ("subscribe", r#"{"topic":"TOPIC"}"#),
        ("subscribeBlocking", r#"{"topic":"TOPIC"}"#),
        ("batchSubscribe", r#"{"topics":["TOPIC"]}"#),
        ("batchSubscribeBlocking", r#"{"topics":["TOPIC"]}"#),
        ("unsubscribe", r#"{"topic":"TOPIC","id":"made up"}"#),
        ("batchUnsubscribe", r#"{"subscriptions":[{"topic":"TOPIC"}]}"#),
        ("fetchMessages", r#"{"topic":"TOPIC"}"#),
        ("batchFetchMessages", r#"{"topics":["TOPIC"]}"#),
        ("batchReceive", r#"{"receipts":[{"topic":"TOPIC","messageId":"ab"}]}"#),
        ("watchRegister", r#"{"registerAuth":"a.b.c"}"#),
        ("watchUnregister", r#"{"unregisterAuth":"a.b.c"}"#),
    ] {
        let plain = call(&format!("irn_{method}"), params);
        assert!(plain.is_ok(), "{method}: {plain:?}");
        assert_eq!(plain, call(&format!("iridium_{method}"), params));
    }
    assert!(call("wc_createTopic", r#"{"topic":"TOPIC"}"#).is_ok());
    assert!(
        call("wc_proposeSession", r#"{"pairingTopic":"TOPIC","sessionProposal":"AA==","ttl":300,"correlationId":7}"#)
            .is_ok()
    );
    let approve = r#"{"pairingTopic":"TOPIC","sessionTopic":"TOPIC","sessionProposalResponse":"AA==","sessionSettlementRequest":"AA=="}"#;
    assert!(call("wc_approveSession", approve).is_ok());
    assert_eq!(call("wc_subscribe", r#"{"topic":"TOPIC"}"#), Err(RelayFault::InvalidMethod));
}

#[test]
fn what_other_clients_tell_about_their_users_is_not_kept() {
    let params = r#"{"topic":"TOPIC","message":"AA==","ttl":300,"tag":1108,"prompt":true,"attestation":"jwt",
        "tvf":{"rpcMethods":["personal_sign"]},"chainId":"eip155:1","txHashes":["0xab"]}"#;
    let Ok(RelayCall::Publish(publication)) = call("irn_publish", params) else { panic!() };
    let written = to_text(&publication);
    assert_eq!(
        written,
        format!(r#"{{"topic":"{TOPIC}","message":"AA==","ttl":300,"tag":1108,"prompt":true,"attestation":"jwt"}}"#)
    );
    assert_eq!(call("irn_publish", &written), Ok(RelayCall::Publish(publication)));
}

#[test]
fn a_client_reads_deliveries_and_answers_and_nothing_else() {
    let frame = format!(
        r#"{{"id":17,"jsonrpc":"2.0","method":"irn_subscription","params":{{"id":"s","data":{{"topic":"{}","message":"AA==","publishedAt":1700000000000,"tag":1108}}}}}}"#,
        TOPIC.to_uppercase()
    );
    let Some(Received::Delivery { id, delivery }) = Received::parse(&frame) else { panic!() };
    assert_eq!((to_text(&id).as_str(), delivery.topic.as_str(), delivery.tag), ("17", TOPIC, 1108));
    let error = RelayError::from(RelayFault::InvalidTopic);
    let answer = Received::parse(&write_error(&RequestId::from(5), &error));
    assert_eq!(answer, Some(Received::Answer(Answer { id: RequestId::from(5), outcome: Err(error) })));
    assert_eq!(
        Received::parse(&write_answer(&RequestId::from(5), "null")),
        Some(Received::Answer(Answer { id: RequestId::from(5), outcome: Ok(Value::Null) }))
    );
    for bad in [
        "",
        "{}",
        r#"{"id":1}"#,
        r#"{"result":true}"#,
        r#"{"id":1,"method":"irn_subscription","params":{}}"#,
        r#"{"id":1,"method":"eth_sign"}"#,
    ] {
        assert_eq!(Received::parse(bad), None, "{bad}");
    }
    assert_eq!(
        write_call(&RequestId::from(5), "irn_subscribe", "{}"),
        r#"{"id":5,"jsonrpc":"2.0","method":"irn_subscribe","params":{}}"#
    );
}

proptest! {
    #[test]
    fn no_frame_breaks_the_relay_or_the_client(frame in r#"[\[\]{}",:a-z0-9_ ]{0,80}"#) {
        let _ = Request::parse(&frame);
        let _ = Received::parse(&frame);
    }

    #[test]
    fn a_publication_is_read_as_it_was_written(message in ".{0,60}", ttl: u32, tag: u32, prompt: bool) {
        let topic = portico_walletconnect::relay::Topic::parse(TOPIC).unwrap();
        let publication = Publication { topic, message, ttl: ttl.into(), tag, prompt, attestation: None };
        prop_assert_eq!(call("irn_publish", &to_text(&publication)), Ok(RelayCall::Publish(publication)));
    }
}
