//! Offer of a passkey: after the account's first payment from this browser, until the visitor opens the wallet's settings, where passkeys are added,
//! or declines. It is never made again.

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
    /// Whether the visitor decides about a payment in the frame.
    pub paying: bool,
}

impl Embedded {
    /// Reads whether the offer is due. Not read at boot, because few visitors have an embedded wallet.
    pub(super) fn read_offer(&mut self, paid: bool, cx: &mut Cx) {
        cx.ask(Operation::ReadStorage { prefix: keys::PASSKEY_OFFER.into() }, Reason::PasskeyOffer { paid });
    }

    pub(super) fn offer_read(&mut self, paid: bool, stored: &Value, cx: &mut Cx) {
        let entry = stored.as_list().and_then(|list| list.first());
        match entry.and_then(|entry| entry.get("value").as_str()) {
            None if paid => {
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
