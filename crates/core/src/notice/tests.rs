use super::*;
use crate::Timer;
use crate::facts::Facts;
use crate::notice::Alarm;

fn say(notice: &mut Notice, snack: Snack) -> Vec<(Timer, Option<u64>)> {
    let facts = Facts::default();
    let mut cx = Cx::new(1_000, &facts);
    notice.say(snack, &mut cx);
    cx.alarms
}

fn alarm(notice: &mut Notice, alarm: Alarm) -> Vec<(Timer, Option<u64>)> {
    let facts = Facts::default();
    let mut cx = Cx::new(2_000, &facts);
    notice.alarm(alarm, &mut cx);
    cx.alarms
}

fn shown(notice: &Notice) -> Option<Message> {
    notice.view(&Facts::default()).snack.and_then(|snack| snack.message)
}

#[test]
fn spec_2_29_a_snack_is_loading_success_or_error() {
    let words: Vec<_> = Variant::ALL.iter().map(Variant::word).collect();
    assert_eq!(words, ["loading", "success", "error"]);
}

#[test]
fn spec_2_30_a_new_message_first_closes_the_old_one_and_shows_after_150_ms() {
    let mut notice = Notice::default();
    say(&mut notice, Snack::new(Variant::Success, Message::TransactionStarted));
    assert_eq!(shown(&notice), Some(Message::TransactionStarted));
    let alarms = say(&mut notice, Snack::new(Variant::Error, Message::SomethingWentWrong));
    assert_eq!(shown(&notice), None);
    assert_eq!(alarms, [(Alarm::SnackEnd.into(), None), (Alarm::SnackSwitch.into(), Some(1_150))]);
    alarm(&mut notice, Alarm::SnackSwitch);
    assert_eq!(shown(&notice), Some(Message::SomethingWentWrong));
}

#[test]
fn spec_2_30_of_three_messages_at_once_the_last_one_shows() {
    let mut notice = Notice::default();
    for message in [Message::TransactionStarted, Message::SomethingWentWrong, Message::SwapDone] {
        say(&mut notice, Snack::new(Variant::Success, message));
    }
    assert_eq!(shown(&notice), None);
    alarm(&mut notice, Alarm::SnackSwitch);
    assert_eq!(shown(&notice), Some(Message::SwapDone));
}

#[test]
fn a_message_that_is_heeded_goes_and_no_other() {
    let mut notice = Notice::default();
    say(&mut notice, Snack::new(Variant::Error, Message::SessionEnded));
    let facts = Facts::default();
    let mut cx = Cx::new(1_000, &facts);
    notice.close_message(Message::WalletSilent, &mut cx);
    assert_eq!(shown(&notice), Some(Message::SessionEnded));
    notice.close_message(Message::SessionEnded, &mut cx);
    assert_eq!((shown(&notice), &cx.alarms[..]), (None, &[(Alarm::SnackEnd.into(), None)][..]));
    for message in [Message::SwapDone, Message::SessionEnded] {
        say(&mut notice, Snack::new(Variant::Error, message));
    }
    notice.close_message(Message::SessionEnded, &mut cx);
    alarm(&mut notice, Alarm::SnackSwitch);
    assert_eq!(shown(&notice), None);
}

#[test]
fn spec_2_31_a_loading_message_does_not_close_by_itself() {
    let mut notice = Notice::default();
    assert_eq!(say(&mut notice, Snack::new(Variant::Loading, Message::Authenticating)), []);
    let mut notice = Notice::default();
    assert_eq!(
        say(&mut notice, Snack::new(Variant::Error, Message::SomethingWentWrong)),
        [(Alarm::SnackEnd.into(), Some(5_000))]
    );
    alarm(&mut notice, Alarm::SnackEnd);
    assert_eq!(shown(&notice), None);
}

#[test]
fn spec_2_31_who_says_a_message_may_set_whether_it_closes_by_itself() {
    for (variant, set, alarms) in [
        (Variant::Loading, Some(true), vec![(Alarm::SnackEnd.into(), Some(5_000))]),
        (Variant::Loading, Some(false), vec![]),
        (Variant::Loading, None, vec![]),
        (Variant::Success, Some(false), vec![]),
        (Variant::Error, None, vec![(Alarm::SnackEnd.into(), Some(5_000))]),
    ] {
        let facts = Facts::default();
        let mut cx = Cx::new(1_000, &facts);
        let mut notice = Notice::default();
        notice.update(Event::HostSaid { variant, text: "Signing in".into(), auto_close: set }, &mut cx);
        assert_eq!(cx.alarms, alarms, "{variant:?} {set:?}");
        assert_eq!(notice.view(&facts).snack.map(|snack| snack.auto_close), Some(!alarms.is_empty()));
    }
    let staying = Snack { auto_close: false, ..Snack::new(Variant::Error, Message::SomethingWentWrong) };
    assert_eq!(say(&mut Notice::default(), staying), []);
}

#[test]
fn a_message_of_two_sentences_ends_with_a_full_stop() {
    for message in Message::ALL {
        let text = message.text();
        assert!(!text.contains(". ") || text.ends_with('.'), "{text}");
    }
}

#[test]
fn spec_2_32_every_alert_carries_a_short_and_a_long_message() {
    for key in AlertKey::ALL {
        assert!(!key.short().is_empty() && key.long().len() > key.short().len(), "{key:?}");
    }
}

fn alert(key: AlertKey) -> Alert {
    Alert { key, detail: String::new() }
}

fn warn(notice: &mut Notice, key: AlertKey, waits: bool) {
    notice.warn(alert(key), waits, &mut Cx::new(0, &Facts::default()));
}

/// Drawn alert, with or without an open modal, and whether it may be over the page.
fn told(notice: &Notice, modal_open: bool) -> (Option<AlertKey>, bool) {
    let view = notice.view(&Facts { modal_open, ..Facts::default() });
    (view.alert.map(|alert| alert.key), view.over_page)
}

fn dismiss(notice: &mut Notice, modal_open: bool) {
    let facts = Facts { modal_open, ..Facts::default() };
    notice.update(Event::AlertDismissed, &mut Cx::new(0, &facts));
}

#[test]
fn an_alert_that_stands_is_not_raised_again_and_the_oldest_is_read_first() {
    let mut notice = Notice::default();
    warn(&mut notice, AlertKey::InvalidProjectId, false);
    warn(&mut notice, AlertKey::SwitchNetworkNotFound, false);
    warn(&mut notice, AlertKey::InvalidProjectId, false);
    assert_eq!(told(&notice, true), (Some(AlertKey::InvalidProjectId), true));
    dismiss(&mut notice, true);
    assert_eq!(told(&notice, true), (Some(AlertKey::SwitchNetworkNotFound), true));
    dismiss(&mut notice, true);
    dismiss(&mut notice, true);
    assert_eq!(told(&notice, true), (None, false));
}

#[test]
fn a_mistake_in_the_options_waits_for_the_modal_and_what_comes_later_does_not_wait_behind_it() {
    let mut notice = Notice::default();
    warn(&mut notice, AlertKey::ProjectIdNotConfigured, true);
    assert_eq!(told(&notice, false), (Some(AlertKey::ProjectIdNotConfigured), false));
    warn(&mut notice, AlertKey::SwitchNetworkNotFound, false);
    assert_eq!(told(&notice, false), (Some(AlertKey::SwitchNetworkNotFound), true));
    assert_eq!(told(&notice, true), (Some(AlertKey::ProjectIdNotConfigured), false));
    // Dismissing removes the drawn alert.
    dismiss(&mut notice, false);
    assert_eq!(told(&notice, true), (Some(AlertKey::ProjectIdNotConfigured), false));
    dismiss(&mut notice, true);
    assert_eq!(told(&notice, true), (None, false));
}

#[test]
fn what_waited_for_the_modal_waits_no_longer_when_it_happens_again() {
    let mut notice = Notice::default();
    warn(&mut notice, AlertKey::InvalidProjectId, true);
    warn(&mut notice, AlertKey::InvalidProjectId, false);
    assert_eq!(told(&notice, false), (Some(AlertKey::InvalidProjectId), true));
    dismiss(&mut notice, false);
    assert_eq!(told(&notice, true), (None, false));
}
