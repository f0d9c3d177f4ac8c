//! Sending on Bitcoin: the form (here), the outputs that can be spent (`look`), the receiver (`payee`), the payment that it becomes (`plan`),
//! the wallet's signatures (`confirm`) and the transaction on its way (`flight`), and in storage (`kept`).
//!
//! The transaction is made here. Amounts that it spends are read from the transactions whose outputs they are, by the ids that those bytes
//! have; a wallet adds signatures and nothing else. So neither a node nor a wallet decides what leaves the account.

mod confirm;
mod event;
mod feature;
mod flight;
mod kept;
mod look;
mod open;
mod payee;
mod plan;
mod view;

pub use event::{Event, Reason};
pub use flight::Sent;
pub use plan::Speed;
pub use view::{ReceiverFault, SpeedRow, Trouble, View, Warning};

use crate::CallFault;
use crate::cx::Cx;
use crate::facts::Facts;
use crate::pay::paid::{OnBitcoin, PaidReceivers};
use crate::pay::typed::{AmountFault, amount_of, cut};
use crate::signal::Signal;
use crate::storage::Stored;
use confirm::Request;
use flight::{Last, Pending};
use plan::{Coin, Lack, Means, Plan, rates_of};
use portico_calldata::bitcoin::{Address, Form, Kind, OutPoint, form_of};
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, Namespace, Network};
use std::rc::Rc;

/// Decimals of the coin: a satoshi is the smallest unit, whatever a host says about its network.
const DECIMALS: u8 = 8;

/// Longest wait for the nodes before the visitor may try again, in milliseconds: one endpoint can time out (spec 7.8), and another one then has
/// half of that time.
const PATIENCE: u64 = 15_000;

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The nodes have not answered: the form or the preview says so.
    Unanswered,
    /// The state of transactions on their way is read.
    Poll,
    /// The wallet is slow to sign; the modal shows it.
    Slow,
}

/// Progress of a payment.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "BitcoinPhase")]
pub enum Phase {
    /// The visitor fills in the form, or reviews it.
    #[default]
    Editing,
    /// The spent transactions are read, and the wallet is asked to sign.
    Confirming,
    /// The visitor refused in the wallet.
    Refused,
    /// The wallet failed or signed something else, or no node took the transaction.
    Failed,
}

/// State of the feature.
#[derive(Debug, Default)]
pub struct Bitcoin {
    amount: String,
    /// The amount follows the balance and the fee until it is edited.
    all: bool,
    receiver: String,
    speed: Speed,
    /// Outputs that the account can spend.
    coins: Option<Vec<Coin>>,
    /// Fees of the speeds, in satoshis for 1,000 bytes, as a node tells them.
    told: [Option<u64>; 3],
    /// Public key of the account, where the wallet told it.
    key: Option<Vec<u8>>,
    /// The wallet is asked for it.
    key_asked: bool,
    /// Whether the wallet keeps ordinals at another address than the account's; `None` until it has described its addresses.
    ordinals_apart: Option<bool>,
    /// The storage is asked for what other tabs have signed.
    storage_asked: bool,
    /// Number of the last question to the nodes; answers to an older one are ignored.
    looks: u32,
    /// No node told the outputs or the fees.
    unread: bool,
    phase: Phase,
    /// Reason for which the confirmed payment was not sent, with the words of a node.
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
    /// Payment that the wallet is asked to sign.
    request: Option<Request>,
    /// The wallet takes long to sign.
    slow: bool,
    /// Signed payments that no node took, or that another one is said to have replaced. They may still be sent by whoever has their bytes, so
    /// that the next payment spends the same output: only one of the two can count.
    bound: Vec<Pending>,
    /// Transactions on their way, the oldest first.
    pending: Vec<Pending>,
    /// Stored transactions of earlier pages and other tabs: id and text.
    stored: Vec<(String, String)>,
    /// The last sent transaction.
    last: Option<Last>,
    /// Receivers that the account paid before.
    paid: PaidReceivers<OnBitcoin>,
}

impl Bitcoin {
    /// Initial state from storage.
    pub fn new(stored: &Stored) -> Bitcoin {
        Bitcoin { stored: stored.pending_of(Namespace::Bip122), ..Bitcoin::default() }
    }

    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        match event {
            // The form must keep showing what the wallet is asked to sign.
            Event::AmountTyped { .. } | Event::ReceiverTyped { .. } | Event::MaxAsked | Event::SpeedChosen { .. }
                if self.phase == Phase::Confirming => {}
            Event::AmountTyped { text } => {
                self.amount = cut(&text);
                self.all = false;
                self.typed(cx);
            }
            Event::ReceiverTyped { text } => {
                self.receiver = cut(&text);
                self.typed(cx);
            }
            Event::MaxAsked => {
                self.all = true;
                self.typed(cx);
            }
            Event::SpeedChosen { speed } => {
                self.speed = speed;
                self.typed(cx);
            }
            Event::ReviewAsked => self.review(cx),
            Event::ConfirmAsked => self.confirm(cx),
        }
    }

    /// Resets all results for the previous input.
    fn typed(&mut self, cx: &mut Cx) {
        if self.pressed {
            cx.signal(Signal::SendMended);
        }
        self.round += 1;
        self.awaited = false;
        self.phase = Phase::Editing;
        (self.trouble, self.error) = (None, None);
        self.fit(cx.facts);
    }

    /// Clears the form (spec 4.7, 4.15). Transactions on their way are still followed.
    pub fn reset(&mut self, cx: &mut Cx) {
        for alarm in [Alarm::Unanswered, Alarm::Slow] {
            cx.stop(alarm);
        }
        cx.reject_host(self.ticket.take(), CallFault::SendCancelled.into());
        let ticket = self.leave_request(cx);
        cx.reject_host(ticket, CallFault::SendCancelled.into());
        let Bitcoin { round, looks, pending, stored, last, paid, bound, .. } = std::mem::take(self);
        let (round, looks) = (round + 1, looks + 1);
        *self = Bitcoin { round, looks, pending, stored, last, paid, bound, ..Bitcoin::default() };
    }

    /// The visitor left the view of the sent transaction.
    pub fn sent_seen(&mut self) {
        self.last = None;
    }

    /// Dispatches one alarm.
    #[inline(never)]
    pub fn alarm(&mut self, alarm: Alarm, cx: &mut Cx) {
        match alarm {
            Alarm::Unanswered => self.unanswered(cx),
            Alarm::Poll => self.poll(cx),
            Alarm::Slow => self.slow = true,
        }
    }

    /// Dispatches one answer.
    #[inline(never)]
    pub fn answered(&mut self, reason: Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match reason {
            Reason::Coins(look) if look == self.looks => self.on_coins(&answer),
            Reason::Rate(look, speed) if look == self.looks => self.on_rate(speed, &answer),
            Reason::Described(look) if look == self.looks => self.on_described(&answer, cx.facts),
            Reason::Stored => self.on_stored(&answer.unwrap_or_default(), cx),
            Reason::Coins(_) | Reason::Rate(..) | Reason::Described(_) => {}
            Reason::Previous(round, id) if round == self.round => return self.on_previous(&id, &answer, cx),
            Reason::Signed(round) if round == self.round => return self.on_signed(answer, cx),
            Reason::Taken(round) if round == self.round => return self.on_taken(&answer, cx),
            Reason::Previous(..) | Reason::Signed(_) | Reason::Taken(_) => return,
            Reason::Resent(id) => return self.on_resent(&id, &answer, cx),
            Reason::Paid(prefix) => return self.paid.kept(&prefix, &answer.unwrap_or_default(), cx),
            Reason::Kept(id, at) => return self.on_kept(&id, at, &answer.unwrap_or_default(), cx),
            Reason::Spent(id) => return self.on_spent(&id, &answer, cx),
            Reason::Status(id) => return self.on_status(&id, &answer, cx),
            Reason::Spender(id) => return self.on_spender(&id, &answer, cx),
        }
        self.fit(cx.facts);
        self.go_on(cx);
    }

    /// Fills in the maximum.
    fn fit(&mut self, facts: &Facts) {
        let (true, Some(from)) = (self.all, own(facts)) else { return };
        // The fee depends on the receiver, and on the longest one before there is any.
        let to = self.to(facts).unwrap_or(Kind::P2tr([0; 32]));
        if let Some(most) = self.means(&from, facts).and_then(|means| means.most(&to)) {
            self.amount = Amount::from(most).to_units(DECIMALS);
        }
    }

    /// Outputs and fee for a payment, once the nodes told them.
    fn means<'a>(&'a self, from: &'a Kind, facts: &Facts) -> Option<Means<'a>> {
        let rate = rates_of(self.told)?[self.speed as usize];
        Some(Means { from, coins: self.coins.as_deref()?, bound: self.bound(facts), rate })
    }

    /// Outputs that the next payment of the active account has to spend.
    fn bound(&self, facts: &Facts) -> Vec<OutPoint> {
        let own = |Pending { one, .. }: &&Pending| {
            network(facts).is_some_and(|network| network.caip_network_id == one.chain)
                && facts.account.as_ref().is_some_and(|account| account.address == one.from)
        };
        self.bound.iter().filter(own).filter_map(Pending::first).collect()
    }

    /// Payment of the form; `None` while anything about it is unknown or wrong.
    fn plan(&self, facts: &Facts) -> Option<Result<Plan, Lack>> {
        let from = own(facts)?;
        let amount = self.satoshis().ok()?;
        let to = self.to(facts)?;
        Some(self.means(&from, facts)?.plan(&to, amount))
    }

    /// Amount in satoshis.
    fn satoshis(&self) -> Result<u64, AmountFault> {
        whole(amount_of(&self.amount, DECIMALS)?).ok_or(AmountFault::AboveBalance)
    }

    /// Kind of the receiver's address.
    fn to(&self, facts: &Facts) -> Option<Kind> {
        payee::read(&self.receiver, &facts.account.as_ref()?.address, form(facts)?).ok()
    }
}

/// Active network, if it is one of Bitcoin.
fn network(facts: &Facts) -> Option<&Rc<Network>> {
    facts.active_network.as_ref().filter(|network| network.chain_namespace == Namespace::Bip122)
}

/// Form of the addresses of the active network.
fn form(facts: &Facts) -> Option<Form> {
    form_of(network(facts)?.caip_network_id.reference())
}

/// Kind of the address of the active account.
fn own(facts: &Facts) -> Option<Kind> {
    let account = facts.account.as_ref().filter(|account| account.namespace == Namespace::Bip122)?;
    let address = Address::parse(&account.address).ok()?;
    form(facts).filter(|form| address.is_on(*form)).map(|_| address.kind)
}

/// Amount as a number of 64 bits, which all satoshis together fit into.
fn whole(amount: Amount) -> Option<u64> {
    let bytes = amount.to_be_bytes();
    let (high, low) = bytes.split_at(24);
    low.try_into().map(u64::from_be_bytes).ok().filter(|_| high.iter().all(|byte| *byte == 0))
}
