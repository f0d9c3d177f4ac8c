//! Addresses that the account paid before: from this browser, as its storage says, or otherwise, as the chain says of payments that the
//! server's history names.

use super::Reason;
use super::flight::Transfer;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::http::{Request, encode};
use crate::pay::erc20;
use crate::pay::receipt::{is_of, quantity};
use crate::shown::clean;
use crate::storage::{self, keys};
use portico_api::account::{History, Transaction};
use portico_json::{Json, Value};
use portico_terms::address::{is_evm, shorten, to_checksum};
use portico_terms::rpc::{RpcError, is_transaction_hash};
use portico_terms::{Amount, ChainId, Namespace};

/// A day, in milliseconds.
const A_DAY: u64 = 86_400_000;

/// Maximum number of known addresses that the account paid before.
const MOST_KNOWN: usize = 500;

/// Maximum number of payments that the chain is asked for at a time.
const MOST_CHECKED: usize = 3;

/// Maximum number of them below an empty receiver.
const MOST_SUGGESTED: usize = 3;

/// Maximum number of them in storage.
const MOST_KEPT: usize = 100;

/// A receiver that the account paid from this browser.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
#[json(name = "RecentReceiver")]
pub struct Recent {
    /// Address with its checksum.
    pub address: String,
    /// Name by which it was paid: "alice.eth".
    pub name: Option<String>,
}

/// Addresses that the account paid before on a chain.
#[derive(Debug, Default)]
pub struct KnownReceivers {
    of: Option<(ChainId, String)>,
    /// Paid from this browser, the latest first. Only these are known: a server could name an address of its own as paid before.
    paid: Vec<Recent>,
    /// Paid otherwise, as two nodes say. They only help to find addresses that look alike.
    proven: Vec<String>,
    /// Receivers and hashes of payments as the server's history says. Nobody sees them before the chain confirms them: the server could name
    /// an address of its own, so that the honest one looks like the deception.
    told: Vec<(String, String)>,
    asked: bool,
    /// The storage was read.
    pub read: bool,
}

impl KnownReceivers {
    /// The form is opened: requests the account's history until it was received once, and reads the storage.
    pub fn ask(&mut self, cx: &mut Cx) {
        let (Some(network), Some(account)) = (&cx.facts.active_network, &cx.facts.account) else { return };
        let of = (network.caip_network_id.clone(), account.address.clone());
        if self.of.as_ref() != Some(&of) {
            *self = KnownReceivers { of: Some(of.clone()), ..KnownReceivers::default() };
        }
        if of.0.namespace() != Namespace::Eip155 {
            return;
        }
        // Read each time, as another tab may have sent a payment.
        let prefix = prefix(&of.0, &of.1);
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
        if self.of.as_ref().is_none_or(|(_, of)| of != address) {
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
        let Some((chain, _)) = &self.of else { return };
        let mut alike = 0;
        self.told.retain(|(to, hash)| {
            if alike == MOST_CHECKED || !looks_like(to, address) || self.proven.contains(to) {
                return true;
            }
            alike += 1;
            cx.call_transaction(chain, hash, Reason::Payment(to.clone(), hash.clone()));
            false
        });
    }

    /// Takes a transaction of the history from the chain: the account signed it, and it pays this receiver.
    pub fn on_payment(&mut self, to: &str, hash: &str, answer: &Result<Value, RpcError>) {
        let (Some((_, from)), Ok(found)) = (&self.of, answer) else { return };
        let paid = |amount: Option<Amount>| amount.is_some_and(|amount| !amount.is_zero());
        let coin = is_of(found, "to", to) && paid(quantity(found.get("value")));
        let token = paid(found.get("input").as_str().and_then(|input| erc20::transferred(input, to)));
        if is_of(found, "hash", hash) && is_of(found, "from", from) && (coin || token) {
            add(&mut self.proven, to);
        }
    }

    /// Remembers the receiver of a payment, here and in storage.
    pub fn pays(&mut self, transfer: &Transfer, cx: &mut Cx) {
        if transfer.chain.namespace() != Namespace::Eip155 {
            return;
        }
        // The active account or chain may have changed.
        if self.of.as_ref().is_some_and(|(chain, of)| *chain == transfer.chain && *of == transfer.address) {
            let (address, name) = (to_checksum(&transfer.receiver), transfer.receiver_name.clone());
            self.paid.retain(|known| known.address != address);
            self.paid.insert(0, Recent { address, name });
        }
        let key =
            [&prefix(&transfer.chain, &transfer.address), transfer.receiver.to_ascii_lowercase().as_str()].concat();
        let mut value = cx.now.to_string();
        if let Some(name) = &transfer.receiver_name {
            value.push(' ');
            value.push_str(name);
        }
        storage::keep(key, value, cx);
    }

    /// Reads the stored receivers of the account; stored values are untrusted. Invalid entries and the oldest above the limit are removed.
    pub fn kept(&mut self, under: &str, stored: &Value, cx: &mut Cx) {
        if self.of.as_ref().is_none_or(|(chain, of)| prefix(chain, of) != under) {
            return;
        }
        let read = |entry: &Value| {
            let to = entry.get("key").as_str()?.strip_prefix(under)?.to_owned();
            let value = entry.get("value").as_str().unwrap_or_default();
            let (at, name) = value.split_once(' ').unwrap_or((value, ""));
            let (at, name) = (at.parse::<u64>().ok(), Some(clean(name)).filter(|name| !name.is_empty()));
            let sound = to.starts_with("0x") && is_evm(&to) && !to.bytes().any(|digit| digit.is_ascii_uppercase());
            // Clocks of tabs may differ, but not by a day.
            Some((at.filter(|at| sound && *at < cx.now + A_DAY), to, name))
        };
        self.read = true;
        // Another tab may have paid since: the order is that of the storage.
        let before = std::mem::take(&mut self.paid);
        let mut kept: Vec<_> = stored.as_list().unwrap_or_default().iter().filter_map(read).collect();
        kept.sort_by(|one, other| other.cmp(one));
        for (index, (at, to, name)) in kept.into_iter().enumerate() {
            if at.is_some() && index < MOST_KEPT {
                self.paid.push(Recent { address: to_checksum(&to), name });
            } else {
                let key = [under, &to].concat();
                cx.order(Operation::RemoveStorage { area: StorageArea::Local, key });
            }
        }
        // Storage may be off; payments of this page are known anyway.
        for one in before {
            if !self.knows(&one.address) {
                self.paid.push(one);
            }
        }
    }

    /// Receivers that were paid last from this browser.
    pub fn recent(&self) -> Vec<Recent> {
        self.paid.iter().take(MOST_SUGGESTED).cloned().collect()
    }

    pub fn knows(&self, address: &str) -> bool {
        self.paid.iter().any(|known| known.address.eq_ignore_ascii_case(address))
    }

    /// Receiver of an earlier payment that this address could be mistaken for.
    pub fn look_alike(&self, address: &str) -> Option<&String> {
        self.paid.iter().map(|known| &known.address).chain(&self.proven).find(|known| looks_like(known, address))
    }
}

/// Whether an address could be mistaken for a known one: they differ, and look the same when shortened, here or in other wallets.
fn looks_like(known: &str, address: &str) -> bool {
    let ends = |text: &str| (text.get(2..6).map(str::to_owned), text.get(38..).map(str::to_owned));
    let (known, address) = (known.to_ascii_lowercase(), address.to_ascii_lowercase());
    known != address && (shorten(&known) == shorten(&address) || ends(&known) == ends(&address))
}

/// Adds an address to a list of receivers, in lower case.
fn add(list: &mut Vec<String>, to: &str) {
    let to = to.to_ascii_lowercase();
    if !list.contains(&to) && list.len() < MOST_KNOWN {
        list.push(to);
    }
}

/// Key prefix under which the receivers of an account are stored.
fn prefix(chain: &ChainId, address: &str) -> String {
    [keys::PAID, &chain.to_string(), ":", &address.to_ascii_lowercase(), "/"].concat()
}
