//! What somebody needs to send something to the account.

use crate::facts::Facts;
use crate::network::Networks;
use portico_json::Json;
use portico_qr::QrCode;
use portico_terms::Network;

/// What views read.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "ReceiveView")]
pub struct View {
    /// The address alone.
    pub address: String,
    /// It as a code, without anything beside it: every wallet and every exchange can read that.
    pub qr: Option<QrCode>,
    /// The networks on which it is the account's, CAIP-2, the one in use first; none where that is not one of the host's.
    pub networks: Vec<String>,
}

/// The code of the address that was looked at last.
#[derive(Debug, Default)]
pub struct Receive {
    address: String,
    code: Option<QrCode>,
}

impl Receive {
    /// The account may be looked at: the code is made once for each address.
    pub fn show(&mut self, facts: &Facts) {
        if let Some(account) =
            facts.account.as_ref().filter(|account| is_shown(facts) && account.address != self.address)
        {
            self.code = portico_qr::encode(&account.address);
            self.address = account.address.clone();
        }
    }

    /// What views read; `None` where nobody looks.
    pub fn view(&self, networks: &Networks, facts: &Facts) -> Option<View> {
        let account = facts.account.as_ref().filter(|_| is_shown(facts))?;
        let active = facts.active_network.as_deref().filter(|active| active.chain_namespace == account.namespace);
        // A contract is at its address on one chain alone; a test network is no place for what is worth something, nor the other way.
        let alike = |network: &&Network| {
            let own = active.is_some_and(|active| active.caip_network_id == network.caip_network_id);
            let other = !facts.smart_account
                && network.chain_namespace == account.namespace
                && active.is_some_and(|active| active.testnet == network.testnet)
                && networks.is_approved(&network.caip_network_id);
            !own && other
        };
        let others = facts.networks.iter().map(|network| &**network).filter(alike);
        let all = active.into_iter().chain(active.map(|_| others).into_iter().flatten());
        Some(View {
            address: account.address.clone(),
            qr: self.code.clone().filter(|_| self.address == account.address),
            networks: all.map(|network| network.caip_network_id.to_string()).collect(),
        })
    }
}

fn is_shown(facts: &Facts) -> bool {
    facts.view == "WalletReceive"
}
