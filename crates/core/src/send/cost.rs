//! Fee of a send, and the maximum amount after the fee.

use super::{Reason, Send};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::pay::erc20;
use crate::pay::gas::{data_fee_params, history_params};
use crate::rpc::DISAGREED;
use crate::wallet::eip155;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, Namespace};

impl Send {
    pub(super) fn price(&mut self, cx: &mut Cx) {
        if let Some(network) = &cx.facts.active_network {
            let chain = network.caip_network_id.clone();
            cx.call_agreed(&chain, eip155::CHAIN, Vec::new(), Reason::Chain(chain.clone()));
            cx.call_lower(&chain, eip155::GAS_PRICE, Reason::GasPrice(chain.clone()));
            cx.call_lower(&chain, eip155::PRIORITY_FEE, Reason::GasPriority(chain.clone()));
            cx.call_elsewhere(&chain, eip155::FEE_HISTORY, history_params(), Reason::FeeHistory(chain.clone()));
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

    /// Requests the balance for "max" from two nodes: one that makes it up could lower or raise what is sent.
    pub(super) fn ask_whole(&self, cx: &mut Cx) {
        let (Some(network), Some(account)) = (&cx.facts.active_network, &cx.facts.account) else { return };
        if account.namespace != Namespace::Eip155 {
            return;
        }
        let reason = Reason::Whole(self.asset.as_ref().map(|asset| asset.number));
        let (method, params) = match &self.asset {
            None => (eip155::BALANCE, vec![Value::Text(account.address.clone()), "latest".into()]),
            Some(asset) => (eip155::CALL, erc20::params(&asset.contract, erc20::balance_of(&account.address))),
        };
        cx.call_agreed(&network.caip_network_id, method, params, reason);
    }

    pub(super) fn on_whole(&mut self, asset: Option<u32>, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Some(all) = self.all.filter(|_| self.asset.as_ref().map(|asset| asset.number) == asset) else { return };
        if answer.as_ref().is_err_and(|error| error.code == DISAGREED) {
            self.amount.clear();
            (self.all, self.disputed) = (None, true);
        } else if let Some(told) = erc20::number(answer).filter(|told| *told != all) {
            self.all = Some(told);
            if let Some(asset) = &mut self.asset {
                asset.balance = Some(told);
            }
            self.fit(cx.facts);
            self.estimate(cx);
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
