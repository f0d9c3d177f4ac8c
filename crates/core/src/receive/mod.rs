//! Address and code for receiving funds.

mod feature;

use crate::facts::Facts;
use crate::modal::View as ModalView;
use crate::network::Networks;
use portico_json::Json;
use portico_qr::QrCode;
use portico_terms::Network;

/// Address, QR code and networks that the receive view shows.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "ReceiveView")]
pub struct View {
    /// Address of the account.
    pub address: String,
    /// QR code of the address alone, which every wallet and exchange can read.
    pub qr: Option<QrCode>,
    /// CAIP-2 ids of the networks on which the account has this address, the active one first; empty if that is not one of the host's.
    pub networks: Vec<String>,
}

/// QR code of the last shown address.
#[derive(Debug, Default)]
pub struct Receive {
    address: String,
    code: Option<QrCode>,
}

impl Receive {
    /// The account may be shown: creates the QR code, once per address.
    pub fn show(&mut self, facts: &Facts) {
        if let Some(account) =
            facts.account.as_ref().filter(|account| is_shown(facts) && account.address != self.address)
        {
            self.code = portico_qr::encode(&account.address);
            self.address = account.address.clone();
        }
    }

    /// Receive view; `None` while the account is not shown.
    pub fn view(&self, networks: &Networks, facts: &Facts) -> Option<View> {
        let account = facts.account.as_ref().filter(|_| is_shown(facts))?;
        let active = facts.active_network.as_deref().filter(|active| active.chain_namespace == account.namespace);
        // A contract has its address on one chain only. Test and main networks are separate, so that no real funds go to a test network.
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
    facts.view == Some(ModalView::WalletReceive)
}
