//! Snapshots of the registration of a name.

use crate::snapshots::Cases;
use portico_api::account::Balances;
use portico_api::identity::Identity;
use portico_api::name::{NameRecord, Nonce, Suggestion, Suggestions};
use portico_api::project::ProjectConfig;
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::name::Event as Name;
use portico_json::to_text;
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, options};

/// Suggested labels, and whether they are registered.
const LIKE: [(&str, bool); 4] = [("alice", true), ("alice1", false), ("alice-eth", false), ("the-alice", false)];

/// Label that the server keeps for itself.
const RESERVED: &str = "support";

fn suggestions() -> Suggestions {
    suggested(&LIKE)
}

fn suggested(labels: &[(&str, bool)]) -> Suggestions {
    let each = |(label, registered): &(&str, bool)| Suggestion {
        name: format!("{label}.example.eth"),
        registered: *registered,
        reserved: Some(*label == RESERVED),
    };
    Suggestions { suggestions: labels.iter().map(each).collect() }
}

/// World of a connected visitor whose host's server registers names, at the view before the form.
fn invited(wallet: Behaviour, answers: &[(&str, u16, &str)]) -> World {
    let options = options().replacen('{', r#"{"endpoints":"https://host.example","#, 1).replacen(
        r#""testnet":true"#,
        r#""testnet":false"#,
        1,
    );
    let wallet = ScriptedWallet::named("Alpha Wallet").when("personal_sign", wallet);
    let mut world = World::with(&options, vec![wallet], Store::default());
    world.server.serves("/balance", &Balances::default());
    world.server.serves("/identity", &Identity::default());
    world.server.serves("/config", &ProjectConfig { names: Some("example.eth".into()), ..ProjectConfig::default() });
    world.server.serves("/suggestions", &suggestions());
    world.server.serves("/account/alice1", &Vec::<NameRecord>::new());
    world.server.serves("/nonce", &Nonce { nonce: "porticoname00112233445566778899aabbccddeeff".into() });
    for (part, status, body) in answers {
        world.server.answers(part, *status, body);
    }
    world.connect_first();
    world.open(None);
    world.dispatch(Event::Modal(Modal::ViewAsked { view: View::ChooseAccountName }));
    world
}

/// World of [`invited`], at the form.
fn choosing(wallet: Behaviour, answers: &[(&str, u16, &str)]) -> World {
    let mut world = invited(wallet, answers);
    world.dispatch(Event::Modal(Modal::ViewAsked { view: View::RegisterAccountName }));
    world
}

fn typed(mut world: World, text: &str) -> World {
    world.dispatch(Event::Name(Name::Typed { text: text.into() }));
    world.advance(1_000);
    world
}

fn registering(mut world: World) -> World {
    world.dispatch(Event::Name(Name::RegisterAsked));
    world.advance(1_000);
    world
}

pub fn cases() -> Cases {
    let signed = || Behaviour::Nonsense(["0x", &"12".repeat(65)].concat().into());
    let refused = |reason: &str| {
        let body = format!(r#"{{"status":"FAILED","reasons":[{{"field":"name","description":"{reason}"}}]}}"#);
        typed(choosing(signed(), &[("/account?", 409, &body)]), "alice1")
    };
    let mut taken = refused("The name alice1.example.eth is taken. Try another.");
    taken.server.serves("/suggestions", &suggested(&LIKE.map(|(label, _)| (label, label.starts_with("alice")))));
    let reserved = &to_text(&suggested(&[(RESERVED, true), ("support1", false), ("support-eth", false)]));
    let done = registering(typed(choosing(signed(), &[("/account?", 200, "{}")]), "alice1"));
    vec![
        ("ChooseAccountName.page", invited(Behaviour::Silent, &[]).snapshot()),
        ("RegisterAccountName.empty", choosing(Behaviour::Silent, &[]).snapshot()),
        ("RegisterAccountName.fault", typed(choosing(Behaviour::Silent, &[]), "ali_ce").snapshot()),
        ("RegisterAccountName.suggestions", typed(choosing(Behaviour::Silent, &[]), "alice").snapshot()),
        (
            "RegisterAccountName.reserved",
            typed(choosing(Behaviour::Silent, &[("/suggestions", 200, reserved)]), RESERVED).snapshot(),
        ),
        ("RegisterAccountName.signing", registering(typed(choosing(Behaviour::Silent, &[]), "alice1")).snapshot()),
        (
            "RegisterAccountName.problem",
            registering(refused("This account already has 2 names, which is the limit.")).snapshot(),
        ),
        ("RegisterAccountName.taken", registering(taken).snapshot()),
        ("RegisterAccountNameSuccess.done", done.snapshot()),
    ]
}
