use super::*;
use crate::Facts;
use portico_json::parse;
use portico_terms::ConnectorKind;

fn network(testnet: bool, namespace: &str) -> Network {
    let text = format!(
        r#"{{"id":{},"chainNamespace":"{namespace}","name":"N","testnet":{testnet},"nativeCurrency":{{"name":"C","symbol":"C","decimals":9}},"rpcUrls":{{"default":{{"http":["https://a.example"]}}}}}}"#,
        if namespace == "eip155" { "1" } else { r#""5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp""# }
    );
    Network::from_host(&parse(&text).unwrap()).unwrap()
}

#[test]
fn spec_4_40_no_identity_is_looked_up_outside_of_evm_chains_and_on_testnets() {
    assert!(is_looked_up(&network(false, "eip155")));
    assert!(!is_looked_up(&network(true, "eip155")));
    assert!(!is_looked_up(&network(false, "solana")));
}

#[test]
fn what_was_being_read_when_a_transaction_was_mined_is_read_once_more() {
    let network = network(true, "eip155");
    let (chain, address) = (network.caip_network_id.clone(), String::from("0xab"));
    let account = crate::facts::ActiveAccount {
        namespace: Namespace::Eip155,
        address: address.clone(),
        connector: "alpha".into(),
        handle: "alpha".into(),
        kind: ConnectorKind::Announced,
        wallet: "Alpha".into(),
    };
    let facts = Facts { account: Some(Rc::new(account)), active_network: Some(Rc::new(network)), ..Facts::default() };
    let mut accounts = Accounts::default();
    let mut reads = |step: &mut dyn FnMut(&mut Accounts, &mut Cx)| {
        let mut cx = Cx::new(0, &facts);
        step(&mut accounts, &mut cx);
        cx.calls.len()
    };
    let mut old = |accounts: &mut Accounts, cx: &mut Cx| {
        let asked = Reason::Balance(Namespace::Eip155, chain.clone(), address.clone());
        accounts.answered(asked, Ok(Value::Text("0x1".into())), cx);
    };
    assert_eq!(reads(&mut |accounts, cx| accounts.refresh(cx)), 1);
    assert_eq!(reads(&mut |accounts, cx| accounts.spent(cx)), 0);
    assert_eq!(reads(&mut old), 1);
    assert_eq!(reads(&mut old), 0);
    assert_eq!(reads(&mut |accounts, cx| accounts.spent(cx)), 1);
}

#[test]
fn spec_3_22_eight_accounts_that_are_not_in_use_are_remembered_the_latest_first() {
    let owner = |number: u64| (portico_terms::ChainId::eip155(number), String::from("0x1"));
    let mut recent = super::recent::Recent::default();
    for number in 0..9 {
        recent.keep(owner(number), number);
    }
    assert_eq!((recent.take(&owner(0)), recent.take(&owner(1)), recent.take(&owner(1))), (None, Some(1), None));
    assert_eq!((recent.get_mut(&owner(8)).copied(), recent.take(&(owner(8).0, "0x2".into()))), (Some(8), None));
    recent.keep(owner(8), 80);
    assert_eq!((recent.take(&owner(8)), recent.take(&owner(8))), (Some(80), None));
    recent.retain(|number| *number == 2);
    assert_eq!((recent.take(&owner(2)), recent.take(&owner(3))), (Some(2), None));
}

#[test]
fn spec_7_6_every_feature_may_know_whether_the_wallet_in_use_does_several_calls_together_on_the_chain_in_use() {
    let account = |address: &str| crate::facts::ActiveAccount {
        namespace: Namespace::Eip155,
        address: address.into(),
        connector: "alpha".into(),
        handle: "alpha".into(),
        kind: ConnectorKind::Announced,
        wallet: "Alpha".into(),
    };
    let facts = |address: &str, id: u64| {
        let mut network = network(true, "eip155");
        network.caip_network_id = ChainId::eip155(id);
        Facts { account: Some(Rc::new(account(address))), active_network: Some(Rc::new(network)), ..Facts::default() }
    };
    let mut accounts = Accounts::default();
    let look = |accounts: &mut Accounts, facts: &Facts, told: Option<&str>| {
        let mut cx = Cx::new(0, facts);
        accounts.forget_others(facts);
        accounts.show(&mut cx);
        let asked = cx.asks.iter().find_map(|(_, asked)| match asked {
            crate::app::Reason::Account(Reason::Capabilities(attempt)) => Some(*attempt),
            _ => None,
        });
        if let Some((told, attempt)) = told.zip(asked) {
            let told = parse(told).map_err(|_| RpcError::nonsense(""));
            accounts.answered(Reason::Capabilities(attempt), told, &mut cx);
        }
        (asked.is_some(), accounts.batches())
    };
    let able = r#"{"0x1":{"atomic":{"status":"supported"}},"0xa":{"atomic":{"status":"ready"}}}"#;
    assert_eq!(look(&mut accounts, &facts("0x1", 1), None), (true, false));
    // A request still pending when the chain changed is repeated.
    assert_eq!(look(&mut accounts, &facts("0x1", 10), Some(able)), (true, false));
    assert_eq!(look(&mut accounts, &facts("0x1", 1), Some(able)), (false, true));
    assert_eq!(look(&mut accounts, &facts("0x2", 1), Some("nonsense")), (true, false));
    assert_eq!(look(&mut accounts, &facts("0x2", 1), Some(able)), (false, false));
    assert_eq!(look(&mut accounts, &Facts::default(), None), (false, false));
}
