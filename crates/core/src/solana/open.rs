//! Start of a payment: the visitor opens the form, or a host opens it filled in.

use super::{Reason, Solana, network};
use crate::CallFault;
use crate::analytics::{Name, Tracked};
use crate::connect::ConnectFault;
use crate::cx::Cx;
use crate::effect::Operation;
use crate::network::NetworkFault;
use crate::pay::paid::PaidReceivers;
use crate::pay::tokens::Purse;
use crate::pay::typed::cut;
use crate::signal::Signal;
use portico_calldata::solana::key;
use portico_json::Value;
use portico_terms::{ChainId, Network};

/// Address of the coin in hosts' calls and in the list of tokens.
const COIN: &str = "native";

impl Solana {
    /// The form is opened; a host may fill it in (`open({ view: 'WalletSend', arguments })`).
    pub fn asked(&mut self, arguments: &Value, ticket: Option<u32>, purse: &Purse, cx: &mut Cx) {
        self.reset(cx);
        if cx.facts.account.is_none() {
            return cx.reject_host(ticket, ConnectFault::NotConnected.into());
        }
        let Some(network) = network(cx.facts).cloned() else {
            return cx.reject_host(ticket, NetworkFault::CaipNetworkNotFound.into());
        };
        if arguments.is_null() {
            // The visitor fills in the form, so the host call does not wait for a signature.
            cx.resolve_host(ticket, Value::Null);
        } else if let Err(error) = self.fill(arguments, &network, purse, cx) {
            return cx.reject_host(ticket, error);
        } else {
            self.ticket = ticket;
        }
        cx.signal(Signal::Track(Tracked::new(Name::OpenSend).with("network", network.caip_network_id.to_string())));
        self.read_paid(network.caip_network_id.clone(), cx);
        self.look(cx);
    }

    fn read_paid(&mut self, chain: ChainId, cx: &mut Cx) {
        let Some(account) = &cx.facts.account else { return };
        let of = (chain, account.address.clone());
        if self.paid.owner() != Some(&of) {
            self.paid = PaidReceivers::of(of.0, of.1);
        }
        if let Some(prefix) = self.paid.prefix() {
            cx.ask(Operation::ReadStorage { prefix: prefix.clone() }, Reason::Paid(prefix));
        }
    }

    fn fill(
        &mut self,
        arguments: &Value,
        network: &Network,
        purse: &Purse,
        cx: &mut Cx,
    ) -> Result<(), crate::effect::HostError> {
        let namespace = arguments.get("namespace");
        let other = !namespace.is_null() && namespace.as_str() != Some(network.chain_namespace.word());
        if arguments.as_object().is_none() || other {
            return Err(CallFault::InvalidArgument.into());
        }
        let wanted = arguments.get("chainId");
        let is = |network: &Network| wanted.as_str().is_some_and(|id| network.is_named(id));
        if !wanted.is_null() && !is(network) {
            let known = cx.facts.networks.iter().any(|network| is(network));
            return Err(if known { ConnectFault::ChainMismatch.into() } else { NetworkFault::UnsupportedChain.into() });
        }
        let asset = arguments.get("assetAddress");
        let mint = match (asset.is_null(), asset.as_str().and_then(|text| mint_on(text, network))) {
            (true, _) => None,
            (false, Some(mint)) => Some(mint).filter(|mint| !mint.is_empty()),
            (false, None) => return Err(CallFault::UnsupportedAsset.into()),
        };
        self.choose(mint.as_deref(), purse, cx);
        self.amount = match arguments.get("amount") {
            Value::Number(number) => cut(&portico_terms::amount::plain(number).unwrap_or_else(|| number.clone())),
            text => cut(text.as_str().unwrap_or_default()),
        };
        self.receiver = cut(arguments.get("to").as_str().unwrap_or_default());
        Ok(())
    }
}

/// Address of the mint in a host's text: CAIP-10 or the address alone; empty for the coin. `None` if it is no token of this chain.
fn mint_on(text: &str, network: &Network) -> Option<String> {
    let address = match text.rsplit_once(':') {
        Some((other, address)) => Some(address).filter(|_| network.is_named(other))?,
        None => text,
    };
    if address == COIN || address.eq_ignore_ascii_case(portico_api::swap::COIN) {
        return Some(String::new());
    }
    key(address).map(|_| address.into())
}
