//! Connects the account feature to the loop: implementation of [`Feature`].

use super::{Accounts, Alarm, Event, NftsView, Reason};
use crate::app::{Features, SentViews};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::feature::Feature;
use crate::storage::Stored;
use portico_json::Value;
use portico_terms::rpc::RpcError;

impl Features {
    pub fn nfts_view(&self, _: &Facts) -> Option<NftsView> {
        self.own.account.nfts().view().cloned()
    }

    pub fn copied_view(&self, _: &Facts) -> Option<String> {
        self.own.account.copied().cloned()
    }
}

/// `app/sent.rs` writes the account view itself, because the account is known before home is loaded; `home.rs` resets it by namespace.
impl Feature for Accounts {
    type Event = Event;
    type Reason = Reason;
    type Alarm = Alarm;

    fn restored(stored: &Stored) -> Accounts {
        Accounts::new(stored)
    }

    fn update(features: &mut Features, event: Event, cx: &mut Cx) {
        features.own.account.update(event, cx);
    }

    fn answered(features: &mut Features, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        features.own.account.answered(reason, answer, cx);
    }

    fn alarm(features: &mut Features, alarm: Alarm, cx: &mut Cx) {
        features.own.account.alarm(alarm, cx);
    }

    fn view(features: &mut Features, _: &Facts, sent: &mut SentViews, out: &mut String) {
        let account = &features.own.account;
        sent.write("copied", &account.copied(), out);
        if sent.is_new("nfts", account.nfts().revision()) {
            sent.write("nfts", &account.nfts().view(), out);
        }
    }
}
