//! Events of visitor and host about the account, and reasons of requests.

use portico_json::{Json, Value};
use portico_terms::Namespace;
use portico_terms::Network;
use std::rc::Rc;

/// Tab of the Account view (spec 2.8).
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
pub enum Tab {
    /// Coins and tokens.
    #[default]
    Tokens,
    /// Collectibles.
    Nfts,
    /// Transactions.
    Activity,
}

/// Account: events of visitor and host.
#[derive(Clone, Debug, Json)]
#[json(name = "AccountEvent")]
pub enum Event {
    /// The visitor chose a tab.
    TabChosen { tab: Tab },
    /// The visitor or the host requests the balance again.
    RefreshAsked {
        /// Ticket of the host call.
        ticket: Option<u32>,
    },
    /// The visitor requests the tokens again.
    TokensAsked,
    /// The visitor opened or closed the row of hidden tokens.
    HiddenAsked,
    /// The end of the collectibles scrolled into view, or the visitor retries.
    NftsAsked,
    /// A price arrived. Prices also come with the tokens.
    PriceTold {
        /// CAIP-2 id of the chain whose coin it is for.
        chain: String,
        /// Price of one coin in US dollars, in plain notation; zero or an invalid value means that no price is known.
        usd: String,
    },
    /// The host requests the native balance of any account on one of its networks.
    BalanceAsked {
        /// Name of a namespace; `null` is the active one.
        namespace: Option<String>,
        /// Address alone, or CAIP-10.
        address: String,
        /// CAIP-2 id of the chain, or its reference alone.
        chain: String,
        /// Ticket of the host call.
        ticket: u32,
    },
    /// A library of the page reads a chain through the provider of a remote session.
    ReadAsked {
        /// CAIP-2 id of the chain.
        chain: String,
        /// "eth_getBalance"
        method: String,
        /// Parameters in their order.
        params: Vec<Value>,
        /// Ticket of the call. It resolves with the JSON-RPC response, and rejects if no node gave one.
        ticket: u32,
    },
    /// The page became visible again, or has a network again.
    PageShown,
    /// The visitor copies the address.
    CopyAsked,
    /// The visitor copies an address or hash of a row's details.
    TextCopyAsked { text: String },
    /// The host labels an address.
    LabelSet {
        /// Name of a namespace.
        namespace: Option<String>,
        /// Address alone, or CAIP-10.
        address: String,
        /// Label of the address; `null` removes it.
        label: Option<String>,
        /// Ticket of the host call.
        ticket: Option<u32>,
    },
}

/// Reasons of the feature's requests.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Native balance, by namespace, chain and address of the account.
    Balance(Namespace, portico_terms::ChainId, String),
    /// The same of a Bitcoin account, from a node: the page has no source of its own.
    NodeBalance(portico_terms::ChainId, String),
    /// Native balance of any account for a host call, by ticket and network.
    OtherBalance(u32, Rc<Network>),
    /// Read of a library, by ticket.
    Read(u32),
    /// Wallet capabilities, by attempt number.
    Capabilities(u32),
    /// Assets from the wallet, by attempt number.
    Assets(u32),
    /// Tokens from the server, by attempt number.
    Portfolio(u32),
    /// Page of collectibles, by attempt number.
    Nfts(u32),
    /// Name and avatar of this address.
    Identity(String),
    /// Preloading of the avatar with this URL, of this address.
    Avatar(String, String),
    /// Copying of this text to the clipboard.
    Copy(String),
    /// Project configuration from the server.
    Offer,
}
