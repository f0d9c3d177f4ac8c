//! Status of a purchase after its page was opened: polled at growing intervals, and shown as unknown if the provider does not report it.

use super::quote::{is_plain, short};
use super::{Onramp, Phase, Reason, offer, who};
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::Facts;
use crate::http::Request;
use crate::modal::View as ModalView;
use crate::notice::{Message, Variant};
use crate::onramp::Alarm;
use crate::shown::clean;
use crate::signal::Signal;
use crate::storage::keys;
use portico_api::onramp::OnrampPurchase;
use portico_json::{Json, Read, Value, to_text};
use portico_terms::ChainId;
use portico_terms::rpc::RpcError;

/// Time to the first poll, and maximum time between two, in milliseconds.
const LOOK: (u64, u64) = (5_000, 60_000);

/// Time limit of polling, in milliseconds; also the maximum age of a purchase for a visitor who comes back from the provider.
pub const LIFE: u64 = 30 * 60_000;

/// Progress of a purchase.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "BuyProgress")]
pub enum Progress {
    /// Not requested yet, or the provider does not report it.
    #[default]
    Unknown,
    /// The provider knows no such purchase.
    Unseen,
    /// The payment or the transfer of the coins is pending.
    Pending,
    /// The coins were sent.
    Done,
    /// The purchase failed.
    Failed,
}

/// An opened purchase; stored for the page to which the provider sends the visitor back.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub(super) struct Begun {
    provider: String,
    label: String,
    reference: String,
    address: String,
    chain: ChainId,
    /// Time of opening, in epoch milliseconds.
    since: u64,
}

/// An opened purchase and its polled status.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    begun: Begun,
    progress: Progress,
    looks: u32,
    asking: bool,
    /// Automatic polling has ended.
    over: bool,
    gets: Option<(String, String)>,
    hash: Option<String>,
}

/// Purchase for views.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "PurchaseView")]
pub struct PurchaseView {
    /// Name of the provider: "Coinbase"
    pub label: String,
    pub progress: Progress,
    /// Whether a status request is in flight.
    pub checking: bool,
    /// Whether automatic polling has ended.
    pub over: bool,
    /// Amount bought, truncated, if the provider reports it.
    pub gets: Option<String>,
    /// Symbol of the coin.
    pub symbol: Option<String>,
    /// Name of the network on which the coins arrive.
    pub network: String,
    /// Explorer URL of the transfer, if the provider reports it and the network has an explorer.
    pub url: Option<String>,
}

impl Watch {
    fn new(begun: Begun) -> Watch {
        let progress = Progress::default();
        Watch { begun, progress, looks: 0, asking: false, over: false, gets: None, hash: None }
    }

    /// Whether the status can still change.
    pub(super) fn is_open(&self) -> bool {
        !matches!(self.progress, Progress::Done | Progress::Failed)
    }
}

impl Onramp {
    /// Starts polling a purchase whose page was opened. Without a reference there is no status to poll.
    pub(super) fn watch(&mut self, reference: Option<String>, cx: &mut Cx) {
        let provider = self.chosen.and_then(|place| self.providers.get(place));
        let (Some(reference), Some(provider), Some((account, chain))) = (reference, provider, who(cx.facts)) else {
            self.kept.watch = None;
            return;
        };
        let begun = Begun {
            provider: provider.name.clone(),
            label: provider.label.clone(),
            reference,
            address: account.address.clone(),
            chain: provider.network(&chain, account, cx.facts).unwrap_or(chain),
            since: cx.now,
        };
        let (area, key) = (StorageArea::Local, keys::PURCHASE.into());
        cx.order(Operation::WriteStorage { area, key, value: to_text(&begun) });
        self.kept.watch = Some(Watch::new(begun));
        cx.start(Alarm::Look, LOOK.0);
    }

    /// The provider sent the visitor back to this page, which may be another than the one that started. Old purchases, and those of another
    /// account, are not shown.
    pub(super) fn returned(&mut self, cx: &mut Cx) {
        let Some((account, _)) = who(cx.facts) else { return };
        let Ok(begun) = Begun::read(&std::mem::take(&mut self.kept.begun)) else { return };
        if begun.address != account.address || cx.now.saturating_sub(begun.since) > LIFE {
            return;
        }
        self.kept.watch = Some(Watch::new(Begun { label: clean(&begun.label), ..begun }));
        self.phase = Phase::Opened;
        cx.signal(Signal::OnrampReturned);
        self.look(cx);
    }

    /// The page became visible again; the visitor may be back from the provider.
    pub fn page_shown(&mut self, cx: &mut Cx) {
        if self.kept.watch.as_ref().is_some_and(Watch::is_open) {
            self.look(cx);
        }
    }

    /// Requests the status now.
    pub(super) fn look(&mut self, cx: &mut Cx) {
        let Some(watch) = self.kept.watch.as_mut().filter(|watch| !watch.asking && watch.is_open()) else { return };
        let request = Request::get("/v1/onramp/purchase")
            .with("provider", &watch.begun.provider)
            .with("reference", &watch.begun.reference);
        watch.looks += 1;
        watch.asking = cx.http(request, Reason::Purchase(watch.begun.reference.clone()));
        cx.stop(Alarm::Look);
    }

    pub(super) fn look_again(&mut self, cx: &mut Cx) {
        let own = |watch: &Watch| who(cx.facts).is_some_and(|(account, _)| account.address == watch.begun.address);
        if self.kept.watch.as_ref().is_some_and(own) {
            return self.look(cx);
        }
        // The purchase belongs to another account.
        self.kept.watch = None;
    }

    /// Status response for the purchase with this reference.
    pub(super) fn seen(&mut self, reference: &str, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(watch) = self.kept.watch.as_mut().filter(|watch| watch.begun.reference == reference) else { return };
        watch.asking = false;
        if let Some(OnrampPurchase { state, purchase_amount, hash }) = answer.ok().and_then(|answer| cx.read(&answer)) {
            watch.progress = Progress::from_word(&state).unwrap_or_default();
            let bought = purchase_amount.filter(|bought| is_plain(&bought.amount) && offer::is_id(&bought.currency));
            watch.gets = bought.map(|bought| (short(&bought.amount), bought.currency));
            watch.hash = hash.filter(|hash| is_hash(hash));
        }
        if watch.is_open() {
            let wait = LOOK.0 << (watch.looks / 2).min(4);
            watch.over = cx.now.saturating_sub(watch.begun.since) > LIFE;
            if !watch.over {
                cx.start(Alarm::Look, wait.min(LOOK.1));
            }
            return;
        }
        let done = watch.progress == Progress::Done;
        cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: keys::PURCHASE.into() });
        if cx.facts.view != Some(ModalView::BuyInProgress) {
            let (variant, message) = match done {
                true => (Variant::Success, Message::PurchaseDone),
                false => (Variant::Error, Message::PurchaseFailed),
            };
            cx.say(variant, message);
        }
        if done {
            cx.signal(Signal::PurchaseSettled);
        }
    }

    /// Purchase of the active account for views.
    pub(super) fn purchase_view(&self, facts: &Facts) -> Option<PurchaseView> {
        let (account, _) = who(facts)?;
        let watch = self.kept.watch.as_ref().filter(|watch| watch.begun.address == account.address)?;
        let network = facts.network(&watch.begun.chain);
        let (gets, symbol) = watch.gets.clone().unzip();
        Some(PurchaseView {
            label: watch.begun.label.clone(),
            progress: watch.progress,
            checking: watch.asking,
            over: watch.over,
            gets,
            symbol,
            network: super::view::named(&watch.begun.chain, facts),
            url: network.zip(watch.hash.as_ref()).and_then(|(network, hash)| network.explorer_page("/tx/", hash)),
        })
    }
}

/// Whether a text can be a transaction hash that is safe in a URL.
fn is_hash(text: &str) -> bool {
    (40..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
