//! Snapshots of the embedded wallet: login by e-mail, approval, change of the address. Those of social logins are in `socials.rs`.

use crate::snapshots::Cases;
use portico_api::frame::FrameEvent;
use portico_core::Snapshot;
use portico_core::embedded::{COOLDOWN, Event, Method, SETTLE};
use portico_core::modal::{Event as Modal, View};
use portico_json::parse;
use portico_testkit::{ScriptedWallet, Store, World, options, with_login};

const EMAIL: &str = "alice@example.org";

fn world(wallets: &[&str]) -> World {
    let wallets = wallets.iter().map(|name| ScriptedWallet::named(name)).collect();
    World::with(&with_login(&options()), wallets, Store::default())
}

fn opened(wallets: &[&str]) -> World {
    let mut world = world(wallets);
    world.open(None);
    world
}

fn submitted(action: &str) -> World {
    let mut world = opened(&[]);
    world.frame.action = action.into();
    submit(&mut world, EMAIL);
    world
}

fn submit(world: &mut World, email: &str) {
    world.embedded(Event::EmailSubmitted { email: email.into() });
    world.advance(SETTLE);
}

fn typed(world: &mut World, text: &str) -> Snapshot {
    world.embedded(Event::CodeTyped { text: text.into() });
    world.snapshot()
}

fn logged_in() -> World {
    let mut world = submitted("VERIFY_OTP");
    typed(&mut world, "123456");
    world
}

fn changing(email: &str) -> World {
    let mut world = logged_in();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::UpdateEmailWallet });
    if !email.is_empty() {
        world.embedded(Event::NewEmailSubmitted { email: email.into() });
    }
    world
}

pub fn cases() -> Cases {
    let mut wrong = opened(&[]);
    submit(&mut wrong, "alice@example");
    let mut busy = opened(&[]);
    busy.frame.silent.push(FrameEvent::ConnectEmail);
    submit(&mut busy, EMAIL);
    let alone = with_login(&options()).replacen('{', r#"{"features":{"emailShowWallets":false},"#, 1);
    let mut alone = World::with(&alone, vec![], Store::default());
    alone.open(None);
    let mut refused = submitted("VERIFY_DEVICE");
    let message = parse(r#"{"message":"This login was declined. Start again."}"#).unwrap_or_default();
    refused.frame_answers(FrameEvent::ConnectDevice, Err(message));
    let mut waited = submitted("VERIFY_DEVICE");
    waited.advance(COOLDOWN);
    let mut checking = submitted("VERIFY_OTP");
    checking.frame.silent.push(FrameEvent::ConnectOtp);
    let mut approving = logged_in();
    approving.embedded(Event::RequestAsked {
        method: "personal_sign".into(),
        params: parse(r#"["0x68656c6c6f","0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]"#).unwrap_or_default(),
        chain: None,
        ticket: 1,
    });
    let mut nothing = logged_in();
    nothing.open(Some("ApproveTransaction"));
    let mut account = logged_in();
    account.open(None);
    let mut settings = logged_in();
    settings.open(None);
    settings.embedded(Event::SettingsAsked);
    let mut gone = logged_in();
    gone.open(None);
    gone.modal(Modal::ViewAsked { view: View::UpgradeEmailWallet });
    let mut led = changing("");
    led.embedded(Event::MethodCalled {
        method: Method::UpdateEmail,
        payload: parse(r#"{"email":"new@example.org"}"#).unwrap_or_default(),
        ticket: 2,
    });
    let mut primary = changing("new@example.org");
    let mut secondary = changing("new@example.org");
    typed(&mut secondary, "123456");
    vec![
        ("Connect.email", opened(&[]).snapshot()),
        ("Connect.emailWithWallets", opened(&["Alpha Wallet", "Beta"]).snapshot()),
        ("Connect.emailAlone", alone.snapshot()),
        ("Connect.emailFault", wrong.snapshot()),
        ("Connect.emailSending", busy.snapshot()),
        ("EmailVerifyDevice.waiting", submitted("VERIFY_DEVICE").snapshot()),
        ("EmailVerifyDevice.resend", waited.snapshot()),
        ("EmailVerifyDevice.refused", refused.snapshot()),
        ("EmailVerifyOtp.empty", submitted("VERIFY_OTP").snapshot()),
        ("EmailVerifyOtp.typing", typed(&mut submitted("VERIFY_OTP"), "123")),
        ("EmailVerifyOtp.wrong", typed(&mut submitted("VERIFY_OTP"), "000000")),
        ("EmailVerifyOtp.checking", typed(&mut checking, "123456")),
        ("ApproveTransaction.frame", approving.snapshot()),
        ("ApproveTransaction.nothing", nothing.snapshot()),
        ("Account.embedded", account.snapshot()),
        ("UpgradeEmailWallet.frame", settings.snapshot()),
        ("UpgradeEmailWallet.nothing", gone.snapshot()),
        ("UpdateEmailWallet.form", changing("").snapshot()),
        ("UpdateEmailWallet.fault", changing(EMAIL).snapshot()),
        ("UpdateEmailWallet.hosted", led.snapshot()),
        ("UpdateEmailPrimaryOtp.empty", primary.snapshot()),
        ("UpdateEmailPrimaryOtp.wrong", typed(&mut primary, "000000")),
        ("UpdateEmailSecondaryOtp.empty", secondary.snapshot()),
    ]
}
