use super::*;

#[test]
fn spec_8_11_the_thrown_messages_are_those_of_the_contract() {
    for (fault, text) in [
        (NetworkFault::ChainRequired, "Chain is required to update chain account data"),
        (NetworkFault::ChainAdapterNotFound, "Chain adapter not found"),
        (NetworkFault::NetworkClientNotSet, "NetworkController client not set"),
        (NetworkFault::ChainRequiredForConnection, "Chain is required to get connection controller client"),
        (NetworkFault::ConnectionClientNotSet, "ConnectionController client not set"),
        (NetworkFault::UnsupportedChain, "Unsupported chain"),
        (NetworkFault::NetworkNotFound, "Network not found"),
        (NetworkFault::AdapterNotFound, "Adapter not found"),
        (NetworkFault::CaipNetworkNotFound, "CaipNetwork not found"),
    ] {
        assert_eq!(fault.to_string(), text);
    }
}

#[test]
fn a_wallets_chain_is_a_hex_quantity_or_a_number() {
    let chain = |text: &str| {
        crate::wallet::read_chain(Namespace::Eip155, &portico_json::parse(text).unwrap()).map(|chain| chain.to_string())
    };
    for text in [r#""0x1""#, r#""0x01""#, r#""1""#, "1"] {
        assert_eq!(chain(text).as_deref(), Some("eip155:1"), "{text}");
    }
    for text in ["0", r#""0x0""#, "-1", "1.0", "null", "[]", r#""0x""#, r#""0xfffffffffffffff""#, r#""one""#] {
        assert_eq!(chain(text), None, "{text}");
    }
}

#[test]
fn spec_8_13_a_wallet_that_is_gone_while_a_chain_is_added_says_network_controller_client_not_set() {
    let options = portico_json::parse(
        r#"{"networks":[{"id":1,"name":"One","nativeCurrency":{"name":"Ether","symbol":"ETH","decimals":18},"rpcUrls":{"default":{"http":["https://a.example"]}}}]}"#,
    );
    let options = crate::config::Options::read(&options.unwrap());
    let mut networks = Networks::new(&options, None);
    let chain = ChainId::eip155(1);
    networks.switching = Some(Switching {
        chain,
        name: "One".into(),
        phase: Phase::Adding,
        error: None,
        slow: false,
        attempt: 1,
        ticket: Some(5),
    });
    let facts = crate::facts::Facts::default();
    let mut cx = Cx::new(0, &facts);
    networks.answered(Reason::Add(1), Ok(Value::Null), &mut cx);
    assert!(portico_json::to_text(&cx.asks[0].0).contains("NetworkController client not set"));
    assert_eq!(networks.switching.map(|switching| switching.phase), Some(Phase::Failed));
}
