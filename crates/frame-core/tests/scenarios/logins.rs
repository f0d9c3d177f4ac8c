//! Logins that open the wallet, in the settings: one more is added, one is removed.

use crate::settings::{account, choose, concealed, confirm, done, go_on, page, recovery, view};
use crate::world::{OWN, World};
use portico_frame_core::{Act, Event, FailureKind, Operation, Page};

/// Operation of the only effect that waits.
fn operation(world: &World) -> &Operation {
    let [effect] = &world.ordered[..] else { panic!("{:?}", world.ordered) };
    &effect.operation
}

/// World with the settings of a wallet with two logins, and a service at which one can be added.
fn with_logins() -> World {
    let mut world = World::logged_in();
    world.host("SHOW_SETTINGS", "null");
    let logins = r#""logins":[{"id":"email","provider":"email","name":"a@example.org"},{"id":"g1","provider":"google","name":"Ada"}],"services":[{"id":"github","name":null}]"#;
    world.answer(&account(&[recovery()]).replace(r#""logins":[],"services":[]"#, logins));
    world
}

#[test]
fn a_login_is_added_after_a_confirmation_and_a_click_which_opens_its_window() {
    let mut world = with_logins();
    let shown = view(&world).unwrap();
    assert_eq!((shown.logins.len(), shown.services.len()), (2, 1));
    choose(&mut world, Act::AddLogin, Some("google"));
    assert_eq!(page(&world), Page::Overview, "a service that the server does not have");
    choose(&mut world, Act::AddLogin, Some("github"));
    assert_eq!(view(&world).unwrap().chosen.as_deref(), Some("github"));
    go_on(&mut world, false);
    assert_eq!(world.asked(), r#"/wallet/v1/confirm {"deed":"change","language":"en","mail":true} true"#);
    confirm(&mut world, "approved");
    assert_eq!((page(&world), world.ordered.len()), (Page::Explain, 0), "a window opens upon a click alone");
    go_on(&mut world, false);
    assert_eq!(operation(&world), &Operation::AddLogin { provider: "github".into() });
    world.fail(FailureKind::Refused, "This login already opens another wallet. Use a different account.");
    assert_eq!(
        view(&world).unwrap().fault.as_deref(),
        Some("This login already opens another wallet. Use a different account.")
    );
    go_on(&mut world, false);
    done(&mut world);
    assert_eq!(page(&world), Page::Overview);
    assert!(concealed(&mut world));
    assert!(world.asked().starts_with("/wallet/v1/me "), "the list is read anew");
}

#[test]
fn the_settings_of_one_wallet_close_when_another_one_is_logged_in() {
    for (user, open) in [("AA", true), ("BB", false)] {
        let mut world = with_logins();
        choose(&mut world, Act::AddLogin, Some("github"));
        world.host("CONNECT_JWT", r#"{"jwt":"a.b.c"}"#);
        let own = OWN.to_lowercase();
        world.answer(&format!(
            r#"{{"user":{{"id":"{user}","email":null,"name":null,"provider":"jwt"}},"addresses":{{"eip155":"{own}"}}}}"#
        ));
        assert_eq!(view(&world).is_some(), open, "{user}");
    }
}

#[test]
fn a_login_is_removed_after_a_confirmation_and_the_last_one_is_not() {
    let mut world = with_logins();
    choose(&mut world, Act::RemoveLogin, Some("g2"));
    assert_eq!(page(&world), Page::Overview);
    choose(&mut world, Act::RemoveLogin, Some("g1"));
    go_on(&mut world, false);
    confirm(&mut world, "approved");
    assert_eq!(world.asked(), r#"/wallet/v1/login/unlink {"id":"g1"} true"#);
    let mut world = World::logged_in();
    world.host("SHOW_SETTINGS", "null");
    let one = r#""logins":[{"id":"email","provider":"email","name":null}]"#;
    world.answer(&account(&[recovery()]).replace(r#""logins":[]"#, one));
    choose(&mut world, Act::RemoveLogin, Some("email"));
    assert_eq!(page(&world), Page::Overview);
}

/// World with the settings open where Farcaster and the site's own login can be added, and the host gave this payload.
fn with_more(payload: &str) -> World {
    let mut world = World::logged_in();
    world.host("SHOW_SETTINGS", payload);
    let services = r#""services":[{"id":"farcaster","name":null},{"id":"jwt","name":null}]"#;
    world.answer(&account(&[recovery()]).replace(r#""services":[]"#, services));
    world
}

const OPENED: &str =
    r#"{"transaction":"t1","url":"https://farcaster.xyz/~/siwf?channelToken=1","code":{"size":21,"path":"M0 0h7z"}}"#;

/// Settings that wait for Farcaster's app.
fn scanning() -> World {
    let mut world = with_more("null");
    choose(&mut world, Act::AddLogin, Some("farcaster"));
    go_on(&mut world, false);
    confirm(&mut world, "approved");
    assert_eq!(world.asked(), "/wallet/v1/login/link/farcaster {} true", "no window opens, so no click is waited for");
    world.answer(OPENED);
    world
}

const WAITS: &str = r#"/wallet/v1/login/link/farcaster/finish {"transaction":"t1"} true"#;

#[test]
fn farcaster_is_added_by_the_signature_of_its_app() {
    let mut world = scanning();
    let shown = view(&world).unwrap();
    assert_eq!(shown.page, Page::Farcaster);
    assert_eq!(shown.url.as_deref(), Some("https://farcaster.xyz/~/siwf?channelToken=1"));
    assert_eq!(shown.code.map(|code| (code.size, code.path)), Some((21, "M0 0h7z".into())));
    assert_eq!(world.asked(), WAITS);
    world.answer(r#"{"added":false}"#);
    assert_eq!(world.asked(), WAITS);
    world.answer(r#"{"added":true}"#);
    assert!(concealed(&mut world));
    assert_eq!((page(&world), view(&world).unwrap().url), (Page::Overview, None));
    assert!(world.asked().starts_with("/wallet/v1/me "), "the list is read anew");
}

#[test]
fn farcaster_that_is_refused_left_or_late_is_told_and_waited_for_no_more() {
    let sentence = "This login already opens another wallet. Use a different account.";
    let mut world = scanning();
    world.fail(FailureKind::Refused, sentence);
    assert_eq!((page(&world), fault(&world).as_deref()), (Page::Explain, Some(sentence)));
    assert!(world.ordered.is_empty());

    let mut world = scanning();
    world.pass(300_000);
    world.answer(r#"{"added":false}"#);
    let ended = "This login has ended. Start again.";
    assert_eq!((page(&world), fault(&world).as_deref(), world.ordered.len()), (Page::Explain, Some(ended), 0));

    let mut world = scanning();
    let waiting = world.only();
    world.event(Event::SettingsLeft);
    assert!(concealed(&mut world));
    assert!(world.asked().starts_with("/wallet/v1/me "));
    world.resolve(
        waiting.id,
        portico_frame_core::Outcome::Answered { value: portico_json::parse(r#"{"added":false}"#).unwrap() },
    );
    assert_eq!((page(&world), world.ordered.len()), (Page::Overview, 1), "an answer to a wait that was left is void");
}

#[test]
fn an_address_for_the_app_that_is_no_page_of_the_web_is_not_shown() {
    for url in ["javascript:alert(1)", "http://farcaster.example/", ""] {
        let mut world = scanning_nothing();
        world.answer(&OPENED.replace("https://farcaster.xyz/~/siwf?channelToken=1", url));
        assert_eq!((page(&world), view(&world).unwrap().url), (Page::Explain, None), "{url}");
        assert!(fault(&world).is_some());
    }
}

fn scanning_nothing() -> World {
    let mut world = with_more("null");
    choose(&mut world, Act::AddLogin, Some("farcaster"));
    go_on(&mut world, false);
    confirm(&mut world, "approved");
    world
}

#[test]
fn the_sites_own_login_is_added_by_the_token_that_the_site_gave_and_once() {
    let mut world = with_more(r#"{"jwt":"a.b.c"}"#);
    let shown = view(&world).unwrap();
    assert_eq!((shown.page, shown.act, shown.chosen.as_deref()), (Page::Explain, Some(Act::AddLogin), Some("jwt")));
    assert!(world.ordered.is_empty(), "nothing is added before the visitor agrees");
    // The page has to be seen, uncovered and for a second, as that of an approval.
    let early = |world: &mut World, why: &str| {
        go_on(world, false);
        assert_eq!((view(world).unwrap().armed, world.ordered.len()), (false, 0), "{why}");
    };
    early(&mut world, "it was not seen");
    world.event(Event::ApprovalPainted { approval: 0, revision: 0 });
    world.event(Event::ApprovalCovered { covered: true });
    world.pass(2_000);
    early(&mut world, "it is covered");
    world.event(Event::ApprovalCovered { covered: false });
    world.pass(999);
    early(&mut world, "it was covered a moment ago");
    world.event(Event::ApprovalDisturbed);
    world.pass(999);
    early(&mut world, "it moved a moment ago");
    assert_eq!(world.frame.next_timeout(), Some(world.now + 1));
    world.pass(1);
    assert!(view(&world).unwrap().armed);
    go_on(&mut world, false);
    confirm(&mut world, "approved");
    let host = crate::world::HOST;
    let asked = format!(r#"/wallet/v1/login/link/jwt {{"project":"demo","host":"{host}","token":"a.b.c"}} true"#);
    assert_eq!(world.asked(), asked);
    world.answer("{}");
    assert!(concealed(&mut world));
    world.answer(&account(&[recovery()]).replace(r#""services":[]"#, r#""services":[{"id":"jwt","name":null}]"#));
    let shown = view(&world).unwrap();
    assert_eq!((shown.page, shown.services.len()), (Page::Overview, 0), "the token is used up");
    choose(&mut world, Act::AddLogin, Some("jwt"));
    assert_eq!(page(&world), Page::Overview);
    world.take();
    world.event(Event::SettingsClosed);
    assert!(concealed(&mut world));
    assert_eq!(world.take(), [r#"@w3m-frame/SHOW_SETTINGS_SUCCESS 2 {"connected":true,"added":true}"#]);
}

#[test]
fn without_a_token_of_the_site_its_login_cannot_be_chosen() {
    let world = with_more("null");
    let services: Vec<_> = view(&world).unwrap().services.into_iter().map(|service| service.id).collect();
    assert_eq!((page(&world), services), (Page::Overview, vec!["farcaster".to_owned()]));
    // A server that has no such login is asked for none.
    let mut world = World::logged_in();
    world.host("SHOW_SETTINGS", r#"{"jwt":"a.b.c"}"#);
    world.answer(&account(&[recovery()]));
    assert_eq!(page(&world), Page::Overview);
}

/// Settings of a wallet that began at a service, at the page for the address of a further login.
fn adding_email() -> World {
    let mut world = began_elsewhere();
    choose(&mut world, Act::AddEmail, None);
    assert_eq!(page(&world), Page::Explain);
    go_on(&mut world, false);
    assert!(world.asked().starts_with("/wallet/v1/confirm "));
    confirm(&mut world, "approved");
    assert_eq!(page(&world), Page::Email);
    world
}

fn began_elsewhere() -> World {
    let mut world = World::logged_in();
    world.host("SHOW_SETTINGS", "null");
    let me =
        account(&[recovery()]).replace(r#""logins":[]"#, r#""logins":[{"id":"g","provider":"google","name":"Ada"}]"#);
    assert!(me.contains(r#""provider":"google""#), "{me}");
    world.answer(&me);
    world
}

fn typed(world: &mut World, email: &str) {
    world.event(Event::EmailTyped { email: email.into() });
}

fn code(world: &mut World, code: &str) {
    world.event(Event::CodeTyped { code: code.into() });
}

fn fault(world: &World) -> Option<String> {
    view(world).unwrap().fault
}

#[test]
fn an_address_is_added_by_the_code_that_went_to_it() {
    let mut world = adding_email();
    typed(&mut world, "no address");
    assert_eq!(fault(&world).as_deref(), Some("Enter a valid email address"));
    assert!(world.ordered.is_empty());
    code(&mut world, "123456");
    assert!(world.ordered.is_empty(), "no code went anywhere");
    typed(&mut world, " new@example.org ");
    assert_eq!(world.asked(), r#"/wallet/v1/email/add {"email":"new@example.org"} true"#);
    assert!(view(&world).unwrap().busy);
    world.answer("{}");
    let shown = view(&world).unwrap();
    assert_eq!((shown.page, shown.new_email.as_deref()), (Page::Code, Some("new@example.org")));
    code(&mut world, "12345");
    assert_eq!(fault(&world).as_deref(), Some("Enter the 6-digit code from the email"));
    assert!(world.ordered.is_empty());
    code(&mut world, "123 456");
    assert_eq!(world.asked(), r#"/wallet/v1/email/add/finish {"code":"123456"} true"#);
    world.answer("{}");
    assert!(concealed(&mut world));
    assert_eq!((page(&world), view(&world).unwrap().new_email), (Page::Overview, None));
    assert!(world.asked().starts_with("/wallet/v1/me "));
}

#[test]
fn another_code_is_asked_for_after_a_rest_that_is_counted_by_the_second() {
    let mut world = adding_email();
    typed(&mut world, "new@example.org");
    world.answer("{}");
    let rest = |world: &World| (view(world).unwrap().rest, world.frame.next_timeout().map(|due| due - world.now));
    assert_eq!(rest(&world), (30, Some(1_000)));
    world.pass(1_000);
    assert_eq!(rest(&world), (29, Some(1_000)));
    world.pass(28_500);
    assert_eq!(rest(&world), (1, Some(500)));
    world.event(Event::CodeWanted);
    assert!(world.ordered.is_empty());
    world.pass(500);
    assert_eq!(rest(&world), (0, None));
    world.event(Event::CodeWanted);
    assert_eq!(world.asked(), r#"/wallet/v1/email/add {"email":"new@example.org"} true"#);
}

#[test]
fn a_wrong_code_and_an_early_mail_are_told_where_the_visitor_is() {
    let mut world = adding_email();
    typed(&mut world, "new@example.org");
    world.fail(FailureKind::Refused, "Please try again after 30 seconds");
    assert_eq!((page(&world), fault(&world).as_deref()), (Page::Email, Some("Please try again after 30 seconds")));
    typed(&mut world, "new@example.org");
    world.answer("{}");
    code(&mut world, "000000");
    world.fail(FailureKind::Refused, "This code isn't right. Check the email.");
    assert_eq!((page(&world), fault(&world).as_deref()), (Page::Code, Some("This code isn't right. Check the email.")));
    world.pass(30_000);
    world.event(Event::CodeWanted);
    assert_eq!(fault(&world), None);
    world.fail(FailureKind::Refused, "Please try again after 9 seconds");
    assert_eq!((page(&world), fault(&world).as_deref()), (Page::Code, Some("Please try again after 9 seconds")));
    world.event(Event::CodeWanted);
    assert_eq!(world.asked(), r#"/wallet/v1/email/add {"email":"new@example.org"} true"#);
    world.answer("{}");
    assert_eq!(view(&world).unwrap().rest, 30);
    // Back to the address, where another one may be typed; an answer on the way changes nothing.
    code(&mut world, "000001");
    world.event(Event::SettingsLeft);
    world.answer("{}");
    assert_eq!((page(&world), world.ordered.len()), (Page::Email, 0));
    world.event(Event::SettingsLeft);
    assert_eq!(page(&world), Page::Overview);
}

#[test]
fn a_wallet_with_an_address_or_a_frozen_one_adds_none() {
    let mut world = with_logins();
    choose(&mut world, Act::AddEmail, None);
    assert_eq!(page(&world), Page::Overview);
    let mut world = World::logged_in();
    world.host("SHOW_SETTINGS", "null");
    world.answer(&account(&[recovery()]).replace(r#""frozen":false"#, r#""frozen":true"#));
    assert!(view(&world).unwrap().frozen);
    choose(&mut world, Act::AddEmail, None);
    assert_eq!(page(&world), Page::Overview);
}
