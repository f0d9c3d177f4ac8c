//! Scenarios of tokens reported by a wallet (EIP-7811), and of reports that are not believed.

use super::*;

fn json(text: &str) -> Value {
    parse(text).unwrap()
}

const CAPABLE: &str =
    r#"{"0x7a69":{"assetDiscovery":{"supported":true}},"0x1":{"assetDiscovery":{"supported":false}}}"#;
const USDC: &str = r#"{"address":"0x0000000000000000000000000000000000000002","balance":"0x1dcd6500","type":"ERC20","metadata":{"name":"USD Coin","symbol":"USDC","decimals":6,"price":1.5,"iconUrl":"https://wallet.example/usdc.png"}}"#;
const ETHER: &str = r#"{"address":"native","balance":"0xde0b6b3a7640000","type":"NATIVE","metadata":{"name":"Ether","symbol":"ETH","decimals":18,"price":3e3,"iconUrl":""}}"#;

fn capable(assets: &str) -> ScriptedWallet {
    alpha()
        .when("wallet_getCapabilities", Behaviour::Nonsense(json(CAPABLE)))
        .when("wallet_getAssets", Behaviour::Nonsense(json(assets)))
}

#[test]
fn spec_3_13_7_6_and_7_7_a_wallet_that_can_tell_is_asked_before_the_server() {
    let mut world = opened(capable(&format!(r#"{{"0x7A69":[{USDC},{ETHER}]}}"#)));
    assert_eq!(world.server.count(ROUTE), 0);
    assert_eq!(asked(&mut world, "wallet_getCapabilities"), [format!(r#"["{ADDRESS}"]"#)]);
    let question = format!(r#"[{{"account":"{ADDRESS}","chainFilter":["0x7a69"]}}]"#);
    assert_eq!(asked(&mut world, "wallet_getAssets"), [question]);
    let account = state(&world);
    assert_eq!(symbols(&world), ["ETH", "USDC"]);
    let usdc = &account.token_balance[1];
    assert_eq!((usdc.shown.as_str(), usdc.value.as_deref()), ("500.00", Some("750.00")));
    assert_eq!(usdc.address.as_deref(), Some("eip155:31337:0x0000000000000000000000000000000000000002"));
    // Loading a picture named by the wallet would be a request to an unknown host.
    assert_eq!(usdc.icon_url, None);
    assert_eq!(account.total_value.as_deref(), Some("30000750.00"));
    world.dispatch(Event::Account(Account::TokensAsked));
    assert_eq!(asked(&mut world, "wallet_getCapabilities").len(), 1);
    assert_eq!(asked(&mut world, "wallet_getAssets").len(), 2);
}

/// Whether the wallet's list is used when one field of its asset is changed; otherwise the server is queried.
fn is_taken(from: &str, to: &str) -> bool {
    let changed = USDC.replace(from, to);
    assert_ne!(changed, USDC);
    let world = opened(capable(&format!(r#"{{"0x7a69":[{ETHER},{changed}]}}"#)));
    match (world.server.count(ROUTE), symbols(&world).len()) {
        (0, 2) => true,
        (1, 4) => false,
        other => panic!("{other:?}: {changed}"),
    }
}

#[test]
fn spec_5_15_one_wrong_asset_spoils_them_all_and_the_server_is_asked() {
    assert!(is_taken(r#""name":"USD Coin""#, r#""name":"Dollars""#));
    for (from, to) in [(USDC, "7"), (USDC, "null"), (USDC, "[]"), (USDC, "{}"), (r#""metadata":{"#, r#""meta":{"#)] {
        assert!(!is_taken(from, to), "{to}");
    }
    for answer in ["null", "[]", "{}", r#"{"0x1":[]}"#, r#"{"0x7a69":{}}"#, r#"{"0x7a69":null}"#] {
        assert_eq!(opened(capable(answer)).server.count(ROUTE), 1, "{answer}");
    }
    let nothing = opened(capable(r#"{"0x7a69":[]}"#));
    assert_eq!((symbols(&nothing), nothing.server.count(ROUTE)), (vec!["ETH".into()], 0));
}

#[test]
fn spec_5_16_an_asset_needs_a_text_as_address_and_as_balance() {
    let address = r#""address":"0x0000000000000000000000000000000000000002""#;
    for wrong in [r#""address":null"#, r#""address":2"#, r#""address":["0x02"]"#, r#""adress":"0x02""#] {
        assert!(!is_taken(address, wrong), "{wrong}");
    }
    let balance = r#""balance":"0x1dcd6500""#;
    let long = format!(r#""balance":"0x{}""#, "f".repeat(65));
    for wrong in [
        r#""balance":500"#,
        r#""balance":null"#,
        r#""amount":"0x1""#,
        r#""balance":"500""#,
        r#""balance":"0xg""#,
        &long,
    ] {
        assert!(!is_taken(balance, wrong), "{wrong}");
    }
    assert!(is_taken(balance, r#""balance":"0x0""#));
}

#[test]
fn spec_5_17_an_asset_is_of_the_type_erc20_or_native() {
    for wrong in ["\"ERC721\"", "\"ERC20 \"", "\"\"", "1", "null", "[\"ERC20\"]"] {
        assert!(!is_taken(r#""type":"ERC20""#, &format!(r#""type":{wrong}"#)), "{wrong}");
    }
    assert!(!is_taken(r#""type":"ERC20","#, ""));
    // EIP-7811 spells the types in lower case.
    assert!(is_taken(r#""type":"ERC20""#, r#""type":"erc20""#));
}

#[test]
fn spec_5_18_the_metadata_of_an_asset_has_texts_and_numbers_where_they_belong() {
    let texts = [
        ("name", r#""USD Coin""#, ["null", "7", "[\"USD Coin\"]"]),
        ("symbol", r#""USDC""#, ["null", "7", "{}"]),
        ("iconUrl", r#""https://wallet.example/usdc.png""#, ["null", "7", "true"]),
        ("decimals", "6", ["null", "\"6\"", "-6"]),
        ("decimals", "6", ["6.5", "256", "true"]),
        ("price", "1.5", ["null", "\"1.5\"", "[1.5]"]),
    ];
    for (name, right, wrongs) in texts {
        let right = format!(r#""{name}":{right}"#);
        for wrong in wrongs {
            assert!(!is_taken(&right, &format!(r#""{name}":{wrong}"#)), "{name} {wrong}");
        }
        assert!(!is_taken(&right, &format!(r#""not{name}":0"#)), "{name} missing");
    }
    assert!(is_taken(r#""price":1.5"#, r#""price":0"#));
    assert!(is_taken(r#""iconUrl":"https://wallet.example/usdc.png""#, r#""iconUrl":"""#));
}

#[test]
fn spec_5_12_a_token_with_decimals_0_is_dropped_from_what_a_wallet_tells_and_the_others_stay() {
    let low = USDC.replace(r#""decimals":6"#, r#""decimals":0"#);
    let world = opened(capable(&format!(r#"{{"0x7a69":[{ETHER},{low}]}}"#)));
    assert_eq!((symbols(&world), world.server.count(ROUTE)), (vec!["ETH".into()], 0));
}

#[test]
fn spec_7_6_a_wallet_that_cannot_tell_refuses_or_talks_nonsense_is_as_one_that_can_do_nothing() {
    let refusing = alpha().when("wallet_getCapabilities", Behaviour::Refuse);
    let other = |text: &str| alpha().when("wallet_getCapabilities", Behaviour::Nonsense(json(text)));
    let wallets = [
        alpha(),
        refusing,
        other("7"),
        other("null"),
        other(r#"{"0x7a69":{"assetDiscovery":{"supported":"true"}}}"#),
        other(r#"{"0x7a69":{"assetDiscovery":true}}"#),
        other(r#"{"0x1":{"assetDiscovery":{"supported":true}}}"#),
        other(r#"{"31337":{"assetDiscovery":{"supported":true}}}"#),
    ];
    for wallet in wallets {
        let mut world = opened(wallet);
        assert_eq!((world.server.count(ROUTE), symbols(&world).len()), (1, 4));
        assert_eq!(asked(&mut world, "wallet_getAssets"), Vec::<String>::new());
    }
    let everywhere = other(r#"{"0x0":{"assetDiscovery":{"supported":true}}}"#);
    assert_eq!(asked(&mut opened(everywhere), "wallet_getAssets").len(), 1);
}

#[test]
fn spec_7_6_the_wallet_is_asked_once_for_each_address() {
    let mut world = opened(alpha());
    world.dispatch(Event::Account(Account::TokensAsked));
    world.wallet_switches(31338);
    assert_eq!(asked(&mut world, "wallet_getCapabilities").len(), 1);
    world.wallet_shows(&["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]);
    assert_eq!(asked(&mut world, "wallet_getCapabilities").len(), 2);
}

#[test]
fn a_wallet_that_says_nothing_is_not_waited_for() {
    for method in ["wallet_getCapabilities", "wallet_getAssets"] {
        let mut world = opened(capable("{}").when(method, Behaviour::Silent));
        assert_eq!(world.server.count(ROUTE), 0);
        world.advance(3_000);
        assert_eq!((world.server.count(ROUTE), symbols(&world).len()), (1, 4), "{method}");
        world.dispatch(Event::Account(Account::TokensAsked));
        assert_eq!(world.server.count(ROUTE), 2);
    }
}
