//! Property tests of the sign-in with a site and a wallet that refuse, hang and answer nonsense: no session but of the message that was
//! shown for this account and chain, no way around a required sign-in, and no loop.

use portico_core::{Event, SignInCall, account, connect, modal, network, siwx};
use portico_json::Value;
use portico_testkit::{Behaviour, Faults, ScriptedWallet, Store, World, options, with_sign_in};

use crate::{hold, pick};

const ACCOUNTS: [&str; 2] =
    ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"];

fn event(choices: &mut Faults, world: &World) -> Event {
    match choices.below(13) {
        0..=3 => Event::Siwx(siwx::Event::SignAsked),
        4 => Event::Siwx(siwx::Event::CancelAsked),
        5 => Event::Modal(modal::Event::CloseAsked),
        6 => Event::Modal(modal::Event::BackAsked),
        7 => Event::Connect(connect::Event::AccountsChanged {
            handle: world.wallets[0].handle(),
            accounts: Value::List(vec![pick(choices, &ACCOUNTS).into()]),
        }),
        8 => Event::Network(network::Event::NetworkChosen {
            chain: pick(choices, &["eip155:31337", "eip155:31338", "eip155:999"]).into(),
        }),
        9 => Event::Account(account::Event::PageShown),
        10 => Event::Modal(modal::Event::OpenAsked {
            view: choices.strikes(50).then(|| "Account".into()),
            namespace: None,
            uri: None,
            arguments: Value::Null,
            ticket: None,
        }),
        11 => Event::Modal(modal::Event::RedirectAsked { view: "Account".into() }),
        _ => Event::Connect(connect::Event::WalletChosen { connector: "example.alpha".into() }),
    }
}

/// Another mood of the site and of the wallet.
fn disturb(choices: &mut Faults, world: &mut World) {
    let call = SignInCall::ALL[choices.below(SignInCall::ALL.len() as u64) as usize];
    world.site.silent.clear();
    world.site.answers.clear();
    match choices.below(8) {
        0 => world.site.silent.push(call),
        1 => world.site.answers.push((call, Err("down".into()))),
        2 => world.site.answers.push((call, Ok(choices.nonsense()))),
        _ => {}
    }
    let signature = Value::Text(format!("0x{}1b", "ab".repeat(64)));
    let behaviour = match choices.below(6) {
        0 => Behaviour::Refuse,
        1 => Behaviour::Late(choices.below(20_000)),
        2 => Behaviour::Nonsense(choices.nonsense()),
        _ => Behaviour::Nonsense(signature),
    };
    world.wallets[0].behaviours.insert("personal_sign".into(), behaviour);
}

fn visit(seed: u64, required: bool) {
    let mut choices = Faults::seeded(seed);
    let mut world =
        World::with(&with_sign_in(&options(), required), vec![ScriptedWallet::named("Alpha")], Store::default());
    // Reading all changes takes long: one visit in twenty is enough.
    world.exact = seed.is_multiple_of(20);
    world.connect_first();
    for step in 0..40 {
        disturb(&mut choices, &mut world);
        let before = world.site.asked.len();
        let due = world.app.snapshot().siwx.phase;
        let event = event(&mut choices, &world);
        let told = format!("seed {seed}, step {step}: {event:?}");
        let leaves = matches!(event, Event::Modal(_));
        world.dispatch(event);
        hold(&mut world, &told);
        let snapshot = world.app.snapshot();
        assert!(world.site.asked.len() - before <= 6, "{told}: the site is asked {:?}", &world.site.asked[before..]);
        if required && leaves && !matches!(due, siwx::Phase::Idle | siwx::Phase::Checking) {
            assert!(snapshot.modal.open, "{told}: closed");
            assert_eq!(snapshot.modal.view, modal::View::SIWXSignMessage, "{told}");
        }
        let asked = world.site.asked.len();
        if choices.strikes(30) {
            world.advance(choices.below(40_000));
            assert!(world.site.asked.len() - asked <= 4, "{told}: asked again and again while time passes");
        }
        hold(&mut world, &told);
    }
    for (call, given) in world.site.asked.iter().filter(|(call, _)| *call == SignInCall::AddSession) {
        for field in ["chainId", "accountAddress"] {
            assert_eq!(given.get(field), given.get("data").get(field), "seed {seed}: {call:?} of another message");
        }
    }
    // With a site and a wallet that work the visitor can sign in.
    world.site.silent.clear();
    world.site.answers.clear();
    world.site.sessions.clear();
    world.advance(300_000);
    let signature = Value::Text(format!("0x{}1b", "ab".repeat(64)));
    world.wallets[0].behaviours.insert("personal_sign".into(), Behaviour::Nonsense(signature));
    world.dispatch(Event::Connect(connect::Event::DisconnectAsked { namespace: None, ticket: None }));
    world.reload();
    world.advance(60_000);
    world.open(None);
    world.choose("example.alpha");
    world.sign_in(siwx::Event::SignAsked);
    assert_eq!(world.site.sessions.len(), 1, "seed {seed}");
}

#[test]
fn spec_4_26_and_6_3_after_any_visit_with_any_faults_a_session_is_of_its_message_and_the_visitor_can_still_sign_in() {
    for seed in 0..150 {
        visit(seed, seed % 3 != 0);
    }
}
