//! Receiver of a send: an address, or a name that the host's server resolves (ENS, or one of its own), and warnings about it.

use super::flight::Transfer;
use super::form::{ReceiverFault, address_fault, is_name, with_prefix};
use super::letters::is_deceptive;
use super::{Reason, Send};
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::{ActiveAccount, Facts};
use crate::http::{Request, encode, is_there, picture};
use crate::shown::clean;
use crate::storage::{self, keys};
use crate::wallet::eip155;
use portico_api::account::{History, Transaction};
use portico_api::identity::Identity;
use portico_api::name::NameRecord;
use portico_json::{Json, Value};
use portico_terms::address::{is_evm, shorten, to_checksum};
use portico_terms::coin_type::coin_type;
use portico_terms::rpc::RpcError;
use portico_terms::{ChainId, Namespace};

/// A day, in milliseconds.
const A_DAY: u64 = 86_400_000;

/// SLIP-44 coin type of Ether; a name's address that is not tied to a chain.
const ETHER: &str = "60";

/// Server status code for an unregistered name.
const NOT_FOUND: i64 = 404;

/// Maximum number of known addresses that the account paid before.
const MOST_KNOWN: usize = 500;

/// Maximum number of them in storage.
const MOST_KEPT: usize = 100;

/// Code prefix of an account that delegates to a contract (EIP-7702); it does not count as a contract.
const DELEGATED: &str = "0xef0100";

/// A warning before paying; it does not block the send.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SendWarning")]
pub enum Warning {
    /// The address starts and ends like one that the account paid before, but differs.
    LookAlike,
    /// The name contains letters that look like others.
    NameLetters,
    /// The name has no address for this chain, only one for Ethereum.
    NameElsewhere,
    /// The receiver is a contract, which may not give the funds back.
    Contract,
    /// The account has not paid this address from this browser before.
    FirstSeen,
    /// The token's contract has other decimals than the list.
    DecimalsDiffer,
}

/// State of a name lookup.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Lookup {
    #[default]
    Unasked,
    Waiting,
    Nobody,
    Failed,
}

/// Receiver of a send: typed text and lookup results.
#[derive(Debug, Default)]
pub struct Receiver {
    /// Text as typed.
    pub text: String,
    /// Resolved address of the name, with its checksum.
    found: Option<String>,
    /// Resolved name as its server writes it.
    name: Option<String>,
    elsewhere: bool,
    lookup: Lookup,
    /// Name and avatar URL of the address.
    identity: (Option<String>, Option<String>),
    identified: bool,
    contract: Option<bool>,
}

impl Receiver {
    /// A newly typed receiver, without lookup results.
    pub fn typed(text: &str, facts: &Facts) -> Receiver {
        let text = text.trim();
        // Accepts the formats of QR codes and other pages, CAIP-10 and EIP-681, for the active chain only.
        let chain = facts.active_network.as_ref().map(|network| network.caip_network_id.to_string());
        let own = chain.and_then(|chain| text.strip_prefix(chain.as_str())?.strip_prefix(':'));
        let plain = own.or_else(|| text.strip_prefix("ethereum:")).filter(|address| is_evm(address));
        Receiver { text: crate::pay::typed::cut(plain.unwrap_or(text)), ..Receiver::default() }
    }

    /// Address that is paid: typed or resolved.
    pub fn address(&self) -> &str {
        self.found.as_deref().unwrap_or(&self.text)
    }

    /// Name to display: typed, or the one that the address has.
    pub fn shown_name(&self) -> Option<&String> {
        self.name.as_ref().or(self.identity.0.as_ref())
    }

    /// URL of the avatar.
    pub fn image(&self) -> Option<&String> {
        self.identity.1.as_ref()
    }

    /// Error of the receiver.
    pub fn fault(&self, account: &ActiveAccount, contract: Option<&str>, facts: &Facts) -> Option<ReceiverFault> {
        if self.found.is_none() && account.namespace == Namespace::Eip155 && is_name(&self.text) {
            return match self.lookup {
                _ if !is_there(&facts.options) => Some(ReceiverFault::NamesUnserved),
                Lookup::Nobody => Some(ReceiverFault::NameUnknown),
                Lookup::Failed => Some(ReceiverFault::NameFailed),
                Lookup::Unasked | Lookup::Waiting => Some(ReceiverFault::Resolving),
            };
        }
        let fault = address_fault(self.address(), account);
        let is_token = || contract.is_some_and(|contract| contract.eq_ignore_ascii_case(&with_prefix(self.address())));
        fault.or_else(|| is_token().then_some(ReceiverFault::TokenContract))
    }

    /// Requests missing details after the visitor stopped typing: address of a name, code and name of an address.
    pub fn look(&mut self, cx: &mut Cx) {
        let Some(network) = &cx.facts.active_network else { return };
        let chain = network.caip_network_id.clone();
        if chain.namespace() != Namespace::Eip155 {
            return;
        }
        let address = with_prefix(self.address());
        if is_evm(&address) {
            if self.contract.is_none() {
                let params = vec![Value::Text(address.clone()), "latest".into()];
                cx.call(&chain, eip155::CODE, params, Reason::Code(address.clone()));
            }
            // Test networks have no names (spec 4.40).
            if !network.testnet && !std::mem::replace(&mut self.identified, true) {
                let request = Request::get(["/v1/identity/", &encode(&address)].concat());
                cx.http(request, Reason::Identity(address));
            }
        } else if is_name(&self.text) && matches!(self.lookup, Lookup::Unasked | Lookup::Failed) {
            let mut request =
                Request::get(["/v1/profile/account/", &encode(&self.text)].concat()).with("apiVersion", "2");
            if let Some(coin) = coin_of(&chain) {
                request = request.with("coinType", &coin);
            }
            if cx.http(request, Reason::Name(self.text.clone())) {
                self.lookup = Lookup::Waiting;
            }
        }
    }

    /// Stores the resolved address of a name. Returns true if there is one.
    pub fn named(&mut self, text: &str, answer: Result<Value, RpcError>, cx: &mut Cx) -> bool {
        if text != self.text {
            return false;
        }
        self.lookup = match &answer {
            Err(error) if error.code == NOT_FOUND => Lookup::Nobody,
            Err(_) => Lookup::Failed,
            Ok(_) => Lookup::Nobody,
        };
        let record = answer.ok().and_then(|answer| cx.read::<NameRecord>(&answer));
        let Some(NameRecord { name, addresses, .. }) = record else { return false };
        let address = |coin: &str| addresses.get(coin).map(|of| &*of.address).filter(|address| is_evm(address));
        let here = cx.facts.active_network.as_ref().and_then(|network| coin_of(&network.caip_network_id));
        let own = here.as_deref().and_then(address);
        let Some(found) = own.or_else(|| address(ETHER)) else { return false };
        self.elsewhere = own.is_none() && here.as_deref() != Some(ETHER);
        // The server's spelling is used only if it is the typed name: a different name would mislead the visitor.
        let name = Some(clean(&name)).filter(|name| name.eq_ignore_ascii_case(&self.text));
        self.name = name.or_else(|| Some(self.text.clone()));
        self.found = Some(to_checksum(found));
        true
    }

    /// Stores name and avatar of the address.
    pub fn identified(&mut self, address: &str, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if let Some(Identity { name, avatar, .. }) = answer.ok().and_then(|answer| cx.read(&answer))
            && address.eq_ignore_ascii_case(&with_prefix(self.address()))
        {
            let name = name.as_deref().map(clean).filter(|name| !name.is_empty());
            self.identity = (name, avatar.and_then(|url| picture(&url, cx.facts)));
        }
    }

    /// Stores whether the address is a contract.
    pub fn coded(&mut self, address: &str, answer: Result<Value, RpcError>) {
        if let Some(code) = answer.ok().as_ref().and_then(Value::as_str)
            && address.eq_ignore_ascii_case(&with_prefix(self.address()))
        {
            let code = code.to_ascii_lowercase();
            self.contract = Some(code.len() > 2 && !code.starts_with(DELEGATED));
        }
    }

    /// Adds the checksum to a typed address for the preview.
    pub fn settle(&mut self) {
        if self.found.is_none() {
            self.text = to_checksum(&self.text);
        }
    }
}

/// Coin type of a chain in name records (ENSIP-11).
fn coin_of(chain: &ChainId) -> Option<String> {
    Some(coin_type(chain.number()?).ok()?.to_string())
}

/// Addresses that the account paid before on a chain.
#[derive(Debug, Default)]
pub struct KnownReceivers {
    of: Option<(ChainId, String)>,
    /// Paid from this browser. Only these are known: a server could name an address of its own as paid before.
    paid: Vec<String>,
    /// Paid as the server's history says. They only help to find addresses that look alike.
    told: Vec<String>,
    asked: bool,
    /// The storage was read.
    read: bool,
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
                to.into_iter().for_each(|to| add(&mut self.told, to));
            }
        }
    }

    /// Remembers the receiver of a payment, here and in storage.
    pub fn pays(&mut self, transfer: &Transfer, cx: &mut Cx) {
        if transfer.chain.namespace() != Namespace::Eip155 {
            return;
        }
        // The active account or chain may have changed.
        if self.of.as_ref().is_some_and(|(chain, of)| *chain == transfer.chain && *of == transfer.address) {
            add(&mut self.paid, &transfer.receiver);
        }
        let key =
            [&prefix(&transfer.chain, &transfer.address), transfer.receiver.to_ascii_lowercase().as_str()].concat();
        storage::keep(key, cx.now.to_string(), cx);
    }

    /// Reads the stored receivers of the account; stored values are untrusted. Invalid entries and the oldest above the limit are removed.
    pub fn kept(&mut self, under: &str, stored: &Value, cx: &mut Cx) {
        if self.of.as_ref().is_none_or(|(chain, of)| prefix(chain, of) != under) {
            return;
        }
        let read = |entry: &Value| {
            let to = entry.get("key").as_str()?.strip_prefix(under)?.to_owned();
            let at = entry.get("value").as_str().and_then(|text| text.parse::<u64>().ok());
            let sound = to.starts_with("0x") && is_evm(&to) && !to.bytes().any(|digit| digit.is_ascii_uppercase());
            // Clocks of tabs may differ, but not by a day.
            Some((at.filter(|at| sound && *at < cx.now + A_DAY), to))
        };
        self.read = true;
        let mut kept: Vec<_> = stored.as_list().unwrap_or_default().iter().filter_map(read).collect();
        kept.sort_by(|one, other| other.cmp(one));
        for (index, (at, to)) in kept.iter().enumerate() {
            if at.is_some() && index < MOST_KEPT {
                add(&mut self.paid, to);
            } else {
                let key = [under, to].concat();
                cx.order(Operation::RemoveStorage { area: StorageArea::Local, key });
            }
        }
    }

    fn knows(&self, address: &str) -> bool {
        self.paid.iter().any(|known| known.eq_ignore_ascii_case(address))
    }

    /// Receiver of an earlier payment that this address could be mistaken for: both look the same when shortened, here or in other wallets.
    fn look_alike(&self, address: &str) -> Option<&String> {
        let ends = |text: &str| (text.get(2..6).map(str::to_owned), text.get(38..).map(str::to_owned));
        let address = address.to_ascii_lowercase();
        let alike = |known: &&String| shorten(known) == shorten(&address) || ends(known) == ends(&address);
        self.paid.iter().chain(&self.told).filter(|known| **known != address).find(alike)
    }
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

impl Send {
    /// Warnings to read before paying, the worst first; and the known address that the receiver could be mistaken for.
    pub fn warnings(&self, facts: &Facts) -> (Vec<Warning>, Option<String>) {
        let mut warnings = Vec::new();
        let address = with_prefix(self.receiver.address());
        let judged = is_evm(&address);
        let own = || facts.accounts.iter().any(|account| account.address.eq_ignore_ascii_case(&address));
        let known = self.dealings.knows(&address);
        let alike = self.dealings.look_alike(&address).filter(|_| judged && !known).map(|alike| to_checksum(alike));
        let deceptive = |name: &str| is_name(name) && is_deceptive(name);
        let names = [Some(&self.receiver.text), self.receiver.name.as_ref(), self.receiver.identity.0.as_ref()];
        for (told, warning) in [
            (alike.is_some(), Warning::LookAlike),
            (names.into_iter().flatten().any(|name| deceptive(name)), Warning::NameLetters),
            (self.receiver.elsewhere, Warning::NameElsewhere),
            (judged && self.receiver.contract == Some(true), Warning::Contract),
            (judged && self.dealings.read && !known && alike.is_none() && !own(), Warning::FirstSeen),
            (self.asset.as_ref().is_some_and(super::asset::Asset::lies), Warning::DecimalsDiffer),
        ] {
            if told {
                warnings.push(warning);
            }
        }
        (warnings, alike)
    }
}
