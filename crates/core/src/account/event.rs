//! What visitor and host do about the account, and why something was asked.

use portico_json::Json;
use portico_terms::Namespace;
use portico_terms::Network;
use std::rc::Rc;

/// A tab of the Account view (spec 2.8).
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

/// What visitor and host do about the account.
#[derive(Clone, Debug, Json)]
#[json(name = "AccountEvent")]
pub enum Event {
    /// A tab was chosen.
    TabChosen {
        /// Which.
        tab: Tab,
    },
    /// The balance is wanted anew.
    RefreshAsked {
        /// The host's call.
        ticket: Option<u32>,
    },
    /// The tokens are wanted anew.
    TokensAsked,
    /// The end of the list of collectibles came into view, or another try was asked for.
    NftsAsked,
    /// A price arrived. One comes with the tokens as well.
    PriceTold {
        /// Of the coin of this chain, CAIP-2.
        chain: String,
        /// What one is worth in US dollars, in plain notation; what cannot be read, and zero, mean that no price is known.
        usd: String,
    },
    /// The host wants the native balance of any account on any of its networks.
    BalanceAsked {
        /// A namespace by its name; `null` is that of the account in use.
        namespace: Option<String>,
        /// The address.
        address: String,
        /// The CAIP-2 id of the chain, or its reference alone.
        chain: String,
        /// The host's call.
        ticket: u32,
    },
    /// The page is visible again.
    PageShown,
    /// The address was to be copied.
    CopyAsked,
    /// The host names an address.
    LabelSet {
        /// A namespace by its name.
        namespace: Option<String>,
        /// The address.
        address: String,
        /// Its name; `null` removes it.
        label: Option<String>,
    },
}

/// Why something was asked.
#[derive(Clone, Debug)]
pub enum Reason {
    /// The native balance of a namespace, for whom, on which chain.
    Balance(Namespace, portico_terms::ChainId, String),
    /// The native balance of an account that is not in use, for a host's call, in a network's currency.
    OtherBalance(u32, Rc<Network>),
    /// What the wallet can do, by the number of the attempt.
    Capabilities(u32),
    /// What the wallet holds.
    Assets(u32),
    /// What the server says that the account holds.
    Portfolio(u32),
    /// A page of the collectibles.
    Nfts(u32),
    /// Who this address says it is.
    Identity(String),
    /// The clipboard.
    Copy,
    /// What the server offers.
    Offer,
}
