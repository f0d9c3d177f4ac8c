//! What becomes of a purchase, once its page was opened: the server is asked from time to time, ever more seldom, and what is not known is
//! said to be unknown.

use super::quote::{is_plain, short};
use super::{Onramp, Phase, Reason, offer, who};
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::Facts;
use crate::http::Request;
use crate::modal;
use crate::notice::{Message, Variant};
use crate::shown::clean;
use crate::signal::Signal;
use crate::storage::keys;
use crate::timer::Timer;
use portico_json::{Json, Read, Value, to_text};
use portico_terms::ChainId;
use portico_terms::rpc::RpcError;

/// Milliseconds until the first look, and the most between two.
const LOOK: (u64, u64) = (5_000, 60_000);

/// So long, in milliseconds, a purchase is looked at by itself; and so long a page that a provider led back to knows it.
pub const LIFE: u64 = 30 * 60_000;

/// How far a purchase is.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "BuyProgress")]
pub enum Progress {
    /// Nobody has asked yet, or who sells could not be asked.
    #[default]
    Unknown,
    /// Who sells knows of none.
    Unseen,
    /// It is being paid, or the coins are being sent.
    Pending,
    /// The coins were sent.
    Done,
    /// It did not come off.
    Failed,
}

/// A purchase that was begun. As it is stored, for the page to which a provider leads back.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub(super) struct Begun {
    provider: String,
    label: String,
    reference: String,
    address: String,
    chain: ChainId,
    /// Epoch milliseconds.
    since: u64,
}

/// The same, as it is looked at.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    begun: Begun,
    progress: Progress,
    looks: u32,
    asking: bool,
    /// Whether it is not asked any more by itself.
    over: bool,
    gets: Option<(String, String)>,
    hash: Option<String>,
}

/// What views read of it.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "PurchaseView")]
pub struct PurchaseView {
    /// "Coinbase"
    pub label: String,
    /// How far.
    pub progress: Progress,
    /// Whether it is being asked.
    pub checking: bool,
    /// Whether it is not asked any more by itself.
    pub over: bool,
    /// What was bought, where that is told: cut to the digits that matter.
    pub gets: Option<String>,
    /// Of which coin.
    pub symbol: Option<String>,
    /// The network on which it arrives.
    pub network: String,
    /// The transaction that brought it, where that is told and the network has an explorer.
    pub url: Option<String>,
}

impl Watch {
    fn new(begun: Begun) -> Watch {
        let progress = Progress::default();
        Watch { begun, progress, looks: 0, asking: false, over: false, gets: None, hash: None }
    }

    /// Whether something may still become of it.
    pub(super) fn is_open(&self) -> bool {
        !matches!(self.progress, Progress::Done | Progress::Failed)
    }
}

impl Onramp {
    /// The page of a purchase was opened. Without a reference nobody can be asked about it.
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
        cx.start(Timer::OnrampLook, LOOK.0);
    }

    /// Who sells led the visitor to this page, which may be another than the one that began. What was begun long ago, or by another account,
    /// is not shown.
    pub(super) fn returned(&mut self, cx: &mut Cx) {
        let Some((account, _)) = who(cx.facts) else { return };
        let Ok(begun) = Begun::read(&std::mem::take(&mut self.kept.begun)) else { return };
        if begun.address != account.address || cx.now.saturating_sub(begun.since) > LIFE {
            return;
        }
        self.kept.watch = Some(Watch::new(Begun { label: clean(&begun.label), ..begun }));
        self.phase = Phase::Opened;
        cx.tell(Signal::OnrampReturned);
        self.look(cx);
    }

    /// The visitor looks at this page again, and is perhaps back from buying.
    pub fn page_shown(&mut self, cx: &mut Cx) {
        if self.kept.watch.as_ref().is_some_and(Watch::is_open) {
            self.look(cx);
        }
    }

    /// Asks now what became of it.
    pub(super) fn look(&mut self, cx: &mut Cx) {
        let Some(watch) = self.kept.watch.as_mut().filter(|watch| !watch.asking && watch.is_open()) else { return };
        let request = Request::get("/v1/onramp/purchase")
            .with("provider", &watch.begun.provider)
            .with("reference", &watch.begun.reference);
        watch.looks += 1;
        watch.asking = cx.http(request, Reason::Purchase(watch.begun.reference.clone()));
        cx.stop(Timer::OnrampLook);
    }

    pub(super) fn look_again(&mut self, cx: &mut Cx) {
        let own = |watch: &Watch| who(cx.facts).is_some_and(|(account, _)| account.address == watch.begun.address);
        if self.kept.watch.as_ref().is_some_and(own) {
            return self.look(cx);
        }
        // Nobody is told of the purchase of another account.
        self.kept.watch = None;
    }

    /// An answer about the purchase of this reference.
    pub(super) fn seen(&mut self, reference: &str, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(watch) = self.kept.watch.as_mut().filter(|watch| watch.begun.reference == reference) else { return };
        watch.asking = false;
        if let Ok(answer) = &answer {
            watch.progress = answer.get("state").as_str().and_then(Progress::from_word).unwrap_or_default();
            let amount = answer.get("purchaseAmount");
            let told = amount.get("amount").as_str().filter(|amount| is_plain(amount)).map(short);
            watch.gets = told.zip(offer::id(amount.get("currency")));
            watch.hash = answer.get("hash").as_str().filter(|hash| is_hash(hash)).map(String::from);
        }
        if watch.is_open() {
            let wait = LOOK.0 << (watch.looks / 2).min(4);
            watch.over = cx.now.saturating_sub(watch.begun.since) > LIFE;
            if !watch.over {
                cx.start(Timer::OnrampLook, wait.min(LOOK.1));
            }
            return;
        }
        let done = watch.progress == Progress::Done;
        cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: keys::PURCHASE.into() });
        if cx.facts.view != modal::View::BuyInProgress.word() {
            let (variant, message) = match done {
                true => (Variant::Success, Message::PurchaseDone),
                false => (Variant::Error, Message::PurchaseFailed),
            };
            cx.say(variant, message);
        }
        if done {
            cx.tell(Signal::PurchaseSettled);
        }
    }

    /// What views read of the purchase of the account in use.
    pub(super) fn purchase_view(&self, facts: &Facts) -> Option<PurchaseView> {
        let (account, _) = who(facts)?;
        let watch = self.kept.watch.as_ref().filter(|watch| watch.begun.address == account.address)?;
        let network = facts.network(&watch.begun.chain);
        let (gets, symbol) = watch.gets.clone().unzip();
        let explorer = network.and_then(|network| network.explorer_url());
        Some(PurchaseView {
            label: watch.begun.label.clone(),
            progress: watch.progress,
            checking: watch.asking,
            over: watch.over,
            gets,
            symbol,
            network: super::view::named(&watch.begun.chain, facts),
            url: explorer.zip(watch.hash.as_ref()).map(|(url, hash)| [url, "/tx/", hash].concat()),
        })
    }
}

/// What can stand in an address as it is.
fn is_hash(text: &str) -> bool {
    (40..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
