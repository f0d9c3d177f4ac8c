//! Addresses that the account paid before: from this browser, as its storage says, or otherwise, as the chain says of payments that the
//! server's history names.

use super::Reason;
use super::flight::Transfer;
use crate::cx::Cx;
use crate::effect::Operation;
use crate::http::{Request, encode};
use crate::pay::erc20;
use crate::pay::paid::{OnEvm, PaidReceivers, Recent};
use crate::pay::receipt::{is_of, quantity};
use portico_api::account::{History, Transaction};
use portico_json::Value;
use portico_terms::address::is_evm;
use portico_terms::rpc::{RpcError, is_transaction_hash};
use portico_terms::{Amount, Namespace};

/// Maximum number of known addresses that the account paid before.
const MOST_KNOWN: usize = 500;

/// Maximum number of payments that the chain is asked for at a time.
const MOST_CHECKED: usize = 3;

type Paid = PaidReceivers<OnEvm>;

/// Addresses that the account paid before on a chain.
#[derive(Debug, Default)]
pub struct KnownReceivers {
    /// Paid from this browser.
    paid: Paid,
    /// Paid otherwise, as two nodes say. They only help to find addresses that look alike.
    proven: Vec<String>,
    /// Receivers and hashes of payments as the server's history says. Nobody sees them before the chain confirms them: the server could name
    /// an address of its own, so that the honest one looks like the deception.
    told: Vec<(String, String)>,
    asked: bool,
}

impl KnownReceivers {
    /// The form is opened: requests the account's history until it was received once, and reads the storage.
    pub fn ask(&mut self, cx: &mut Cx) {
        let (Some(network), Some(account)) = (&cx.facts.active_network, &cx.facts.account) else { return };
        let of = (network.caip_network_id.clone(), account.address.clone());
        if self.paid.owner() != Some(&of) {
            let paid = Paid::of(of.0.clone(), of.1.clone());
            *self = KnownReceivers { paid, ..KnownReceivers::default() };
        }
        let Some(prefix) = self.paid.prefix().filter(|_| of.0.namespace() == Namespace::Eip155) else { return };
        cx.ask(Operation::ReadStorage { prefix: prefix.clone() }, Reason::Paid(prefix));
        if std::mem::replace(&mut self.asked, true) {
            return;
        }
        // With the history feature off, the history is not requested at all.
        if cx.facts.options.features.history {
            let path = ["/v1/account/", &encode(&of.1), "/history"].concat();
            cx.http(Request::get(path).with("chainId", &of.0.to_string()), Reason::Past(of.1));
        }
    }

    /// Reads the latest page of the account's history. Only receivers of transfers that the account itself signed count. Transfers by others
    /// do not: an impostor sends a small amount first, or lets a token contract log a transfer from the account, often of zero.
    pub fn on_history(&mut self, address: &str, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if self.paid.owner().is_none_or(|(_, of)| of != address) {
            return;
        }
        let history = answer.ok().and_then(|answer| cx.read::<History>(&answer));
        self.asked = history.is_some();
        for Transaction { metadata, transfers, .. } in history.unwrap_or_default().data {
            let paid = metadata.sent_from.eq_ignore_ascii_case(address)
                && metadata.operation_type.eq_ignore_ascii_case("send")
                && !metadata.status.eq_ignore_ascii_case("failed");
            for transfer in transfers.unwrap_or_default().iter().filter(|_| paid) {
                let some = transfer.quantity.numeric.bytes().any(|digit| matches!(digit, b'1'..=b'9'));
                let to = transfer.recipient.as_deref().filter(|to| transfer.direction == "out" && some && is_evm(to));
                if let Some(to) = to.filter(|_| is_transaction_hash(&metadata.hash) && self.told.len() < MOST_KNOWN) {
                    self.told.push((to.to_ascii_lowercase(), metadata.hash.clone()));
                }
            }
        }
    }

    /// Asks the chain for the payments of the history to addresses that look like this one.
    pub fn check(&mut self, address: &str, cx: &mut Cx) {
        let Some((chain, _)) = self.paid.owner() else { return };
        let mut alike = 0;
        self.told.retain(|(to, hash)| {
            if alike == MOST_CHECKED || !Paid::looks_like(to, address) || self.proven.contains(to) {
                return true;
            }
            alike += 1;
            cx.call_transaction(chain, hash, Reason::Payment(to.clone(), hash.clone()));
            false
        });
    }

    /// Takes a transaction of the history from the chain: the account signed it, and it pays this receiver.
    pub fn on_payment(&mut self, to: &str, hash: &str, answer: &Result<Value, RpcError>) {
        let (Some((_, from)), Ok(found)) = (self.paid.owner(), answer) else { return };
        let paid = |amount: Option<Amount>| amount.is_some_and(|amount| !amount.is_zero());
        let coin = is_of(found, "to", to) && paid(quantity(found.get("value")));
        let token = paid(found.get("input").as_str().and_then(|input| erc20::transferred(input, to)));
        if is_of(found, "hash", hash) && is_of(found, "from", from) && (coin || token) {
            add(&mut self.proven, to);
        }
    }

    /// Remembers the receiver of a payment, here and in storage.
    pub fn pays(&mut self, transfer: &Transfer, cx: &mut Cx) {
        if transfer.chain.namespace() == Namespace::Eip155 {
            let from = (&transfer.chain, transfer.address.as_str());
            self.paid.pays(from, &transfer.receiver, transfer.receiver_name.as_ref(), cx);
        }
    }

    /// Reads the stored receivers of the account.
    pub fn kept(&mut self, under: &str, stored: &Value, cx: &mut Cx) {
        self.paid.kept(under, stored, cx);
    }

    /// Whether the storage was read.
    pub fn is_read(&self) -> bool {
        self.paid.read
    }

    /// Receivers that were paid last from this browser.
    pub fn recent(&self) -> Vec<Recent> {
        self.paid.recent().cloned().collect()
    }

    pub fn knows(&self, address: &str) -> bool {
        self.paid.knows(address)
    }

    /// Receiver of an earlier payment that this address could be mistaken for.
    pub fn look_alike(&self, address: &str) -> Option<&String> {
        self.paid.look_alike(address).or_else(|| self.proven.iter().find(|known| Paid::looks_like(known, address)))
    }
}

/// Adds an address to a list of receivers, in lower case.
fn add(list: &mut Vec<String>, to: &str) {
    let to = to.to_ascii_lowercase();
    if !list.contains(&to) && list.len() < MOST_KNOWN {
        list.push(to);
    }
}
