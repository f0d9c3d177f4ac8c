use super::*;
use crate::facts::Facts;

fn say(notice: &mut Notice, snack: Snack) -> Vec<(Timer, Option<u64>)> {
    let facts = Facts::default();
    let mut cx = Cx::new(1_000, &facts);
    notice.say(snack, &mut cx);
    cx.alarms
}

fn alarm(notice: &mut Notice, timer: Timer) -> Vec<(Timer, Option<u64>)> {
    let facts = Facts::default();
    let mut cx = Cx::new(2_000, &facts);
    notice.alarm(timer, &mut cx);
    cx.alarms
}

fn shown(notice: &Notice) -> Option<Message> {
    notice.view().snack.and_then(|snack| snack.message)
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
    assert_eq!(alarms, [(Timer::SnackEnd, None), (Timer::SnackSwitch, Some(1_150))]);
    alarm(&mut notice, Timer::SnackSwitch);
    assert_eq!(shown(&notice), Some(Message::SomethingWentWrong));
}

#[test]
fn spec_2_30_of_three_messages_at_once_the_last_one_shows() {
    let mut notice = Notice::default();
    for message in [Message::TransactionStarted, Message::SomethingWentWrong, Message::AddressCopied] {
        say(&mut notice, Snack::new(Variant::Success, message));
    }
    assert_eq!(shown(&notice), None);
    alarm(&mut notice, Timer::SnackSwitch);
    assert_eq!(shown(&notice), Some(Message::AddressCopied));
}

#[test]
fn spec_2_31_a_loading_message_does_not_close_by_itself() {
    let mut notice = Notice::default();
    assert_eq!(say(&mut notice, Snack::new(Variant::Loading, Message::Authenticating)), []);
    let mut notice = Notice::default();
    assert_eq!(
        say(&mut notice, Snack::new(Variant::Error, Message::SomethingWentWrong)),
        [(Timer::SnackEnd, Some(5_000))]
    );
    alarm(&mut notice, Timer::SnackEnd);
    assert_eq!(notice.view().snack, None);
}

#[test]
fn spec_2_32_every_alert_carries_a_short_and_a_long_message() {
    for key in AlertKey::ALL {
        assert!(!key.short().is_empty() && key.long().len() > key.short().len(), "{key:?}");
    }
}

#[test]
fn an_alert_that_stands_is_not_raised_again_and_the_oldest_is_read_first() {
    let mut notice = Notice::default();
    let alert = |key| Alert { key, detail: String::new() };
    notice.warn(alert(AlertKey::InvalidProjectId));
    notice.warn(alert(AlertKey::SwitchNetworkNotFound));
    notice.warn(alert(AlertKey::InvalidProjectId));
    let facts = Facts::default();
    let mut cx = Cx::new(0, &facts);
    assert_eq!(notice.view().alert.map(|alert| alert.key), Some(AlertKey::InvalidProjectId));
    notice.update(Event::AlertDismissed, &mut cx);
    assert_eq!(notice.view().alert.map(|alert| alert.key), Some(AlertKey::SwitchNetworkNotFound));
    notice.update(Event::AlertDismissed, &mut cx);
    notice.update(Event::AlertDismissed, &mut cx);
    assert_eq!(notice.view().alert, None);
}
