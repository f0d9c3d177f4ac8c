use portico_json::Json;

/// The views of the modal (spec 2.2), and those that their features need.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[allow(missing_docs, reason = "the names are those of the contract, and each view's file says what it shows")]
pub enum View {
    #[default]
    #[json(rename = "Connect")]
    Connect,
    #[json(rename = "Account")]
    Account,
    #[json(rename = "AllWallets")]
    AllWallets,
    #[json(rename = "Downloads")]
    Downloads,
    #[json(rename = "ConnectingWalletConnect")]
    ConnectingWalletConnect,
    #[json(rename = "ConnectingWalletConnectBasic")]
    ConnectingWalletConnectBasic,
    #[json(rename = "ConnectingExternal")]
    ConnectingExternal,
    #[json(rename = "ConnectingFarcaster")]
    ConnectingFarcaster,
    #[json(rename = "ConnectingSiwe")]
    ConnectingSiwe,
    #[json(rename = "UnsupportedChain")]
    UnsupportedChain,
    #[json(rename = "ChooseAccountName")]
    ChooseAccountName,
    #[json(rename = "RegisterAccountName")]
    RegisterAccountName,
    #[json(rename = "RegisterAccountNameSuccess")]
    RegisterAccountNameSuccess,
    #[json(rename = "SIWXSignMessage")]
    SiwxSignMessage,
    #[json(rename = "ApproveTransaction")]
    ApproveTransaction,
    #[json(rename = "Swap")]
    Swap,
    #[json(rename = "SwapSelectToken")]
    SwapSelectToken,
    #[json(rename = "SwapPreview")]
    SwapPreview,
    #[json(rename = "Networks")]
    Networks,
    #[json(rename = "SwitchNetwork")]
    SwitchNetwork,
    #[json(rename = "WalletSend")]
    WalletSend,
    #[json(rename = "WalletSendSelectToken")]
    WalletSendSelectToken,
    #[json(rename = "WalletSendPreview")]
    WalletSendPreview,
    #[json(rename = "WalletSendConfirmed")]
    WalletSendConfirmed,
    #[json(rename = "WhatIsAWallet")]
    WhatIsAWallet,
    #[json(rename = "WhatIsANetwork")]
    WhatIsANetwork,
    #[json(rename = "OnRampProviders")]
    OnRampProviders,
    #[json(rename = "WalletReceive")]
    WalletReceive,
    #[json(rename = "Transactions")]
    Transactions,
    #[json(rename = "OnRampTokenSelect")]
    OnRampTokenSelect,
    #[json(rename = "OnRampFiatSelect")]
    OnRampFiatSelect,
    #[json(rename = "OnRampCountrySelect")]
    OnRampCountrySelect,
    #[json(rename = "OnRampStateSelect")]
    OnRampStateSelect,
    #[json(rename = "BuyInProgress")]
    BuyInProgress,
    #[json(rename = "WhatIsABuy")]
    WhatIsABuy,
    #[json(rename = "ProfileWallets")]
    ProfileWallets,
}

/// The views that a host may open by name (interface 1.4). The widget's type `OpenView` is made from this list; one that is not built
/// yet shows that it is not.
pub const OPENABLE: [View; 14] = [
    View::Account,
    View::Connect,
    View::Networks,
    View::ApproveTransaction,
    View::OnRampProviders,
    View::ConnectingWalletConnectBasic,
    View::Swap,
    View::WhatIsAWallet,
    View::WhatIsANetwork,
    View::AllWallets,
    View::WalletSend,
    View::WalletReceive,
    View::Transactions,
    View::ProfileWallets,
];

impl View {
    /// The view that a host names in `open`, where hosts may open it.
    pub fn from_host(name: &str) -> Option<View> {
        View::from_word(name).filter(|view| OPENABLE.contains(view))
    }

    /// Whether the view shows a code, or a link, to a remote wallet.
    pub fn pairs(self) -> bool {
        matches!(self, View::ConnectingWalletConnect | View::ConnectingWalletConnectBasic)
    }

    /// Whether the view shows a way to a remote wallet.
    pub fn leads_to_remote(self) -> bool {
        self.pairs() || matches!(self, View::Connect | View::AllWallets)
    }

    /// Whether the view is one of a swap.
    pub fn swaps(self) -> bool {
        matches!(self, View::Swap | View::SwapSelectToken | View::SwapPreview)
    }

    /// Whether the view shows an account and so needs one (spec 6.2).
    pub fn needs_account(self) -> bool {
        matches!(
            self,
            View::Account
                | View::WalletSend
                | View::WalletSendSelectToken
                | View::WalletSendPreview
                | View::WalletSendConfirmed
                | View::Swap
                | View::SwapSelectToken
                | View::SwapPreview
                | View::ApproveTransaction
                | View::ChooseAccountName
                | View::RegisterAccountName
                | View::WalletReceive
                | View::Transactions
                | View::ProfileWallets
        ) || self.buys()
    }

    /// Whether the view is a step of buying coins with money.
    pub fn buys(self) -> bool {
        matches!(
            self,
            View::OnRampProviders
                | View::OnRampTokenSelect
                | View::OnRampFiatSelect
                | View::OnRampCountrySelect
                | View::OnRampStateSelect
                | View::BuyInProgress
        )
    }
}
