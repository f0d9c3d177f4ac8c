//! Who gets it: an address, or a name that the host's server knows (ENS, or one of its own), and what is to be known before paying.

use super::flight::{OLDEST, Signing};
use super::form::{ReceiverFault, address_fault, is_name, with_prefix};
use super::letters::is_deceptive;
use super::{Reason, Send};
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::{ActiveAccount, Facts};
use crate::http::{Request, encode, is_there, picture};
use crate::shown::clean;
use crate::storage::{self, keys};
use portico_json::{Json, Value};
use portico_terms::address::{is_evm, shorten, to_checksum};
use portico_terms::coin_type::coin_type;
use portico_terms::rpc::RpcError;
use portico_terms::{ChainId, Namespace};

/// Ether, in SLIP-44: where a name leads that says nothing of a chain.
const ETHER: &str = "60";

/// A server says so that nobody has a name.
const NOT_FOUND: i64 = 404;

/// So many addresses are known that the account paid before.
const MOST_KNOWN: usize = 500;

/// So many of them are kept for pages to come.
const MOST_KEPT: usize = 100;

/// The code of an account that lets a contract act for it (EIP-7702): no contract of its own.
const DELEGATED: &str = "0xef0100";

/// Something to look at before paying. It forbids nothing.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "SendWarning")]
pub enum Warning {
    /// It begins and ends as an address that the account paid before, and is another one.
    LookAlike,
    /// The name is written in letters that look like others.
    NameLetters,
    /// The name does not say where it leads on this chain, but on Ethereum.
    NameElsewhere,
    /// It is a contract, which may keep what it gets.
    Contract,
    /// The account has not paid it before, as far as is known.
    FirstSeen,
    /// The token's contract counts in another unit than the list says.
    DecimalsDiffer,
}

/// How a name stands.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Lookup {
    #[default]
    Unasked,
    Waiting,
    Nobody,
    Failed,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Receiver {
    /// As typed.
    pub text: String,
    /// Where the name that was typed leads, with its checksum.
    found: Option<String>,
    /// That name, as its server writes it.
    name: Option<String>,
    elsewhere: bool,
    lookup: Lookup,
    /// The name that the address has, and the picture.
    identity: (Option<String>, Option<String>),
    identified: bool,
    contract: Option<bool>,
}

impl Receiver {
    /// Something else was typed.
    pub fn typed(text: &str, facts: &Facts) -> Receiver {
        let text = text.trim();
        // As codes and other pages write addresses: CAIP-10 and EIP-681, of this very chain.
        let chain = facts.active_network.as_ref().map(|network| network.caip_network_id.to_string());
        let own = chain.and_then(|chain| text.strip_prefix(chain.as_str())?.strip_prefix(':'));
        let plain = own.or_else(|| text.strip_prefix("ethereum:")).filter(|address| is_evm(address));
        Receiver { text: crate::pay::typed::cut(plain.unwrap_or(text)), ..Receiver::default() }
    }

    /// The address that is paid: typed, or found.
    pub fn address(&self) -> &str {
        self.found.as_deref().unwrap_or(&self.text)
    }

    /// The name, typed or told.
    pub fn shown_name(&self) -> Option<&String> {
        self.name.as_ref().or(self.identity.0.as_ref())
    }

    /// The picture.
    pub fn image(&self) -> Option<&String> {
        self.identity.1.as_ref()
    }

    /// What is wrong with it.
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

    /// Typing rests: what is not known of it is asked.
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
                cx.call(&chain, "eth_getCode", params, Reason::Code(address.clone()));
            }
            // Nobody has a name on a network for tests (spec 4.40).
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

    /// Where a name leads. True where it leads anywhere.
    pub fn named(&mut self, text: &str, answer: Result<Value, RpcError>, facts: &Facts) -> bool {
        if text != self.text {
            return false;
        }
        self.lookup = match &answer {
            Err(error) if error.code == NOT_FOUND => Lookup::Nobody,
            Err(_) => Lookup::Failed,
            Ok(_) => Lookup::Nobody,
        };
        let Ok(answer) = answer else { return false };
        // Servers answer with the name, or a list of it.
        let record = answer.as_list().map_or(Some(&answer), |list| list.first());
        let addresses = record.map(|record| record.get("addresses")).unwrap_or(&Value::Null);
        let address = |coin: &str| addresses.get(coin).get("address").as_str().filter(|address| is_evm(address));
        let here = facts.active_network.as_ref().and_then(|network| coin_of(&network.caip_network_id));
        let own = here.as_deref().and_then(address);
        let Some(found) = own.or_else(|| address(ETHER)) else { return false };
        let name = record.and_then(|record| record.get("name").as_str()).map(clean);
        self.elsewhere = own.is_none() && here.as_deref() != Some(ETHER);
        // As its server writes it, where that is what was typed: whoever is shown another name reads that one.
        self.name = name.filter(|name| name.eq_ignore_ascii_case(&self.text)).or_else(|| Some(self.text.clone()));
        self.found = Some(to_checksum(found));
        true
    }

    /// Who the address says it is.
    pub fn identified(&mut self, address: &str, answer: Result<Value, RpcError>, facts: &Facts) {
        if let Ok(answer) = answer
            && address.eq_ignore_ascii_case(&with_prefix(self.address()))
        {
            let name = answer.get("name").as_str().map(clean).filter(|name| !name.is_empty());
            self.identity = (name, picture(answer.get("avatar"), facts));
        }
    }

    /// Whether it has code.
    pub fn coded(&mut self, address: &str, answer: Result<Value, RpcError>) {
        if let Some(code) = answer.ok().as_ref().and_then(Value::as_str)
            && address.eq_ignore_ascii_case(&with_prefix(self.address()))
        {
            let code = code.to_ascii_lowercase();
            self.contract = Some(code.len() > 2 && !code.starts_with(DELEGATED));
        }
    }

    /// From the review on: as people compare it.
    pub fn settle(&mut self) {
        if self.found.is_none() {
            self.text = to_checksum(&self.text);
        }
    }
}

/// The coin type under which a name tells its address on a chain (ENSIP-11).
fn coin_of(chain: &ChainId) -> Option<String> {
    Some(coin_type(chain.number()?).ok()?.to_string())
}

/// The addresses that the account has paid before on a chain: as the server tells its past, and as this browser kept it.
#[derive(Debug, Default)]
pub struct Dealings {
    of: Option<(ChainId, String)>,
    paid: Vec<String>,
    asked: bool,
    read: bool,
}

impl Dealings {
    /// The form is shown: the account's past is asked for, until it was told.
    pub fn ask(&mut self, cx: &mut Cx) {
        let (Some(network), Some(account)) = (&cx.facts.active_network, &cx.facts.account) else { return };
        let of = (network.caip_network_id.clone(), account.address.clone());
        if self.of.as_ref() != Some(&of) {
            *self = Dealings { of: Some(of.clone()), ..Dealings::default() };
        }
        if of.0.namespace() != Namespace::Eip155 {
            return;
        }
        // Each time: another tab may have paid somebody.
        let prefix = prefix(&of.0, &of.1);
        cx.ask(Operation::ReadStorage { prefix: prefix.clone() }, Reason::Paid(prefix));
        if std::mem::replace(&mut self.asked, true) {
            return;
        }
        // A host that shows no past wants it read by nobody.
        if cx.facts.options.features.history {
            let path = ["/v1/account/", &encode(&of.1), "/history"].concat();
            cx.http(Request::get(path).with("chainId", &of.0.to_string()), Reason::Past(of.1));
        }
    }

    /// The latest page of the account's past. Who got something in what the account itself signed to send is known by it. Of what others
    /// sent nobody is: whoever wants to be mistaken for somebody sends something first, or has a token tell that the account sent them
    /// some, or nothing.
    pub fn told(&mut self, address: &str, answer: Result<Value, RpcError>) {
        if self.of.as_ref().is_none_or(|(_, of)| of != address) {
            return;
        }
        let answer = answer.unwrap_or_default();
        let items = answer.get("data").as_list();
        self.read = items.is_some();
        self.asked = self.read;
        for item in items.unwrap_or_default() {
            let metadata = item.get("metadata");
            let says = |name: &str, word: &str| {
                metadata.get(name).as_str().is_some_and(|said| said.eq_ignore_ascii_case(word))
            };
            if !says("sentFrom", address) || !says("operationType", "send") || says("status", "failed") {
                continue;
            }
            for transfer in item.get("transfers").as_list().unwrap_or_default() {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                let (to, amount) = (text(transfer.get("recipient")), text(transfer.get("quantity").get("numeric")));
                let some = amount.bytes().any(|digit| matches!(digit, b'1'..=b'9'));
                if some && transfer.get("direction").as_str() == Some("out") && is_evm(&to) {
                    self.paid(&to);
                }
            }
        }
    }

    /// The account pays somebody, and pages to come know it.
    pub fn pays(&mut self, signing: &Signing, cx: &mut Cx) {
        if signing.chain.namespace() != Namespace::Eip155 {
            return;
        }
        // It may be another account by now, or another chain.
        if self.of.as_ref().is_some_and(|(chain, of)| *chain == signing.chain && *of == signing.address) {
            self.paid(&signing.receiver);
        }
        let key = [&prefix(&signing.chain, &signing.address), signing.receiver.to_ascii_lowercase().as_str()].concat();
        storage::keep(key, cx.now.to_string(), cx);
    }

    /// Whom the account paid from this browser, and when: stored values are hostile. The oldest are too many, and nonsense is removed.
    pub fn kept(&mut self, under: &str, stored: &Value, cx: &mut Cx) {
        if self.of.as_ref().is_none_or(|(chain, of)| prefix(chain, of) != under) {
            return;
        }
        let read = |entry: &Value| {
            let to = entry.get("key").as_str()?.strip_prefix(under)?.to_owned();
            let at = entry.get("value").as_str().and_then(|text| text.parse::<u64>().ok());
            let sound = to.starts_with("0x") && is_evm(&to) && !to.bytes().any(|digit| digit.is_ascii_uppercase());
            // The clocks of tabs differ, but not by so much.
            Some((at.filter(|at| sound && *at < cx.now + OLDEST), to))
        };
        let mut kept: Vec<_> = stored.as_list().unwrap_or_default().iter().filter_map(read).collect();
        kept.sort_by(|one, other| other.cmp(one));
        for (index, (at, to)) in kept.iter().enumerate() {
            if at.is_some() && index < MOST_KEPT {
                self.paid(to);
            } else {
                let key = [under, to].concat();
                cx.order(Operation::RemoveStorage { area: StorageArea::Local, key });
            }
        }
    }

    /// The account paid it.
    fn paid(&mut self, to: &str) {
        let to = to.to_ascii_lowercase();
        if !self.paid.contains(&to) && self.paid.len() < MOST_KNOWN {
            self.paid.push(to);
        }
    }

    fn knows(&self, address: &str) -> bool {
        self.paid.iter().any(|known| known.eq_ignore_ascii_case(address))
    }

    /// The address that was paid before for which this one may be taken: it is drawn the same, here or in other wallets.
    fn look_alike(&self, address: &str) -> Option<&String> {
        let ends = |text: &str| (text.get(2..6).map(str::to_owned), text.get(38..).map(str::to_owned));
        let address = address.to_ascii_lowercase();
        let alike = |known: &&String| shorten(known) == shorten(&address) || ends(known) == ends(&address);
        self.paid.iter().filter(|known| **known != address).find(alike)
    }
}

/// Under which keys it is kept whom an account paid.
fn prefix(chain: &ChainId, address: &str) -> String {
    [keys::PAID, &chain.to_string(), ":", &address.to_ascii_lowercase(), "/"].concat()
}

impl Send {
    /// What is to be looked at before paying, the worst first; and the address for which the receiver may be taken.
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
