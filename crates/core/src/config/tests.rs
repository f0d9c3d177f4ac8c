use super::*;
use crate::notice::AlertKey;
use crate::{App, Boot, app};
use portico_json::parse;
use portico_terms::Namespace;

const NETWORK: &str = r#"{"id":1,"name":"Ethereum","nativeCurrency":{"name":"Ether","symbol":"ETH","decimals":18},"rpcUrls":{"default":{"http":["https://eth.example"]}}}"#;

fn options(rest: &str) -> Options {
    let adapters = if rest.contains("\"adapters\"") { "" } else { r#","adapters":[{"namespace":"eip155"}]"# };
    Options::read(&parse(&format!(r#"{{"projectId":"abc","networks":[{NETWORK}]{adapters}{rest}}}"#)).unwrap())
}

fn faults(text: &str) -> Vec<(AlertKey, String)> {
    Options::read(&parse(text).unwrap()).faults.into_iter().map(|fault| (fault.alert, fault.detail)).collect()
}

#[test]
fn spec_1_5_a_project_id_is_required() {
    assert_eq!(options("").faults, []);
    for id in ["null", r#""""#, r#""  ""#] {
        let found = faults(&format!(r#"{{"projectId":{id},"networks":[{NETWORK}]}}"#));
        assert_eq!(found, [(AlertKey::ProjectIdNotConfigured, "projectId".into())], "{id}");
    }
    for id in ["7", "{}", r#""a b""#, r#""<script>""#, &format!("\"{}\"", "a".repeat(65))] {
        let found = faults(&format!(r#"{{"projectId":{id},"networks":[{NETWORK}]}}"#));
        assert_eq!(found, [(AlertKey::InvalidProjectId, "projectId".into())], "{id}");
    }
}

#[test]
fn spec_1_5_siwe_config_and_siwx_together_are_refused() {
    let refused = |more: &str| options(more).faults.iter().any(|fault| fault.detail.starts_with("Cannot set both"));
    assert!(!refused(r#","siwx":true"#) && !refused(r#","siweConfig":{}"#));
    assert!(refused(r#","siwx":{},"siweConfig":true"#));
}

#[test]
fn an_option_without_effect_is_told_to_the_host() {
    for (given, told) in [
        (r#","features":{"smartSessions":true}"#, "features.smartSessions: has no effect yet"),
        (r#","features":{"collapseWallets":true}"#, "features.collapseWallets: has no effect yet"),
    ] {
        let faults = options(given).faults;
        assert!(faults.len() == 1 && faults[0].detail.starts_with(told), "{given}: {faults:?}");
    }
    assert_eq!(options(r#","features":{"smartSessions":false,"collapseWallets":false}"#).faults, []);
}

#[test]
fn spec_8_34_the_refusal_says_cannot_set_both_siwe_config_and_siwx_options() {
    let found = options(r#","siwx":true,"siweConfig":true"#).faults;
    assert_eq!(found[0].detail, "Cannot set both siweConfig and siwx options");
}

#[test]
fn spec_1_6_the_default_theme_is_dark_and_the_default_sdk_type_appkit() {
    let options = options(r#","themeMode":"neon""#);
    assert_eq!((options.theme_mode, options.sdk_type.as_str()), (ThemeMode::Dark, "appkit"));
}

#[test]
fn spec_6_3_a_configured_sign_in_is_mandatory_unless_the_host_says_otherwise() {
    assert!(!options("").sign_in_required);
    assert!(options(r#","siwx":{"required":true}"#).sign_in_required);
    assert!(!options(r#","siwx":{"required":false}"#).sign_in_required);
    assert!(options(r#","siweConfig":{"required":true,"signsOut":false}"#).sign_in_required);
    assert!(options(r#","siwx":{"required":false}"#).signs_out, "the default");
    assert!(!options(r#","siweConfig":{"required":true,"signsOut":false}"#).signs_out);
}

#[test]
fn spec_6_4_the_host_turns_each_feature_on_or_off() {
    let all = [
        "swaps",
        "onramp",
        "receive",
        "send",
        "email",
        "emailShowWallets",
        "history",
        "analytics",
        "allWallets",
        "legalCheckbox",
        "smartSessions",
        "collapseWallets",
    ];
    for name in all {
        for wanted in [true, false] {
            let features = options(&format!(r#","features":{{"{name}":{wanted}}}"#)).features;
            assert!(portico_json::to_text(&features).contains(&format!("\"{name}\":{wanted}")), "{name}");
        }
    }
}

#[test]
fn spec_6_5_swaps_onramp_receive_send_email_wallets_history_analytics_and_all_wallets_are_on() {
    let it = Features::default();
    assert!(
        it.swaps
            && it.onramp
            && it.receive
            && it.send
            && it.email
            && it.email_show_wallets
            && it.history
            && it.analytics
            && it.all_wallets
    );
}

#[test]
fn spec_6_6_legal_checkbox_smart_sessions_and_collapse_wallets_are_off() {
    let it = Features::default();
    assert!(!it.legal_checkbox && !it.smart_sessions && !it.collapse_wallets);
}

#[test]
fn spec_6_7_the_default_socials_have_their_order() {
    let words: Vec<_> = Features::default().socials.iter().map(Social::word).collect();
    assert_eq!(words, ["google", "x", "discord", "farcaster", "github", "apple", "facebook"]);
    assert_eq!(options(r#","features":{"socials":false}"#).features.socials, []);
    assert_eq!(
        options(r#","features":{"socials":["apple","evil","apple","x"]}"#).features.socials,
        [Social::Apple, Social::X]
    );
}

#[test]
fn spec_6_8_the_wallet_features_stand_in_the_order_onramp_swaps_receive_send() {
    let words: Vec<_> = Features::default().wallet_features_order.iter().map(WalletFeature::word).collect();
    assert_eq!(words, ["onramp", "swaps", "receive", "send"]);
}

#[test]
fn spec_6_9_names_are_for_eip155_balances_and_onramp_also_for_solana_and_activity_for_all_but_polkadot() {
    let there = |feature| {
        Namespace::ALL.iter().copied().filter(|namespace| supported_on(feature, *namespace)).collect::<Vec<_>>()
    };
    assert_eq!(there(Feature::Names), [Namespace::Eip155]);
    assert_eq!(there(Feature::Activity), [Namespace::Eip155, Namespace::Solana, Namespace::Bip122]);
    assert_eq!(there(Feature::Balances), [Namespace::Eip155, Namespace::Solana]);
    assert_eq!(there(Feature::Onramp), [Namespace::Eip155, Namespace::Solana]);
}

#[test]
fn spec_6_10_mainland_china_hong_kong_and_macau_are_restricted_time_zones() {
    for zone in ["Asia/Shanghai", "Asia/Urumqi", "Asia/Hong_Kong", "Asia/Macau"] {
        assert!(is_restricted(zone), "{zone}");
    }
    for zone in ["Asia/Tokyo", "Asia/Taipei", "Europe/Berlin", ""] {
        assert!(!is_restricted(zone), "{zone}");
    }
}

#[test]
fn spec_6_10_a_visitor_is_restricted_once_the_browser_told_its_time_zone() {
    let mut app = App::boot(Boot::default(), 0);
    assert!(!app.snapshot().config.restricted);
    for (zone, restricted) in [("Asia/Shanghai", true), ("Europe/Berlin", false)] {
        app.dispatch(app::Event::Config(Event::TimeZoneTold { time_zone: zone.into() }), 0);
        assert_eq!(app.snapshot().config.restricted, restricted, "{zone}");
    }
}

#[test]
fn no_networks_is_a_fault_that_names_the_option() {
    let (none, list) = ("networks: add at least one network", "networks: use a list of networks");
    for (networks, says) in [("null", none), ("[]", none), ("{}", list), ("7", list)] {
        let found = faults(&format!(r#"{{"projectId":"abc","networks":{networks}}}"#));
        assert_eq!(found, [(AlertKey::InvalidOptions, says.into())], "{networks}");
    }
}

#[test]
fn a_network_without_an_rpc_url_is_left_out_and_named() {
    let broken = NETWORK.replace(r#""https://eth.example""#, "");
    let options = Options::read(&parse(&format!(r#"{{"projectId":"abc","networks":[{NETWORK},{broken}]}}"#)).unwrap());
    assert_eq!(options.networks.len(), 1);
    assert_eq!(options.faults[0].detail, "networks[1]: Add at least one URL to rpcUrls.default.http of the network");
}

#[test]
fn spec_4_20_a_network_given_twice_is_there_once() {
    let options = Options::read(&parse(&format!(r#"{{"projectId":"abc","networks":[{NETWORK},{NETWORK}]}}"#)).unwrap());
    assert_eq!(options.networks.len(), 1);
    assert_eq!(options.faults[0].detail, "networks[1]: listed twice, used once");
}

#[test]
fn an_endpoint_is_a_web_address_or_a_path() {
    assert_eq!(options(r#","endpoints":"https://a.example/""#).endpoint.as_deref(), Some("https://a.example"));
    assert_eq!(options(r#","endpoints":{"base":"/portico"}"#).endpoint.as_deref(), Some("/portico"));
    let evil = options(r#","endpoints":"javascript:alert(1)""#);
    assert_eq!((evil.endpoint.as_deref(), evil.faults.len()), (None, 1));
    let misnamed = options(r#","endpoints":{"url":"https://a.example"}"#);
    assert_eq!((misnamed.endpoint.as_deref(), misnamed.faults.len()), (None, 1));
}

#[test]
fn an_unknown_adapter_and_a_default_network_outside_of_the_networks_are_told() {
    assert_eq!(
        options(r#","adapters":[{"namespace":"cosmos"}]"#).faults[0].detail,
        "adapters: an adapter has no known namespace"
    );
    assert_eq!(options(r#","adapters":"number""#).faults[0].detail, "adapters: use a list of adapters");
    let none = options(r#","adapters":null"#).faults;
    assert_eq!(none[0].detail, "adapters: add one, or set relays");
    assert_eq!(options(r#","adapters":null,"relays":[{"relayUrl":"wss://relay.example"}]"#).faults, []);
    let other = NETWORK.replace(r#""id":1"#, r#""id":2"#);
    assert_eq!(
        options(&format!(r#","defaultNetwork":{other}"#)).faults[0].detail,
        "defaultNetwork: not one of the networks"
    );
    assert_eq!(options(&format!(r#","defaultNetwork":{NETWORK}"#)).faults, []);
}

#[test]
fn rpc_addresses_that_cannot_be_asked_are_told_by_their_key_and_the_others_are_used() {
    let said = |urls: &str| {
        let options = options(&format!(r#","customRpcUrls":{urls}"#));
        let details: Vec<_> = options.faults.iter().map(|fault| fault.detail.clone()).collect();
        (options.custom_rpc_urls.get("eip155:1").cloned().unwrap_or_default(), details)
    };
    let good = r#"{"url":"https://own.example"}"#;
    assert_eq!(said("null"), (vec![], vec![]));
    assert_eq!(said(&format!(r#"{{"eip155:1":[{good}]}}"#)), (vec!["https://own.example".into()], vec![]));
    assert_eq!(said("7").1, ["customRpcUrls: use { 'eip155:1': [{ url }] }"]);
    let (urls, details) = said(&format!(r#"{{"eip155:1":[{good},{{"url":"ftp://own.example"}}],"1":[{good}]}}"#));
    assert_eq!(urls, ["https://own.example"]);
    assert_eq!(
        details,
        [
            "customRpcUrls.eip155:1: use a list of { url } with http URLs",
            "customRpcUrls.1: not the CAIP-2 id of one of the networks"
        ]
    );
}
