//! Receiver of a send: an address, or a name, and warnings about it. The chain says whose address a name is (`resolution.rs`); the host's
//! server only fills in the field early.

use super::form::{ReceiverFault, address_fault, is_name, with_prefix};
use super::resolution::{Resolution, Resolved};
use super::{Reason, Send};
use crate::cx::Cx;
use crate::facts::{ActiveAccount, Facts};
use crate::http::{Request, encode, is_there, picture};
use crate::pay::letters::{is_deceptive, is_raw};
use crate::shown::clean;
use crate::wallet::eip155;
use portico_api::identity::Identity;
use portico_api::name::NameRecord;
use portico_calldata::ens::{self, ETHER};
use portico_json::{Json, Value};
use portico_terms::address::{is_evm, to_checksum};
use portico_terms::coin_type::coin_type;
use portico_terms::rpc::RpcError;
use portico_terms::{ChainId, Namespace};

/// Age up to which the address of a name is used without another lookup, in milliseconds.
const FRESH: u64 = 60_000;

/// Server status code for an unregistered name.
const NOT_FOUND: i64 = 404;

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
    /// The token's contract has another symbol than the list.
    SymbolDiffers,
    /// The token's symbol belongs to another contract or to the coin, or imitates one.
    SymbolElsewhere,
    /// The network fee is far above those of the last blocks.
    FeeUnusual,
    /// The network's nodes answer for another network, or differ.
    NodesElsewhere,
}

/// State of a name lookup.
#[derive(Debug, Default)]
enum Lookup {
    #[default]
    Unasked,
    /// The server is asked for the normal form of a name that has other than ASCII characters.
    Normalizing,
    Resolving(Resolution),
    Done(Resolved),
}

impl Lookup {
    /// Whether to ask, or to ask again.
    fn is_due(&self) -> bool {
        use Resolved::{Disputed, Failed, Unproven};
        matches!(self, Lookup::Unasked | Lookup::Done(Failed | Disputed | Unproven))
    }
}

/// Name and avatar that the host's server gives an address. They are shown once the chain says that the name has this address: a pasted
/// address must not look like one that somebody knows by name.
#[derive(Debug)]
struct Claim {
    name: String,
    image: Option<String>,
    /// `None` once the name has the address.
    proof: Option<Resolution>,
}

/// Receiver of a send: typed text and lookup results.
#[derive(Debug, Default)]
pub struct Receiver {
    /// Text as typed.
    pub text: String,
    /// Address of the name as the host's server says, with its checksum. It is shown early and never paid.
    early: Option<String>,
    /// Name as its server writes it.
    name: Option<String>,
    lookup: Lookup,
    /// Time at which the name was resolved, in epoch milliseconds.
    since: u64,
    /// Name of the address as the host's server says.
    claim: Option<Claim>,
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
        // Keyboards add it to emoji; no name has it (ENSIP-15).
        let text = plain.unwrap_or(text).replace('\u{fe0f}', "");
        Receiver { text: crate::pay::typed::cut(&text), ..Receiver::default() }
    }

    /// Address that is paid: typed, or resolved on the chain.
    pub fn address(&self) -> &str {
        self.found().unwrap_or(&self.text)
    }

    /// Address to display: the one that is paid, or that of the host's server until the chain answers.
    pub fn shown_address(&self) -> &str {
        self.found().or(self.early.as_deref()).unwrap_or(&self.text)
    }

    fn found(&self) -> Option<&str> {
        match &self.lookup {
            Lookup::Done(Resolved::Address { address, .. }) => Some(address),
            _ => None,
        }
    }

    fn is_elsewhere(&self) -> bool {
        matches!(self.lookup, Lookup::Done(Resolved::Address { elsewhere: true, .. }))
    }

    /// Name to display: typed, or the one that the address has.
    pub fn shown_name(&self) -> Option<&String> {
        self.name.as_ref().or(self.proven().map(|claim| &claim.name))
    }

    /// URL of the avatar.
    pub fn image(&self) -> Option<&String> {
        self.proven()?.image.as_ref()
    }

    fn proven(&self) -> Option<&Claim> {
        self.claim.as_ref().filter(|claim| claim.proof.is_none())
    }

    /// Error of the receiver.
    pub fn fault(&self, account: &ActiveAccount, contract: Option<&str>, facts: &Facts) -> Option<ReceiverFault> {
        if account.namespace == Namespace::Eip155 && is_name(&self.text) {
            let fault = match &self.lookup {
                Lookup::Unasked | Lookup::Normalizing | Lookup::Resolving(_) => Some(ReceiverFault::Resolving),
                Lookup::Done(Resolved::Nobody) => Some(ReceiverFault::NameUnknown),
                Lookup::Done(Resolved::Failed) => Some(ReceiverFault::NameFailed),
                Lookup::Done(Resolved::Disputed) => Some(ReceiverFault::NameDisputed),
                Lookup::Done(Resolved::Unproven) => Some(ReceiverFault::NameUnproven),
                Lookup::Done(Resolved::Unserved) => Some(match is_there(&facts.options) {
                    true => ReceiverFault::NameUnproven,
                    false => ReceiverFault::NamesUnserved,
                }),
                Lookup::Done(Resolved::Address { .. }) => None,
            };
            if fault.is_some() {
                return fault;
            }
        }
        let fault = address_fault(self.address(), account);
        let is_token = || contract.is_some_and(|contract| contract.eq_ignore_ascii_case(&with_prefix(self.address())));
        fault.or_else(|| is_token().then_some(ReceiverFault::TokenContract))
    }

    /// Whether a name was resolved a while ago: its address may have changed meanwhile.
    pub fn is_stale(&self, now: u64) -> bool {
        self.found().is_some() && now.saturating_sub(self.since) > FRESH
    }

    /// Resolves a stale name anew; its address before stays on the screen until then.
    pub fn refresh(&mut self, now: u64) {
        if self.is_stale(now) {
            let early = self.found().map(String::from);
            let text = std::mem::take(&mut self.text);
            *self = Receiver { text, early, ..Receiver::default() };
        }
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
        } else if is_name(&self.text) && self.lookup.is_due() {
            let coin = coin_of(&chain);
            let mut request =
                Request::get(["/v1/profile/account/", &encode(&self.text)].concat()).with("apiVersion", "2");
            if let Some(coin) = coin {
                request = request.with("coinType", &coin.to_string());
            }
            let asked = cx.http(request, Reason::Name(self.text.clone()));
            self.lookup = match ens::normal(&self.text) {
                Some(normal) => self.resolution(&normal, cx),
                None if asked => Lookup::Normalizing,
                None => Lookup::Done(Resolved::Unserved),
            };
        }
    }

    fn resolution(&self, normal: &str, cx: &mut Cx) -> Lookup {
        let chain = cx.facts.active_network.as_ref().map(|network| network.caip_network_id.clone());
        match Resolution::start(normal, chain.as_ref().and_then(coin_of), &self.text, cx) {
            Some(resolution) => Lookup::Resolving(resolution),
            None => Lookup::Done(Resolved::Nobody),
        }
    }

    /// Stores what the host's server says of a name: its address, which is shown until the chain answers, and its normal form.
    pub fn named(&mut self, text: &str, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if text != self.text {
            return;
        }
        let missing = answer.as_ref().is_err_and(|error| error.code == NOT_FOUND);
        let record = answer.ok().and_then(|answer| cx.read::<NameRecord>(&answer));
        let told = record.as_ref().map(|record| clean(&record.name));
        if matches!(self.lookup, Lookup::Normalizing) {
            // The server may only confirm a name as it was typed: another one could be somebody else's.
            self.lookup = match &told {
                Some(name) if name == text && !is_raw(text) => self.resolution(text, cx),
                Some(_) => Lookup::Done(Resolved::Nobody),
                None if missing => Lookup::Done(Resolved::Nobody),
                None => Lookup::Done(Resolved::Failed),
            };
        }
        let Some(NameRecord { addresses, .. }) = record else { return };
        let address = |coin: u64| addresses.get(&coin.to_string()).map(|of| &*of.address).filter(|at| is_evm(at));
        let here = cx.facts.active_network.as_ref().and_then(|network| coin_of(&network.caip_network_id));
        // The chain may have answered first.
        if matches!(self.lookup, Lookup::Resolving(_)) {
            self.early = here.and_then(address).or_else(|| address(ETHER)).map(to_checksum);
        }
        self.name = told.filter(|name| name.eq_ignore_ascii_case(text)).or_else(|| Some(text.into()));
    }

    /// Takes an answer of the contract. Returns true if the name has an address.
    pub fn resolved(&mut self, text: &str, step: u32, answer: Result<Value, RpcError>, cx: &mut Cx) -> bool {
        if let Some(proof) = self.proof_of(text) {
            let resolved = proof.answered(step, answer, text, cx);
            self.prove(resolved);
        } else if let Lookup::Resolving(resolution) = &mut self.lookup
            && text == self.text
            && let Some(resolved) = resolution.answered(step, answer, text, cx)
        {
            self.end(resolved, cx.now);
        }
        self.found().is_some()
    }

    /// Takes the answer of a gateway.
    pub fn fetched(&mut self, text: &str, step: u32, query: usize, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if let Some(proof) = self.proof_of(text) {
            let resolved = proof.fetched(step, query, answer, text, cx);
            self.prove(resolved);
        } else if let Lookup::Resolving(resolution) = &mut self.lookup
            && text == self.text
            && let Some(resolved) = resolution.fetched(step, query, answer, text, cx)
        {
            self.end(resolved, cx.now);
        }
    }

    fn end(&mut self, resolved: Resolved, now: u64) {
        self.early = None;
        self.since = now;
        if matches!(resolved, Resolved::Address { .. }) {
            self.name = self.name.take().or_else(|| ens::normal(&self.text));
        }
        self.lookup = Lookup::Done(resolved);
    }

    /// Takes name and avatar that the host's server gives the address, and asks the chain whose the name is.
    pub fn identified(&mut self, address: &str, answer: Result<Value, RpcError>, cx: &mut Cx) {
        if !address.eq_ignore_ascii_case(&with_prefix(self.address())) {
            return;
        }
        self.identified = answer.as_ref().map_or_else(|error| error.code == NOT_FOUND, |_| true);
        let Some(Identity { name: Some(name), avatar, .. }) = answer.ok().and_then(|answer| cx.read(&answer)) else {
            return;
        };
        let Some(normal) = ens::normal(&name) else { return };
        let image = avatar.and_then(|url| picture(&url, cx.facts));
        let proof = match is_name(&self.text) {
            // The typed name was just resolved to this address; any other name of it is not what the visitor typed.
            true if normal.eq_ignore_ascii_case(&self.text) => None,
            true => return,
            false => {
                let here = cx.facts.active_network.as_ref().and_then(|network| coin_of(&network.caip_network_id));
                match Resolution::start(&normal, here, &normal, cx) {
                    Some(proof) => Some(proof.without_gateways()),
                    None => return,
                }
            }
        };
        self.claim = Some(Claim { name: normal, image, proof });
    }

    /// Resolution of the name that the server gave the address.
    fn proof_of(&mut self, name: &str) -> Option<&mut Resolution> {
        self.claim.as_mut().filter(|claim| claim.name == name)?.proof.as_mut()
    }

    fn prove(&mut self, resolved: Option<Resolved>) {
        let Some(resolved) = resolved else { return };
        let address = with_prefix(&self.text);
        let same = matches!(&resolved, Resolved::Address { address: told, .. } if told.eq_ignore_ascii_case(&address));
        match &mut self.claim {
            Some(claim) if same => claim.proof = None,
            claim => {
                *claim = None;
                self.identified = resolved != Resolved::Failed;
            }
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
        if self.found().is_none() {
            self.text = to_checksum(&self.text);
        }
    }
}

/// Coin type of a chain in name records (ENSIP-11).
fn coin_of(chain: &ChainId) -> Option<u64> {
    coin_type(chain.number()?).ok()
}

impl Send {
    /// Warnings to read before paying, the worst first; and the known address that the receiver could be mistaken for.
    pub fn warnings(&self, refused: bool, facts: &Facts) -> (Vec<Warning>, Option<String>) {
        let mut warnings = Vec::new();
        let address = with_prefix(self.receiver.address());
        // A refused receiver is not paid: its error stands alone, but for letters that deceive, which may be why.
        let judged = !refused && is_evm(&address);
        let own = || facts.accounts.iter().any(|account| account.address.eq_ignore_ascii_case(&address));
        let known = self.dealings.knows(&address);
        let alike = self.dealings.look_alike(&address).filter(|_| judged && !known).map(|alike| to_checksum(alike));
        let deceptive = |name: &str| is_name(name) && is_deceptive(name);
        let names = [Some(&self.receiver.text), self.receiver.name.as_ref()];
        for (told, warning) in [
            (alike.is_some(), Warning::LookAlike),
            (names.into_iter().flatten().any(|name| deceptive(name)), Warning::NameLetters),
            (!refused && self.receiver.is_elsewhere(), Warning::NameElsewhere),
            (judged && self.receiver.contract == Some(true), Warning::Contract),
            (judged && self.dealings.is_read() && !known && alike.is_none() && !own(), Warning::FirstSeen),
            (self.asset.as_ref().is_some_and(super::asset::Asset::lies), Warning::DecimalsDiffer),
            (self.asset.as_ref().is_some_and(|asset| asset.own_symbol.is_some()), Warning::SymbolDiffers),
            (self.asset.as_ref().is_some_and(|asset| asset.misnamed), Warning::SymbolElsewhere),
            (self.fee.is_unusual(), Warning::FeeUnusual),
            (self.fee.is_elsewhere(), Warning::NodesElsewhere),
        ] {
            if told {
                warnings.push(warning);
            }
        }
        (warnings, alike)
    }
}
