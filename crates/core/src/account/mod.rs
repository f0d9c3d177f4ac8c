//! The connected account: its address, its balance, its tabs. All reads arrive in one `answered`, which separates responses for other
//! accounts.

mod abilities;
mod assets;
mod balance;
mod event;
mod feature;
mod identity;
mod nfts;
mod offer;
mod reading;
mod reads;
mod recent;
mod state;
#[cfg(test)]
mod tests;
mod token;

use crate::modal::View as ModalView;
pub use assets::{PORTFOLIO_CACHE, RETRY_GUARD};
pub use balance::{BALANCE_CACHE, BalanceState};
pub use event::{Event, Reason, Tab};
pub use identity::{IDENTITY_CACHE, PRELOAD, is_looked_up};
pub use nfts::{Item as NftItem, NftsView};
pub use offer::Offer;
pub use state::{AccountState, EmbeddedWalletInfo, Extent, OneAccount, Quantity, TokenBalance, User, View, WalletInfo};
pub use token::Token as Holding;

use crate::analytics::{Name, Tracked};
use crate::connect::ConnectFault;
use crate::cx::Cx;
use crate::effect::{HostError, Operation};
use crate::facts::Facts;
use crate::fault::CallFault;
use crate::network::NetworkFault;
use crate::notice::{Message, Variant};
use crate::pay::tokens::Purse;
use crate::signal::Signal;
use crate::storage::Stored;
use crate::wallet::bip122;
use assets::Portfolio;
use balance::{Balance, answer_host};
use identity::{Identities, MOST_KNOWN};
use nfts::Nfts;
use offer::Offered;
use portico_json::{Map, Value};
use portico_terms::address::read_address;
use portico_terms::caip::AccountIdError;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, Namespace, Network, Price};
use reading::host_address;
use reads::Reads;
use recent::Recent;
use std::rc::Rc;

/// State of one account beyond its connection.
#[derive(Debug, Default)]
struct Account {
    tab: Tab,
    balance: Balance,
    labels: Map<String, String>,
    profile_name: Option<String>,
    profile_image: Option<String>,
}

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The wallet has not listed its assets (EIP-7811): the server is asked instead.
    AssetsEnd,
    /// The token list may be requested again (spec 9.2).
    TokensRetry,
    /// The reads of libraries are sent.
    Reads,
    /// The tick on a copy button ends.
    CopiedEnd,
}

/// Time for which a copy button has a tick, in milliseconds.
pub const COPIED: u64 = 2_000;

fn copy(text: String, cx: &mut Cx) {
    cx.ask(Operation::CopyText { text: text.clone() }, Reason::Copy(text));
}

/// State of the account feature.
#[derive(Debug, Default)]
pub struct Accounts {
    accounts: Map<Namespace, Account>,
    waiting: Vec<u32>,
    /// CAIP-10 ids of accounts whose balance read is in flight.
    reading: Vec<String>,
    /// Another balance read has to follow one in flight.
    wanted: bool,
    /// The next balance read passes the server's cache.
    anew: bool,
    prices: Map<ChainId, Price>,
    /// Cached balances of inactive accounts.
    balances: Recent<Balance>,
    portfolio: Portfolio,
    nfts: Nfts,
    identities: Identities,
    offered: Offered,
    reads: Reads,
    /// Text that was just copied.
    copied: Option<String>,
}

impl Accounts {
    /// Initial state from storage.
    pub fn new(stored: &Stored) -> Accounts {
        Accounts { identities: Identities::new(&stored.identities), ..Accounts::default() }
    }

    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            Event::TabChosen { tab } => {
                if let Some(namespace) = cx.facts.active_namespace {
                    self.accounts.or_default(namespace).tab = tab;
                    if tab == Tab::Activity {
                        cx.signal(Signal::Track(
                            Tracked::new(Name::ClickTransactions).flag("isSmartAccount", cx.facts.smart_account),
                        ));
                    }
                    cx.signal(Signal::AccountShown);
                }
            }
            Event::TokensAsked => self.portfolio.ask(true, cx),
            Event::HiddenAsked => self.portfolio.revealed = !self.portfolio.revealed,
            Event::NftsAsked => self.nfts.more(cx),
            Event::RefreshAsked { ticket } => self.refresh_asked(ticket, cx),
            Event::PriceTold { chain, usd } => {
                if let Ok(chain) = chain.parse() {
                    match usd.parse() {
                        Ok(price) => self.prices.insert(chain, price),
                        Err(_) => drop(self.prices.remove(&chain)),
                    }
                }
            }
            Event::BalanceAsked { namespace, address, chain, ticket } => {
                self.balance_asked(namespace.as_deref(), address, &chain, ticket, cx)
            }
            Event::ReadAsked { chain, method, params, ticket } => {
                self.reads.ask(&chain, method, params, ticket, cx);
            }
            Event::PageShown => {
                cx.signal(Signal::PageShown);
                self.look(cx);
                cx.signal(Signal::AccountShown);
            }
            Event::CopyAsked => {
                if let Some(account) = &cx.facts.account {
                    copy(account.address.clone(), cx);
                }
            }
            Event::TextCopyAsked { text } => copy(text, cx),
            Event::LabelSet { namespace, address, label, ticket } => {
                match self.label(namespace.as_deref(), address, label, cx.facts) {
                    Ok(()) => cx.resolve_host(ticket, Value::Null),
                    Err(error) => {
                        // A call that came before the core had loaded has returned already; the alert reports its error too.
                        cx.signal(Signal::Warn(crate::notice::AlertKey::InvalidOptions, error.message.clone()));
                        cx.reject_host(ticket, error);
                    }
                }
            }
        }
    }

    /// Sets the host's label of an address (spec 8.11, 8.12, 8.30). A CAIP-10 address names its namespace itself.
    fn label(
        &mut self,
        namespace: Option<&str>,
        address: String,
        label: Option<String>,
        facts: &Facts,
    ) -> Result<(), HostError> {
        let (chain, address) = host_address(address)?;
        let namespace = match (chain, namespace) {
            (Some(chain), _) => chain.namespace(),
            (None, Some(name)) => Namespace::from_word(name).ok_or(NetworkFault::ChainAdapterNotFound)?,
            (None, None) => facts.active_namespace.ok_or(NetworkFault::ChainRequired)?,
        };
        // Hosts write addresses in any case.
        let invalid = || CallFault::InvalidAddress(AccountIdError::Address.to_string());
        let address = read_address(namespace, &address).ok_or_else(invalid)?;
        let labels = &mut self.accounts.or_default(namespace).labels;
        match label {
            Some(label) => labels.insert(address, label),
            None => drop(labels.remove(&address)),
        }
        Ok(())
    }

    /// Price of a chain's coin, if known.
    pub fn price(&self, chain: &ChainId) -> Option<Price> {
        self.prices.get(chain).copied()
    }

    /// Whether the active wallet executes batches atomically on the active chain (EIP-5792).
    pub fn batches(&self) -> bool {
        self.portfolio.batches
    }

    /// Features of the host's server.
    pub fn offer(&self) -> Rc<Offer> {
        self.offered.known()
    }

    /// Counter of changes to the tokens.
    pub fn tokens_revision(&self) -> u32 {
        self.portfolio.revision
    }

    /// The account is shown: requests the tokens and the collectibles of their tab. Returns true if transactions are shown.
    pub fn show(&mut self, cx: &mut Cx) -> bool {
        self.look(cx);
        self.offered.ask(cx);
        self.portfolio.ask(false, cx);
        let tab = cx.facts.active_namespace.and_then(|namespace| self.accounts.get(&namespace)).map(|it| it.tab);
        if tab == Some(Tab::Nfts) {
            self.nfts.show(cx);
        }
        tab == Some(Tab::Activity) || cx.facts.view == Some(ModalView::Transactions)
    }

    /// Drops tokens and collectibles that are not those of the active account and network.
    pub fn forget_others(&mut self, facts: &Facts) {
        self.portfolio.changed(facts);
        self.nfts.changed(facts);
    }

    /// Dispatches one alarm.
    pub fn alarm(&mut self, alarm: Alarm, cx: &mut Cx) {
        match alarm {
            Alarm::Reads => self.reads.send(cx),
            Alarm::CopiedEnd => self.copied = None,
            alarm => self.portfolio.alarm(alarm, cx),
        }
    }

    /// A transaction was mined: reads the balances again. A read in flight may return the old balance, so one more follows it.
    pub fn spent(&mut self, cx: &mut Cx) {
        let reading = !self.reading.is_empty();
        // Another account of the visitor may be the receiver.
        self.balances.retain(|_| false);
        self.portfolio.forget_kept();
        self.anew = true;
        self.refresh(cx);
        self.wanted |= reading;
        if cx.facts.modal_open {
            self.portfolio.ask(true, cx);
        }
    }

    /// The account or network changed: resets the displayed balance, name and avatar, and requests them.
    pub fn changed(&mut self, namespace: Namespace, network: Option<&Network>, cx: &mut Cx) {
        if network.is_none() {
            self.accounts.or_default(namespace).balance.turn(None, &mut self.balances);
        }
        self.identify(namespace, network, cx);
        self.offered.ask(cx);
        self.look(cx);
    }

    /// Sets name and avatar of the account; clears them where names are not looked up (spec 4.40).
    fn identify(&mut self, namespace: Namespace, network: Option<&Network>, cx: &mut Cx) {
        let found = cx.facts.accounts.iter().find(|account| account.namespace == namespace);
        let address = found.filter(|_| network.is_some_and(is_looked_up)).map(|account| account.address.clone());
        let (name, image) = address.map(|address| self.identities.of(&address, cx)).unwrap_or_default();
        let account = self.accounts.or_default(namespace);
        account.profile_name = name;
        account.profile_image = image;
    }

    /// The send form opened, which suggests the wallet's accounts by their names. The active one keeps its place in the cache.
    pub fn name_others(&mut self, addresses: &[String], cx: &mut Cx) {
        let looked_up = cx.facts.active_network.as_deref().is_some_and(is_looked_up);
        let Some(active) = cx.facts.account.as_deref().filter(|_| looked_up) else { return };
        for address in addresses.iter().filter(|address| **address != active.address).take(MOST_KNOWN - 1) {
            self.identities.of(address, cx);
        }
    }

    /// The account registered a name: it is shown at once (spec 4.29).
    pub fn named(&mut self, address: &str, name: &str, cx: &mut Cx) {
        self.identities.named(address, name, cx);
        let found = cx.facts.accounts.iter().find(|account| account.address == address);
        if let Some(account) = found.and_then(|account| self.accounts.get_mut(&account.namespace)) {
            account.profile_name = Some(name.into());
        }
    }

    /// Resets the accounts of these namespaces (spec 4.9).
    pub fn reset(&mut self, namespaces: &[Namespace], cx: &mut Cx) {
        self.refuse_waiting(&ConnectFault::NotConnected.into(), cx);
        for namespace in namespaces {
            self.accounts.remove(namespace);
        }
        self.balances.retain(|_| false);
    }

    /// Dispatches one response.
    #[inline(never)]
    pub fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match reason {
            Reason::Balance(namespace, chain, address) => {
                if !reading::asked_a_node(&chain, &address, &answer, cx) {
                    self.on_balance(namespace, chain, address, answer, cx);
                }
            }
            Reason::NodeBalance(chain, address) => {
                // A server without this network has not failed either.
                let served = self.offered.known().bitcoin.contains(&chain);
                let answer = answer.map_err(|error| if served { error } else { bip122::no_source() });
                self.on_balance(Namespace::Bip122, chain, address, answer, cx);
            }
            Reason::Capabilities(attempt) => self.portfolio.able(attempt, answer, cx),
            Reason::Assets(attempt) => {
                let price = self.portfolio.held(attempt, answer, cx);
                self.on_price(price, cx);
            }
            Reason::Portfolio(attempt) => match self.portfolio.on_tokens(attempt, answer, cx) {
                Ok(price) => self.on_price(price, cx),
                Err(true) => reading::say_unavailable(cx),
                Err(false) => {}
            },
            Reason::Nfts(attempt) => self.nfts.answered(attempt, answer, cx),
            Reason::Identity(address) => {
                let Some((name, image)) = self.identities.answered(&address, answer, cx) else { return };
                let Some(account) = self.looked_up(&address, cx.facts) else { return };
                account.profile_name = name;
                // An avatar takes the place of the drawn one once it is there (spec 9.3).
                if let Some(url) = image.clone().filter(|_| image != account.profile_image) {
                    let preload = Operation::PreloadPicture { url: url.clone(), timeout: PRELOAD };
                    return cx.ask(preload, Reason::Avatar(address, url));
                }
                account.profile_image = image;
            }
            Reason::Avatar(address, url) => {
                if let Some(account) = self.looked_up(&address, cx.facts) {
                    account.profile_image = answer.ok().map(|_| url);
                }
            }
            Reason::Offer => {
                // Only now is it known whether the server has the balances of this network.
                let shows = answer.is_ok() && cx.facts.modal_open;
                self.offered.answered(answer, cx);
                if shows && cx.facts.active_namespace == Some(Namespace::Bip122) {
                    cx.signal(Signal::AccountShown);
                }
            }
            Reason::OtherBalance(ticket, network) => {
                let amount = reading::amount_in(answer, &network.caip_network_id, cx);
                answer_host(ticket, &network, &amount, cx);
            }
            Reason::Read(ticket) => reads::answer(ticket, answer, cx),
            Reason::Copy(text) => {
                if answer.is_err() {
                    return cx.say(Variant::Error, Message::CopyFailed);
                }
                self.copied = Some(text);
                cx.start(Alarm::CopiedEnd, COPIED);
            }
        }
    }

    /// Account of this address, if names are looked up on its network (spec 4.40).
    fn looked_up(&mut self, address: &str, facts: &Facts) -> Option<&mut Account> {
        let account = facts.accounts.iter().find(|account| account.address == address)?;
        let chain = facts.chains.iter().find(|chain| chain.namespace() == account.namespace)?;
        let network = facts.network(chain).filter(|network| is_looked_up(network));
        network.map(|_| self.accounts.or_default(account.namespace))
    }

    /// Stores the coin price of the active network that came with the tokens.
    fn on_price(&mut self, price: Option<Price>, cx: &mut Cx) {
        if let Some((price, network)) = price.zip(cx.facts.active_network.as_ref()) {
            self.prices.insert(network.caip_network_id.clone(), price);
        }
    }

    /// Native balance of the active account, if known.
    pub fn native_balance(&self, namespace: Namespace) -> Option<Amount> {
        self.accounts.get(&namespace)?.balance.amount()
    }

    /// Holdings that the active account can pay with.
    pub fn purse(&self, namespace: Option<Namespace>) -> Purse<'_> {
        Purse {
            coin: namespace.and_then(|namespace| self.native_balance(namespace)),
            tokens: &self.portfolio.tokens,
            state: self.portfolio.state,
            revision: self.portfolio.revision,
        }
    }

    /// Text that was just copied.
    pub fn copied(&self) -> Option<&String> {
        self.copied.as_ref()
    }

    /// Collectibles of the active account.
    pub fn nfts(&self) -> &Nfts {
        &self.nfts
    }
}
