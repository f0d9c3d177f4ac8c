//! Snapshots of the sign-in with a wallet.

use crate::snapshots::Cases;
use portico_core::SignInCall;
use portico_core::siwx::Event;
use portico_json::{Value, parse};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, options, with_sign_in};

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
    vec![
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
