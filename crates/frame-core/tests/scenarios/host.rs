use crate::world::World;
use portico_frame_core::{NEEDS_APPROVAL, Operation, SAFE};
use portico_json::to_text;

#[test]
fn spec_7_13_and_7_24_the_chain_is_chosen_by_number_text_or_caip_2_id() {
    for (chosen, told) in [
        ("10", "10"),
        ("\"10\"", "10"),
        ("\"0xa\"", "10"),
        ("\"eip155:10\"", "10"),
        ("\"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp\"", "\"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp\""),
    ] {
        let mut world = World::new();
        world.host("SWITCH_NETWORK", &format!(r#"{{"chainId":{chosen}}}"#));
        world.host("GET_CHAIN_ID", "null");
        assert_eq!(world.take()[1], format!(r#"@w3m-frame/GET_CHAIN_ID_SUCCESS 2 {{"chainId":{told}}}"#));
    }
}

#[test]
fn spec_8_41_a_chain_of_no_known_namespace_is_not_supported() {
    let mut world = World::new();
    world.host("SWITCH_NETWORK", r#"{"chainId":"cosmos:hub"}"#);
    assert!(world.take()[0].contains("Chain is not supported"));
}

#[test]
fn spec_7_25_no_chain_has_smart_accounts() {
    let mut world = World::new();
    world.host("GET_SMART_ACCOUNT_ENABLED_NETWORKS", "null");
    assert_eq!(
        world.take(),
        [r#"@w3m-frame/GET_SMART_ACCOUNT_ENABLED_NETWORKS_SUCCESS 1 {"smartAccountEnabledNetworks":[]}"#]
    );
}

#[test]
fn spec_7_26_a_smart_account_is_refused_in_words() {
    for mut world in [World::new(), World::logged_in()] {
        world.host("INIT_SMART_ACCOUNT", "null");
        let [answer] = &world.take()[..] else { panic!("one answer") };
        assert!(answer.starts_with("@w3m-frame/INIT_SMART_ACCOUNT_ERROR "), "{answer}");
        assert!(answer.contains("Smart accounts aren't set up"), "{answer}");
    }
}

#[test]
fn spec_7_27_the_plain_account_is_the_only_one_to_prefer() {
    let mut world = World::logged_in();
    world.host("SET_PREFERRED_ACCOUNT", r#"{"type":"eoa"}"#);
    assert!(
        world.take()[0].starts_with(r#"@w3m-frame/SET_PREFERRED_ACCOUNT_SUCCESS 2 {"type":"eoa","address":"0xf39F"#)
    );
}

#[test]
fn spec_7_31_and_7_32_theme_and_name_of_the_host_are_drawn() {
    let mut world = World::new();
    world.host("SYNC_THEME", r##"{"themeMode":"light","themeVariables":{"--apkt-accent":"#f00"}}"##);
    world.host("SYNC_DAPP_DATA", r#"{"metadata":{"name":"Shop\u202e"},"projectId":"demo"}"#);
    let snapshot = world.frame.take_change().unwrap().to_owned();
    assert!(snapshot.contains(r##""theme":"light","variables":{"--apkt-accent":"#f00"}"##), "{snapshot}");
    assert!(snapshot.contains(r#""host":{"origin":"https://shop.example.org","name":"Shop\\u{202e}"}"#), "{snapshot}");
}

#[test]
fn spec_5_30_a_safe_method_passes_to_the_chain_without_an_approval() {
    let mut world = World::logged_in();
    world.rpc("eth_getBalance", r#"["0x00","latest"]"#);
    let effect = world.only();
    let Operation::SendRpc { chain, calls } = &effect.operation else { panic!() };
    assert_eq!(
        (chain.to_string().as_str(), calls[0].method.as_str(), to_text(&calls[0].params)),
        ("eip155:1", "eth_getBalance", r#"["0x00","latest"]"#.into())
    );
    assert!(world.approval().is_none());
    world.ordered.push(effect);
    world.answer(r#"[{"jsonrpc":"2.0","id":1,"result":"0x7"}]"#);
    assert_eq!(world.take(), [r#"@w3m-frame/RPC_REQUEST_SUCCESS 2 "0x7""#]);
}

#[test]
fn an_error_of_the_node_reaches_the_host_with_its_code() {
    let mut world = World::logged_in();
    world.rpc("eth_call", "[]");
    world.answer(r#"[{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted"}}]"#);
    assert_eq!(world.take(), [r#"@w3m-frame/RPC_REQUEST_ERROR 2 {"message":"execution reverted","code":3}"#]);
}

#[test]
fn spec_5_29_and_8_36_a_method_on_no_list_is_not_allowed() {
    for method in
        ["eth_sign", "eth_signTransaction", "wallet_addEthereumChain", "debug_traceCall", "", "eth_call,eth_accounts"]
    {
        let mut world = World::logged_in();
        world.rpc(method, "[]");
        let told = r#"@w3m-frame/RPC_REQUEST_ERROR 2 {"message":"Requested RPC call is not allowed","code":4200}"#;
        assert_eq!(world.take(), [told], "{method}");
        assert!(world.ordered.is_empty());
    }
}

#[test]
fn spec_5_31_no_method_that_needs_an_approval_passes_to_the_chain() {
    for method in NEEDS_APPROVAL.split(',') {
        let mut world = World::logged_in();
        world.rpc(method, "[]");
        assert!(world.ordered.is_empty() && world.take()[0].contains("_ERROR"), "{method}");
    }
    assert_eq!((SAFE.split(',').count(), NEEDS_APPROVAL.split(',').count()), (43, 11));
}

#[test]
fn what_the_wallet_does_not_do_is_refused_in_words_that_say_so() {
    let smart = "Smart accounts aren't set up in this wallet";
    let permissions = "Permissions aren't set up in this wallet";
    for (method, message) in [
        ("wallet_sendCalls", "Batches of calls aren't set up in this wallet"),
        ("wallet_grantPermissions", permissions),
        ("wallet_revokePermissions", permissions),
        ("eth_sendUserOperation", smart),
        ("eth_supportedEntryPoints", smart),
    ] {
        let mut world = World::logged_in();
        world.rpc(method, "[{}]");
        let told = world.take().join("");
        assert!(told.contains(message) && told.contains("4200"), "{method}: {told}");
        assert!(world.approval().is_none() && world.ordered.is_empty(), "{method}");
    }
}
