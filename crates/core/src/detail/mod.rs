//! Details of one token, NFT or transaction of the account. The lists have the data of the row; here is which row is open, and what only its
//! details show: the whole contract, its page on the explorer, and the network.

mod feature;

use crate::cx::Cx;
use crate::facts::Facts;
use crate::modal::View as ModalView;
use crate::part::Part;
use crate::signal::Signal;
use portico_json::{Json, Value};
use portico_terms::address::to_checksum;
use portico_terms::{ChainId, Namespace, Network};

/// Detail: events of the visitor.
#[derive(Clone, Debug, Json)]
#[json(name = "DetailEvent")]
pub enum Event {
    /// The visitor opened a token of the account.
    TokenAsked {
        /// CAIP-10 id of the contract; `null` for the chain's own coin.
        address: Option<String>,
    },
    /// The visitor opened an NFT.
    NftAsked {
        /// Id in the list: CAIP-10 id of the contract, "/", token id.
        id: String,
    },
    /// The visitor opened a transaction.
    TransactionAsked {
        /// Id in the list.
        id: String,
    },
    /// The visitor wants to send the shown token.
    SendAsked,
    /// The visitor wants to swap the shown token.
    SwapAsked,
}

/// Kind of the open row.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Token,
    Nft,
    Transaction,
}

/// State of the detail feature: the open row.
#[derive(Debug, Default)]
pub struct Detail {
    open: Option<(Kind, String)>,
}

/// Details for views, beside those of the row.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "DetailView")]
pub struct View {
    /// Id of the row in its list; empty for the chain's own coin.
    pub id: String,
    /// Address of the contract, with its checksum; `null` for the coin and for a transaction.
    pub contract: Option<String>,
    /// Token id of an NFT.
    pub token_id: Option<String>,
    /// URL of the contract on the explorer.
    pub url: Option<String>,
    /// Name of the network.
    pub network: Option<String>,
}

impl Detail {
    /// Dispatches one event.
    #[inline(never)]
    pub fn update(&mut self, event: Event, cx: &mut Cx) {
        let (kind, id, view) = match event {
            Event::TokenAsked { address } => (Kind::Token, address.unwrap_or_default(), ModalView::TokenDetails),
            Event::NftAsked { id } => (Kind::Nft, id, ModalView::NftDetails),
            Event::TransactionAsked { id } => (Kind::Transaction, id, ModalView::TransactionDetails),
            Event::SendAsked => {
                let part = match cx.facts.active_namespace {
                    Some(Namespace::Solana) => Part::Solana,
                    Some(Namespace::Bip122) => Part::Bitcoin,
                    _ => Part::Send,
                };
                return self.pay(part, "assetAddress", cx);
            }
            Event::SwapAsked => return self.pay(Part::Swap, "fromToken", cx),
        };
        self.open = Some((kind, id));
        cx.signal(Signal::DetailAsked(view));
    }

    /// Opens a form with the shown token.
    fn pay(&self, part: Part, argument: &str, cx: &mut Cx) {
        let Some((Kind::Token, id)) = &self.open else { return };
        let token = if id.is_empty() { portico_api::swap::COIN } else { id };
        let arguments = Value::Object(vec![(argument.into(), Value::Text(token.into()))]);
        cx.signal(Signal::TokenFormAsked { part, arguments });
    }

    /// The account or network changed: the row is not in the list any more.
    pub fn close(&mut self) {
        self.open = None;
    }

    /// Details for views; `None` if no row is open.
    pub fn view(&self, facts: &Facts) -> Option<View> {
        let (kind, id) = self.open.as_ref()?;
        let network = facts.active_network.as_deref();
        let of_nft = id.split_once('/').filter(|_| *kind == Kind::Nft);
        let whole = of_nft.map_or(id.as_str(), |(contract, _)| contract);
        let contract = network.filter(|_| *kind != Kind::Transaction).and_then(|network| contract_of(whole, network));
        let page = |contract: &String| network?.explorer_page("/token/", contract);
        Some(View {
            url: contract.as_ref().and_then(page),
            token_id: of_nft.map(|(_, token)| token.into()),
            network: network.map(|network| network.name.clone()),
            id: id.clone(),
            contract,
        })
    }
}

/// Address in a CAIP-10 id of this network.
fn contract_of(id: &str, network: &Network) -> Option<String> {
    let (chain, address) = id.rsplit_once(':')?;
    let chain: ChainId = chain.parse().ok()?;
    (chain == network.caip_network_id).then(|| to_checksum(address))
}
