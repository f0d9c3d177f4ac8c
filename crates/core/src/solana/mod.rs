//! Sending the coin or a token on Solana: the form (here), its token (`asset`) and receiver (`payee`), the payment that it becomes (`plan`),
//! the trial on the chain (`trial`), the wallet's signature (`confirm`) and the transaction on its way (`flight`),
//! about which the host's server may send notifications (`notify`).
//!
//! The bytes that a wallet signs are made here. They are sent with the signature that the wallet gave, or those that it signed instead if it
//! added nothing but assertions. So neither a node nor a wallet decides what leaves the account.

mod asset;
mod check;
mod confirm;
mod event;
mod feature;
mod flight;
mod look;
mod notify;
mod open;
mod open_request;
mod payee;
mod plan;
mod trial;
mod view;

pub use asset::{Choice, Choices, TokenState};
pub use event::{Event, Reason};
pub use flight::Sent;
pub use trial::Trouble;
pub use view::{ReceiverFault, Token, View, Warning};

use crate::CallFault;
use crate::cx::Cx;
use crate::facts::Facts;
use crate::pay::left_open::LeftOpen;
use crate::pay::paid::{OnSolana, PaidReceivers};
use crate::pay::tokens::Purse;
use crate::pay::typed::{AmountFault, amount_of, cut};
use crate::signal::Signal;
use crate::storage::Stored;
use asset::Asset;
use confirm::Request;
use flight::{Last, Pending};
use notify::Sockets;
use payee::Payee;
use plan::{OF_COIN, Plan, price_of};
use portico_calldata::solana::{Key, key};
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, Namespace, Network};
use std::rc::Rc;
use trial::{Tried, tried};

/// Time between the last keystroke and the reads from the chain, in milliseconds (spec 9.3: the default debounce).
const DEBOUNCE: u64 = 500;

/// Longest wait for the nodes before the visitor may try again, in milliseconds: one endpoint can time out (spec 7.8), and another one then has
/// half of that time.
const PATIENCE: u64 = 15_000;

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// Amount and receiver have rested: the chain is asked about them.
    Look,
    /// The nodes have not answered: the form or the preview says so.
    Unanswered,
    /// Transactions on their way are sent again, and their state is read.
    Poll,
    /// The wallet is slow to sign; the modal shows it.
    Slow,
}

/// Progress of a payment.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SolanaPhase")]
pub enum Phase {
    /// The visitor fills in the form, or reviews it.
    #[default]
    Editing,
    /// The bytes are tried, and the wallet is asked to sign them.
    Confirming,
    /// The visitor refused in the wallet.
    Refused,
    /// The wallet failed, or signed something else. Nothing was sent.
    Failed,
    /// A wallet that sends by itself does not tell whether it did.
    Unsure,
    /// A wallet that sends by itself may have sent an earlier request: its page was left, or the answer does not tell.
    Interrupted,
}

/// Trial of the payment on the form.
#[derive(Clone, Debug, Default, PartialEq)]
enum Trial {
    #[default]
    Due,
    /// In flight.
    Asked,
    Done(Tried),
}

/// State of the feature.
#[derive(Debug, Default)]
pub struct Solana {
    amount: String,
    /// The amount follows the balance and the fee until it is edited.
    all: bool,
    /// Selected token; `None` is the coin.
    asset: Option<Asset>,
    receiver: String,
    search: String,
    /// Balance of the account in lamports.
    coin: Option<u64>,
    /// The last question about that balance failed, or nobody answered it.
    coin_lost: bool,
    /// Least balance of an account without data, in lamports.
    rent: Option<u64>,
    /// Price of a compute unit, in millionths of a lamport.
    price: Option<u64>,
    /// Number of the current epoch, for the fee of a token.
    epoch: Option<u64>,
    /// The receiver as the chain told it last.
    payee: Option<Payee>,
    /// Number of the last question about accounts; answers to an older one are ignored.
    looks: u32,
    /// No node told the accounts of this round.
    unread: bool,
    trial: Trial,
    phase: Phase,
    /// Reason for which the confirmed payment was not sent.
    trouble: Option<(Trouble, Option<String>)>,
    /// Error of the wallet.
    error: Option<RpcError>,
    /// Number of changes of the form; answers of an older round are ignored.
    round: u32,
    /// The visitor pressed "Review": missing values are now shown as errors.
    pressed: bool,
    /// The preview opens as soon as all values for it are known.
    awaited: bool,
    ticket: Option<u32>,
    /// Payment that the wallet is asked to sign, while it is on the screen.
    request: Option<Request>,
    /// Payments that the visitor left while a wallet that sends by itself was asked: they may still be sent.
    late: Vec<Request>,
    /// Request that a wallet which sends by itself may have sent, here or on an earlier page.
    left_open: LeftOpen,
    /// The wallet takes long to sign.
    slow: bool,
    /// Transactions on their way, the oldest first.
    pending: Vec<Pending>,
    /// Sockets for notifications about transactions on their way.
    sockets: Sockets,
    /// Stored transactions of earlier pages and other tabs: signature and text.
    stored: Vec<(String, String)>,
    /// The last sent transaction.
    last: Option<Last>,
    /// Receivers that the account paid before.
    paid: PaidReceivers<OnSolana>,
}

impl Solana {
    /// Initial state from storage.
    pub fn new(stored: &Stored) -> Solana {
        let left_open = LeftOpen::read(&stored.asked[2]);
        Solana { stored: stored.pending_of(Namespace::Solana), left_open, ..Solana::default() }
    }

    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, purse: &Purse, cx: &mut Cx) {
        match event {
            // The form must keep showing what the wallet is asked to sign.
            Event::AmountTyped { .. } | Event::ReceiverTyped { .. } | Event::MaxAsked | Event::TokenChosen { .. }
                if self.phase == Phase::Confirming => {}
            Event::AmountTyped { text } => {
                self.amount = cut(&text);
                self.all = false;
                self.typed(cx);
            }
            Event::ReceiverTyped { text } => {
                self.receiver = cut(&text);
                self.payee = None;
                self.typed(cx);
            }
            Event::MaxAsked => {
                self.all = true;
                self.typed(cx);
                self.fit(cx.facts);
                cx.stop(Alarm::Look);
                self.look(cx);
            }
            Event::TokenSearched { text } => self.search = cut(&text),
            Event::TokenChosen { address } => self.token_chosen(address.as_deref(), purse, cx),
            Event::ReviewAsked => self.review(cx),
            Event::ConfirmAsked => self.confirm(cx),
            Event::MessageReceived { url, text } => self.on_message(&url, &text, cx),
        }
    }

    fn token_chosen(&mut self, address: Option<&str>, purse: &Purse, cx: &mut Cx) {
        cx.signal(Signal::FormStepLeft(crate::modal::View::SolanaSendSelectToken));
        self.search.clear();
        // The list may have changed and lost the token.
        let gone = address.is_some_and(|address| asset::listed(address, purse).is_none());
        if gone || self.asset.as_ref().map(|asset| asset.address.as_str()) == address {
            return;
        }
        // The amount was meant for another token.
        self.amount.clear();
        self.all = false;
        self.pressed = false;
        self.choose(address, purse, cx);
        self.typed(cx);
    }

    fn choose(&mut self, address: Option<&str>, purse: &Purse, cx: &mut Cx) {
        self.round += 1;
        self.payee = None;
        self.asset = address.and_then(|address| Asset::new(address, purse, self.round));
        if let Some(asset) = &mut self.asset {
            asset.read(cx);
        }
    }

    /// Resets all results for the previous input.
    fn typed(&mut self, cx: &mut Cx) {
        if self.pressed {
            cx.signal(Signal::SendMended);
        }
        self.round += 1;
        self.looks += 1;
        self.awaited = false;
        self.unread = false;
        self.trial = Trial::Due;
        self.phase = Phase::Editing;
        (self.trouble, self.error) = (None, None);
        cx.stop(Alarm::Unanswered);
        cx.start(Alarm::Look, DEBOUNCE);
    }

    /// Clears the form (spec 4.7, 4.15). Transactions on their way are still followed.
    pub fn reset(&mut self, cx: &mut Cx) {
        for alarm in [Alarm::Look, Alarm::Unanswered, Alarm::Slow] {
            cx.stop(alarm);
        }
        cx.reject_host(self.ticket.take(), CallFault::SendCancelled.into());
        let ticket = self.leave_request(cx);
        cx.reject_host(ticket, CallFault::SendCancelled.into());
        let Solana { round, looks, pending, sockets, stored, last, late, left_open, paid, .. } = std::mem::take(self);
        *self = Solana {
            round: round + 1,
            looks: looks + 1,
            pending,
            sockets,
            stored,
            last,
            late,
            left_open,
            paid,
            ..Solana::default()
        };
    }

    /// The visitor left the token list.
    pub fn choices_left(&mut self) {
        self.search.clear();
    }

    /// The visitor left the view of the sent transaction.
    pub fn sent_seen(&mut self) {
        self.last = None;
    }

    /// Dispatches one alarm.
    #[inline(never)]
    pub fn alarm(&mut self, alarm: Alarm, cx: &mut Cx) {
        match alarm {
            Alarm::Look => self.look(cx),
            Alarm::Unanswered => self.unanswered(cx),
            Alarm::Poll => self.poll(cx),
            Alarm::Slow => self.slow = true,
        }
    }

    /// Dispatches one answer.
    #[inline(never)]
    pub fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match reason {
            Reason::Accounts(look) if look == self.looks => self.on_accounts(&answer, cx.facts),
            Reason::Rent(chain) if is_active(&chain, cx.facts) => {
                self.rent = answer.ok().and_then(|answer| answer.as_u64()).or(self.rent);
                self.unread |= self.rent.is_none();
            }
            Reason::Prices(chain) if is_active(&chain, cx.facts) => {
                let fee = |item: &Value| item.get("prioritizationFee").as_u64();
                let list = answer.as_ref().ok().and_then(Value::as_list).unwrap_or_default();
                // Without an answer the least price is paid.
                self.price = Some(price_of(list.iter().filter_map(fee).collect()));
            }
            Reason::Epoch(chain) if is_active(&chain, cx.facts) => {
                self.epoch = answer.ok().and_then(|answer| answer.get("epoch").as_u64()).or(self.epoch);
                self.unread |= self.epoch.is_none();
            }
            Reason::Rent(_) | Reason::Prices(_) | Reason::Epoch(_) => {}
            Reason::Mint(number) => self.on_token(number, cx, |asset, _| asset.on_mint(&answer)),
            Reason::Held(number) => self.on_token(number, cx, |asset, own| asset.on_held(&answer, own)),
            Reason::Trial(round) if round == self.round && self.trial == Trial::Asked => {
                self.trial = Trial::Done(answer.map_or(Err((Trouble::Untried, None)), |answer| tried(&answer)));
            }
            Reason::Accounts(_) | Reason::Trial(_) => {}
            Reason::Block(round) if round == self.round => return self.on_block(&answer, cx),
            Reason::Checked(round) if round == self.round => return self.on_checked(&answer, cx),
            Reason::Tip(round) if round == self.round => return self.on_tip(&answer, cx),
            Reason::Block(_) | Reason::Checked(_) | Reason::Tip(_) => {}
            Reason::Signed { round, sends } => return self.on_signed(round, sends, answer, cx),
            Reason::Sent => return,
            Reason::SocketEnded(number) => return self.on_socket_ended(number, cx),
            Reason::Paid(prefix) => return self.paid.kept(&prefix, &answer.unwrap_or_default(), cx),
            Reason::Status(signature) => return self.on_status(&signature, &answer, false, cx),
            Reason::Agreed(signature) => return self.on_status(&signature, &answer, true, cx),
            Reason::Height(signature) => return self.on_height(&signature, &answer, cx.now),
        }
        self.fit(cx.facts);
        self.attempt(cx);
        self.go_on(cx);
    }

    /// Fills in the maximum: the balance, of the coin without the fee.
    fn fit(&mut self, facts: &Facts) {
        let (true, Some(network)) = (self.all, network(facts)) else { return };
        let all = match &self.asset {
            Some(asset) => asset.balance().zip(asset.data.as_ref().map(|mint| mint.decimals)),
            None => self.coin.zip(self.price).map(|(coin, price)| {
                (coin.saturating_sub(plan::fee(price, OF_COIN)), network.native_currency.decimals)
            }),
        };
        if let Some((all, decimals)) = all {
            self.amount = Amount::from(all).to_units(decimals);
        }
    }

    /// Amount in the smallest unit. The network counts in 64 bits.
    fn units(&self, facts: &Facts) -> Result<u64, AmountFault> {
        let decimals = self.decimals(facts).ok_or(AmountFault::Missing)?;
        let bytes = amount_of(&self.amount, decimals)?.to_be_bytes();
        let (high, low) = bytes.split_at(24);
        let low = low.try_into().map(u64::from_be_bytes).ok().filter(|_| high.iter().all(|byte| *byte == 0));
        low.ok_or(AmountFault::AboveBalance)
    }

    fn decimals(&self, facts: &Facts) -> Option<u8> {
        match &self.asset {
            Some(asset) => Some(asset.data.as_ref()?.decimals),
            None => Some(network(facts)?.native_currency.decimals),
        }
    }

    /// Balance of what is sent, in the smallest unit.
    fn balance(&self) -> Option<u64> {
        self.asset.as_ref().map_or(self.coin, Asset::balance)
    }
}

/// Active network, if it is one of Solana.
fn network(facts: &Facts) -> Option<&Rc<Network>> {
    let own = |network: &&Rc<Network>| network.chain_namespace == Namespace::Solana;
    facts.active_network.as_ref().filter(own)
}

fn is_active(chain: &ChainId, facts: &Facts) -> bool {
    network(facts).is_some_and(|network| network.caip_network_id == *chain)
}

/// Key of the active account.
fn own(facts: &Facts) -> Option<Key> {
    key(&facts.account.as_ref()?.address)
}
