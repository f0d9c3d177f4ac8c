//! Snapshots of the sign-in with a wallet.

use crate::snapshots::Cases;
use portico_core::Event as CoreEvent;
use portico_core::SignInCall;
use portico_core::embedded::{Event as Embedded, SETTLE};
use portico_core::notice::Event as Notice;
use portico_core::siwx::{Event, PATIENCE};
use portico_json::{Value, parse};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, options, with_login, with_sign_in};

const SOLANA_ACCOUNT: &str = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";
const BITCOIN_ACCOUNT: &str = "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l";
const POLKADOT_ACCOUNT: &str = "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5";

fn visit(required: bool, wallet: ScriptedWallet) -> World {
    World::with(&with_sign_in(&options(), required), vec![wallet], Store::default())
}

fn asked(signature: Behaviour) -> World {
    let mut world = visit(true, ScriptedWallet::named("Alpha Wallet").when("personal_sign", signature));
    world.connect_first();
    world
}

/// Asked by a site that says this of itself.
fn said(message: &str) -> World {
    let mut world = visit(false, ScriptedWallet::named("Alpha Wallet"));
    world.site.answers.push((SignInCall::CreateMessage, Ok(parse(message).unwrap_or_default())));
    world.connect_first();
    world
}

/// Refused by the site with this error.
fn refused(error: &str) -> World {
    let mut world = asked(signature());
    world.site.silent.push(SignInCall::AddSession);
    world.sign_in(Event::SignAsked);
    world.site_answers(SignInCall::AddSession, Err(parse(error).unwrap_or_default()));
    world
}

/// Signed in, until the site has no session any more.
fn ended() -> World {
    let mut world = asked(signature());
    world.sign_in(Event::SignAsked);
    world.site.sessions.clear();
    world.open(Some("SIWXSignMessage"));
    world
}

/// On a network that the host does not serve, where the sign-in is required; with this option besides.
fn unsupported(option: &str) -> World {
    let options = with_sign_in(&options(), true).replacen('{', &["{", option].concat(), 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha Wallet")], Store::default());
    world.connect_first();
    world.wallet_switches(999);
    world
}

/// Asked with an account of another namespace.
fn elsewhere(namespace: Namespace, account: &str) -> World {
    let wallet = ScriptedWallet::named("Beta").of(namespace, account).through(ConnectorKind::Announced);
    let options = with_sign_in(&crate::namespaces::host(&[namespace]), true);
    let mut world = World::with(&options, vec![wallet], Store::default());
    world.connect_first();
    world.dispatch(CoreEvent::Notice(Notice::SnackDismissed));
    world
}

/// Asked with the account of an e-mail login, which did not sign by itself.
fn embedded() -> World {
    let mut world = World::with(&with_sign_in(&with_login(&options()), true), vec![], Store::default());
    world.open(None);
    world.embedded(Embedded::EmailSubmitted { email: "alice@example.org".into() });
    world.advance(SETTLE);
    world.embedded(Embedded::CodeTyped { text: "123456".into() });
    world
}

/// Connected to a site that does not tell its sessions.
fn silent(required: bool) -> World {
    let mut world = visit(required, ScriptedWallet::named("Alpha Wallet"));
    world.site.silent.push(SignInCall::GetSessions);
    world.connect_first();
    world
}

fn signature() -> Behaviour {
    Behaviour::Nonsense(Value::Text(format!("0x{}1b", "ab".repeat(64))))
}

pub fn cases() -> Cases {
    let mut preparing = visit(true, ScriptedWallet::named("Alpha Wallet"));
    preparing.site.silent.push(SignInCall::CreateMessage);
    preparing.connect_first();
    let mut signing = asked(Behaviour::Silent);
    signing.sign_in(Event::SignAsked);
    let mut declined = asked(Behaviour::Refuse);
    declined.sign_in(Event::SignAsked);
    declined.advance(150);
    let mut saving = asked(signature());
    saving.site.silent.push(SignInCall::AddSession);
    saving.sign_in(Event::SignAsked);
    let plain = said(r#"{"data":{},"message":"Sign in"}"#);
    let statement = "I accept the terms of service and the privacy policy of this site, which are long. ".repeat(6);
    let long = said(&format!(
        r#"{{"data":{{"statement":"{0}"}},"message":"{0}","name":"A Site With A Very Long Name That Has 48 Letters"}}"#,
        statement.trim()
    ));
    let mut missing = visit(true, ScriptedWallet::named("Alpha Wallet"));
    missing.part_missing = 1;
    missing.connect_first();
    let mut unknown = silent(true);
    unknown.reload();
    unknown.advance(PATIENCE);
    let mut problem = silent(true);
    problem.advance(PATIENCE);
    vec![
        ("Alert.signIn", problem.snapshot()),
        ("Alert.part", missing.snapshot()),
        ("SIWXSignMessage.polkadot", elsewhere(Namespace::Polkadot, POLKADOT_ACCOUNT).snapshot()),
        ("SIWXSignMessage.solana", elsewhere(Namespace::Solana, SOLANA_ACCOUNT).snapshot()),
        ("SIWXSignMessage.bitcoin", elsewhere(Namespace::Bip122, BITCOIN_ACCOUNT).snapshot()),
        ("SIWXSignMessage.embedded", embedded().snapshot()),
        ("SIWXSignMessage.checking", silent(true).snapshot()),
        ("SIWXSignMessage.missing", missing.snapshot()),
        ("SIWXSignMessage.silent", unknown.snapshot()),
        ("SIWXSignMessage.network", unsupported(r#""enableNetworkSwitch":false,"#).snapshot()),
        ("SIWXSignMessage.late", refused(r#"{"code":408}"#).snapshot()),
        ("UnsupportedChain.required", unsupported("").snapshot()),
        ("Connect.signInProblem", problem.snapshot()),
        ("SIWXSignMessage.ready", asked(Behaviour::Silent).snapshot()),
        ("SIWXSignMessage.preparing", preparing.snapshot()),
        ("SIWXSignMessage.signing", signing.snapshot()),
        ("SIWXSignMessage.saving", saving.snapshot()),
        ("SIWXSignMessage.declined", declined.snapshot()),
        ("SIWXSignMessage.clock", refused(r#"{"code":425}"#).snapshot()),
        ("SIWXSignMessage.unavailable", refused(r#"{"code":503}"#).snapshot()),
        (
            "SIWXSignMessage.refused",
            refused(r#"{"code":422,"message":"The signature isn't from this account. Sign again."}"#).snapshot(),
        ),
        ("SIWXSignMessage.failed", refused("null").snapshot()),
        ("SIWXSignMessage.ended", ended().snapshot()),
        ("SIWXSignMessage.plain", plain.snapshot()),
        ("SIWXSignMessage.long", long.snapshot()),
    ]
}
