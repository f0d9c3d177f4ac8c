use super::*;
use portico_json::parse;

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
fn spec_4_40_name_and_image_are_cleared_there() {
    let facts = crate::facts::Facts::default();
    let mut accounts = Accounts::default();
    let named = |accounts: &mut Accounts| {
        let account = accounts.accounts.or_default(Namespace::Eip155);
        account.profile_name = Some("alice.eth".into());
        account.profile_image = Some("https://a.example/a.png".into());
    };
    named(&mut accounts);
    accounts.changed(Namespace::Eip155, Some(&network(false, "eip155")), &mut Cx::new(0, &facts));
    assert!(accounts.accounts.or_default(Namespace::Eip155).profile_name.is_some());
    accounts.changed(Namespace::Eip155, Some(&network(true, "eip155")), &mut Cx::new(0, &facts));
    let account = accounts.accounts.or_default(Namespace::Eip155);
    assert_eq!((account.profile_name.as_ref(), account.profile_image.as_ref()), (None, None));
}
