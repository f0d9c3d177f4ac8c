//! The provider's page for a purchase: its URL, its tab, and the way back.

use super::price::MONEY_DECIMALS;
use super::{Onramp, Phase, Problem, Reason, offer, who};
use crate::analytics::{Name, Tracked};
use crate::cx::Cx;
use crate::effect::{HttpMethod, Operation};
use crate::facts::Facts;
use crate::http::Request;
use crate::onramp::Alarm;
use crate::signal::Signal;
use portico_api::onramp::{DestinationWallet, OnrampUrl, OnrampUrlQuestion};
use portico_json::{Value, to_text};
use portico_terms::link::is_web;
use portico_terms::rpc::RpcError;

/// Time in which the URL is opened, in milliseconds: a provider's URL is valid for five minutes, and the last one is not used.
const URL_LIFE: u64 = 240_000;

/// Query by which the page recognizes a visitor whom a provider sent back.
const BACK: &str = "?portico-bought=1";

impl Onramp {
    pub(super) fn choose(&mut self, name: &str, cx: &mut Cx) {
        let Some(place) = self.providers.iter().position(|provider| provider.name == name) else { return };
        let reaches = who(cx.facts)
            .is_some_and(|(account, chain)| self.providers[place].network(&chain, account, cx.facts).is_some());
        if !reaches {
            return;
        }
        if let Some(missing) = self.missing() {
            return cx.signal(missing);
        }
        cx.signal(Signal::Track(
            Tracked::new(Name::SelectBuyProvider).with("provider", name).flag("isSmartAccount", cx.facts.smart_account),
        ));
        self.close_tab(cx);
        self.url = None;
        self.chosen = Some(place);
        // A new purchase must not be mistaken for the previous one.
        self.kept.watch = None;
        cx.signal(Signal::OnrampChosen);
        self.open(cx);
    }

    /// Requests the URL of the provider's page. Browsers only open a tab during a visitor's action, so an empty one is opened now and
    /// navigated later. On phones a page in the background may be paused, so there the visitor follows a link instead.
    pub(super) fn open(&mut self, cx: &mut Cx) {
        if self.phase == Phase::Preparing {
            return;
        }
        let Some((account, chain)) = who(cx.facts) else { return };
        let Some(provider) = self.chosen.and_then(|place| self.providers.get(place)) else { return };
        let Some(network) = provider.network(&chain, account, cx.facts) else { return };
        self.attempt += 1;
        self.problem = None;
        self.phase = Phase::Preparing;
        if !cx.facts.environment.mobile {
            cx.ask(Operation::OpenTab { small: false }, Reason::Tab(self.attempt));
        }
        let sold =
            |id: &&String| self.tokens.iter().any(|token| token.id == **id && token.providers.contains(&provider.name));
        let token = self.token.as_ref().filter(sold).cloned();
        let (country, subdivision) = self.whereabouts();
        let body = OnrampUrlQuestion {
            destination_wallets: vec![DestinationWallet {
                address: account.address.clone(),
                blockchains: Some(vec![network.to_string()]),
                assets: None,
            }],
            provider: Some(provider.name.clone()),
            default_network: Some(network.to_string()),
            purchase_currency: token,
            payment_currency: self.currency.clone(),
            preset_fiat_amount: self.money().map(|money| money.to_units(MONEY_DECIMALS)),
            default_experience: Some("buy".into()),
            country,
            subdivision,
            return_url: way_back(cx.facts),
            ..OnrampUrlQuestion::default()
        };
        let request = Request::new(HttpMethod::Post, "/v1/generators/onrampurl").body(to_text(&body));
        if !cx.http(request, Reason::Url(self.attempt)) {
            self.failed(None, cx);
        }
    }

    pub(super) fn tab_opened(&mut self, attempt: u32, there: bool, cx: &mut Cx) {
        let waits = attempt == self.attempt && self.phase == Phase::Preparing && there;
        self.tab = waits;
        if !waits && there {
            cx.order(Operation::LeadTab { href: None });
        }
    }

    pub(super) fn on_url(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let (url, reference) = match answer {
            Ok(answer) => match cx.read(&answer) {
                Some(OnrampUrl { url, reference, .. }) if is_web(&url) => {
                    (url, reference.filter(|id| offer::is_id(id)))
                }
                _ => return self.failed(None, cx),
            },
            Err(error) => {
                // The server writes English for developers.
                cx.order(Operation::TellDeveloper { text: offer::reason(&error.message) });
                return self.failed(Problem::of(&error), cx);
            }
        };
        self.url = Some((url.clone(), reference));
        self.phase = Phase::Ready;
        cx.start(Alarm::Page, URL_LIFE);
        if std::mem::take(&mut self.tab) {
            cx.ask(Operation::LeadTab { href: Some(url) }, Reason::Led(self.attempt));
        }
    }

    /// Result of the navigation. If the tab was closed meanwhile, the URL stays valid for a link.
    pub(super) fn led(&mut self, there: bool, cx: &mut Cx) {
        if there {
            self.opened(cx);
        }
    }

    pub(super) fn link_followed(&mut self, cx: &mut Cx) {
        if self.phase == Phase::Ready {
            self.opened(cx);
        }
    }

    /// The page was opened; its URL works only once.
    fn opened(&mut self, cx: &mut Cx) {
        cx.stop(Alarm::Page);
        self.phase = Phase::Opened;
        let reference = self.url.take().and_then(|(_, reference)| reference);
        self.watch(reference, cx);
    }

    /// The URL expired without being opened.
    pub(super) fn page_over(&mut self, cx: &mut Cx) {
        if self.phase == Phase::Ready {
            self.url = None;
            self.failed(None, cx);
        }
    }

    /// URL for a link, while the visitor has to open the page.
    pub(super) fn link(&self) -> Option<String> {
        self.url.as_ref().filter(|_| self.phase == Phase::Ready).map(|(url, _)| url.clone())
    }

    pub(super) fn failed(&mut self, problem: Option<Problem>, cx: &mut Cx) {
        self.phase = Phase::Failed;
        self.problem = problem;
        self.close_tab(cx);
    }

    pub(super) fn close_tab(&mut self, cx: &mut Cx) {
        if std::mem::take(&mut self.tab) {
            cx.order(Operation::LeadTab { href: None });
        }
    }
}

/// Return URL: this page without query and fragment, which do not concern the provider. `None` for a page without an origin.
fn way_back(facts: &Facts) -> Option<String> {
    let own =
        facts.environment.origin.starts_with("http") && facts.environment.page.starts_with(&*facts.environment.origin);
    own.then(|| [&*facts.environment.page, BACK].concat())
}
