//! Start of a send: the visitor opens the form, or a host opens it filled in.

use super::asset::contract_on;
use super::receiver::Receiver;
use super::{Phase, Send};
use crate::CallFault;
use crate::analytics::{Name, Tracked};
use crate::connect::ConnectFault;
use crate::cx::Cx;
use crate::network::NetworkFault;
use crate::notice::{Message, Variant};
use crate::pay::tokens::Purse;
use crate::pay::typed::cut;
use crate::signal::Signal;
use portico_json::Value;
use portico_terms::{Namespace, Network};

impl Send {
    /// The form is opened; a host may fill it in (`open({ view: 'WalletSend', arguments })`).
    pub fn asked(&mut self, arguments: &Value, ticket: Option<u32>, purse: &Purse, cx: &mut Cx) {
        if self.phase == Phase::Confirming && arguments.is_null() {
            // The visitor returns while the wallet still asks.
            return cx.resolve_host(ticket, Value::Null);
        }
        if self.wallet_is_asked() {
            cx.say(Variant::Error, Message::MayStillSend);
        }
        self.reset(cx);
        if cx.facts.account.is_none() {
            return cx.reject_host(ticket, ConnectFault::NotConnected.into());
        }
        let Some(network) = &cx.facts.active_network else {
            return cx.reject_host(ticket, NetworkFault::CaipNetworkNotFound.into());
        };
        if arguments.is_null() {
            // The visitor fills in the form, so the host call does not wait for a hash.
            cx.resolve_host(ticket, Value::Null);
        } else {
            let namespace = arguments.get("namespace");
            let other = !namespace.is_null() && namespace.as_str() != Some(network.chain_namespace.word());
            if arguments.as_object().is_none() || other {
                return cx.reject_host(ticket, CallFault::InvalidArgument.into());
            }
            let wanted = arguments.get("chainId");
            let number = wanted.as_str().map(Into::into).or(wanted.as_u64().map(|number| number.to_string()));
            let is = |network: &Network, number: &String| {
                *number == network.id || *number == network.caip_network_id.to_string()
            };
            if let Some(number) = number.filter(|number| !is(network, number)) {
                let known = cx.facts.networks.iter().any(|network| is(network, &number));
                let error =
                    if known { ConnectFault::ChainMismatch.into() } else { NetworkFault::UnsupportedChain.into() };
                return cx.reject_host(ticket, error);
            }
            let asset = arguments.get("assetAddress");
            let contract = asset.as_str().and_then(|text| contract_on(text, &network.caip_network_id));
            let evm = network.chain_namespace == Namespace::Eip155;
            if !asset.is_null() && (contract.is_none() || !evm) {
                return cx.reject_host(ticket, CallFault::UnsupportedAsset.into());
            }
            if let Some(contract) = contract.filter(|contract| !contract.is_empty()) {
                self.choose(Some(&contract), purse, cx);
            }
            self.amount = match arguments.get("amount") {
                Value::Number(number) => cut(&portico_terms::amount::plain(number).unwrap_or_else(|| number.clone())),
                text => cut(text.as_str().unwrap_or_default()),
            };
            self.receiver = Receiver::typed(arguments.get("to").as_str().unwrap_or_default(), cx.facts);
            self.ticket = ticket;
        }
        cx.signal(Signal::Track(
            Tracked::new(Name::OpenSend)
                .with("network", network.caip_network_id.to_string())
                .flag("isSmartAccount", cx.facts.smart_account),
        ));
        self.opened(cx);
    }

    fn opened(&mut self, cx: &mut Cx) {
        self.fee.price = None;
        self.price(cx);
        self.dealings.ask(cx);
        self.receiver.look(cx);
        self.estimate(cx);
    }
}
