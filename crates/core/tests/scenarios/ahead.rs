//! The page's own behaviour before the core has loaded matches the core's first steps.

use portico_core::connect::{Item, ahead};
use portico_core::modal::View;
use portico_json::{Value, parse};
use portico_testkit::{ScriptedWallet, Store, World, options};

const DEAREST: &str = "example.beta";

fn wallets() -> Vec<ScriptedWallet> {
    vec![ScriptedWallet::named("Alpha"), ScriptedWallet::named("Beta")]
}

/// World of an ordinary host with these additional options.
fn world(more: &str) -> World {
    let options = options().replacen('{', &["{", more].concat(), 1);
    let mut world = World::with(&options, wallets(), Store::default());
    world.open(None);
    world
}

/// Connect view as a visitor finds it, and the effect of choosing a wallet there.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    view: View,
    lists: Vec<Vec<Item>>,
    /// Whether the list of all other wallets is offered.
    all: Option<bool>,
    /// First request to the chosen wallet.
    asked: Option<(String, Value)>,
}

fn told(mut world: World) -> Told {
    let snapshot = world.snapshot();
    world.choose(DEAREST);
    Told {
        view: snapshot.modal.view,
        lists: snapshot.wallets.groups.into_iter().map(|group| group.items).collect(),
        all: snapshot.directory.map(|directory| directory.all),
        asked: world.wallets[1].requests.first().cloned(),
    }
}

#[test]
fn a_wallet_that_is_chosen_is_asked_first_what_the_page_may_ask_it_ahead() {
    let told = told(world(""));
    let listed: Vec<_> = told.lists.concat().into_iter().map(|item| item.id).collect();
    assert_eq!((told.view, &listed[..2]), (View::Connect, &["example.alpha".to_owned(), DEAREST.to_owned()][..]));
    assert_eq!(told.asked, Some((ahead::METHOD.into(), Value::Null)));
}

/// Examples of the options that disable the behaviour before load.
const GIVEN: [(&str, &str); 13] = [
    ("enableWallets", r#""enableWallets":false,"#),
    ("allWallets", r#""allWallets":"HIDE","#),
    ("customWallets", r#""customWallets":[{"id":"own","name":"Own"}],"#),
    ("featuredWalletIds", r#""featuredWalletIds":["io.metamask"],"#),
    ("excludeWalletIds", r#""excludeWalletIds":["example.beta"],"#),
    ("enableEIP6963", r#""enableEIP6963":false,"#),
    ("manualWCControl", r#""manualWCControl":true,"relays":[{"relayUrl":"wss://relay.example"}],"#),
    ("connectorImages", r#""connectorImages":{"example.beta":"/beta.svg"},"#),
    (
        "connectorTypeOrder",
        r#""features":{"connectorTypeOrder":["walletConnect"]},"relays":[{"relayUrl":"wss://relay.example"}],"#,
    ),
    ("connectMethodsOrder", r#""features":{"connectMethodsOrder":["email"]},"#),
    ("legalCheckbox", r#""features":{"legalCheckbox":true},"termsConditionsUrl":"https://host.example/terms","#),
    ("emailShowWallets", r#""features":{"emailShowWallets":false},"#),
    ("collapseWallets", r#""features":{"collapseWallets":true},"#),
];

/// Options for ways to connect that do not exist yet: today they do not change the list.
const LATER: [&str; 3] = ["connectMethodsOrder", "emailShowWallets", "collapseWallets"];

#[test]
fn each_option_that_holds_the_page_back_changes_the_list_or_what_follows_a_choice() {
    let usual = told(world(""));
    for (name, given) in GIVEN {
        let relays = if given.contains("relays") { r#""relays":[{"relayUrl":"wss://relay.example"}],"# } else { "" };
        let usual = if relays.is_empty() { usual.clone() } else { told(world(relays)) };
        let changes = told(world(given)) != usual;
        assert_eq!(changes, !LATER.contains(&name), "{name}");
        assert!(!ahead::UNDERSTOOD.contains(&name), "{name}");
    }
}

#[test]
fn no_option_that_the_page_understands_changes_them() {
    let usual = told(world(""));
    for given in [
        r#""themeMode":"light","themeVariables":{"--w3m-accent":"red"},"metadata":{"name":"Host","url":"/"},"#,
        r#""endpoints":"https://host.example","clientId":"a","customRpcUrls":{"eip155:31337":[{"url":"/rpc"}]},"#,
        r#""features":{"swaps":false,"onramp":false,"send":false,"receive":false,"history":false,"analytics":false},"#,
        r#""enableNetworkSwitch":false,"allowUnsupportedChain":true,"enableReconnect":false,"enableInjected":false,"#,
        r#""chainImages":{"31337":"/one.svg"},"termsConditionsUrl":"https://host.example/terms","debug":false,"#,
        r#""siwx":{"required":true},"includeWalletIds":["io.metamask"],"basic":true,"#,
        r#""defaultAccountTypes":{"eip155":"eoa"},"locale":"ar","preload":"idle","universalProvider":true,"#,
    ] {
        parse(&["{", given.trim_end_matches(','), "}"].concat()).unwrap();
        assert_eq!(told(world(given)), usual, "{given}");
    }
}
