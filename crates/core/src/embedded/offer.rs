//! Offer of a passkey: once the account holds coins, or after its first payment from this browser, until the visitor opens the wallet's settings,
//! where passkeys are added, or declines. It is never made again.

use super::Embedded;
use super::event::Reason;
use crate::cx::Cx;
use crate::effect::Operation;
use crate::storage::{self, keys};
use portico_json::Value;

/// Stored values: the offer is shown; it is over.
const DUE: &str = "due";
const OVER: &str = "over";

/// State of the offer.
#[derive(Debug, Default)]
pub(super) struct Offer {
    pub shown: bool,
    /// Whether this page saw coins in the account.
    funded: bool,
    /// Whether the visitor decides about a payment in the frame.
    pub paying: bool,
}

impl Embedded {
    /// The account holds coins.
    pub(super) fn funded(&mut self, cx: &mut Cx) {
        if !std::mem::replace(&mut self.offer.funded, true) {
            self.read_offer(true, cx);
        }
    }

    /// Reads whether the offer is shown; `due` makes it so if it never was. Not read at boot, because few visitors have an embedded wallet.
    pub(super) fn read_offer(&mut self, due: bool, cx: &mut Cx) {
        cx.ask(Operation::ReadStorage { prefix: keys::PASSKEY_OFFER.into() }, Reason::PasskeyOffer { due });
    }

    pub(super) fn offer_read(&mut self, due: bool, stored: &Value, cx: &mut Cx) {
        let entry = stored.as_list().and_then(|list| list.first());
        match entry.and_then(|entry| entry.get("value").as_str()) {
            None if due => {
                storage::keep(keys::PASSKEY_OFFER.into(), DUE.into(), cx);
                self.offer.shown = true;
            }
            told => self.offer.shown = told == Some(DUE),
        }
    }

    /// The visitor declined, or is where passkeys are added.
    pub(super) fn offer_over(&mut self, cx: &mut Cx) {
        self.offer.shown = false;
        storage::keep(keys::PASSKEY_OFFER.into(), OVER.into(), cx);
    }
}
