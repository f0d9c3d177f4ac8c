//! Fee of a send, and the maximum amount after the fee.

use super::{Reason, Send};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::pay::gas::data_fee_params;
use crate::wallet::eip155;
use portico_json::Value;
use portico_terms::{Amount, Namespace};

impl Send {
    pub(super) fn price(&mut self, cx: &mut Cx) {
        if let Some(network) = &cx.facts.active_network {
            let chain = network.caip_network_id.clone();
            cx.call_lower(&chain, eip155::GAS_PRICE, Reason::GasPrice(chain.clone()));
            cx.call_lower(&chain, eip155::PRIORITY_FEE, Reason::GasPriority(chain.clone()));
            if let Some(params) = data_fee_params(&chain) {
                cx.call(&chain, eip155::CALL, params, Reason::DataFee(chain.clone()));
            }
        }
    }

    /// Requests a gas estimate: a plain transfer takes 21,000 gas, but a contract as receiver or a token may take more.
    pub(super) fn estimate(&mut self, cx: &mut Cx) {
        let (Some(network), Some(account)) = (&cx.facts.active_network, &cx.facts.account) else { return };
        if self.fee.price.is_none() {
            self.price(cx);
        }
        if account.namespace != Namespace::Eip155 || self.receiver_fault(cx.facts).is_some() {
            return;
        }
        let chain = network.caip_network_id.clone();
        let amount = self.units(cx.facts);
        let held = self.asset.as_ref().map(|asset| asset.balance.unwrap_or_default());
        let transfer = match (amount, held) {
            // An amount above the balance would revert, which says nothing about the token.
            (Some(amount), Some(held)) if amount <= held => self.transfer(&account.address, amount),
            (_, Some(_)) => return,
            // A contract may take more gas with a value than without.
            (amount, None) => self.transfer(&account.address, amount.unwrap_or(Amount::from(1u32))),
        };
        let transfer = Value::Object(transfer);
        cx.call(&chain, eip155::ESTIMATE_GAS, vec![transfer.clone()], Reason::GasLimit(self.attempts));
        if self.asset.is_some() {
            cx.call(&chain, eip155::CALL, vec![transfer, "latest".into()], Reason::Trial(self.attempts));
        }
    }

    /// Fills in the maximum: the balance minus the fee; for a token, whose fee is paid in the coin, the whole balance.
    pub(super) fn fit(&mut self, facts: &Facts) {
        let Some(balance) = self.all else { return };
        if let Some(asset) = &self.asset {
            self.amount = balance.to_units(asset.decimals.unwrap_or_default());
        } else if let Some(network) = &facts.active_network {
            let fee = self.fee.kept().unwrap_or(Amount::ZERO);
            self.amount = balance.minus(fee).unwrap_or(Amount::ZERO).to_units(network.native_currency.decimals);
        }
    }
}
