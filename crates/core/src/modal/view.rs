use crate::part::Part;
use crate::table::features;
use portico_json::Json;

macro_rules! declare {
    (
        views [ $($(#[$about:meta])* $View:ident,)* ]
        first [ $($first:tt)* ]
        home [ $($home:tt)* ]
        parts [ $($Part:ident($part_state:ty) in $part:ident {
            events: $event:ty, reasons: $reason:ty, alarms: $alarm:ty,
            switch: $switch:ident, form: $form:ident, views: [$($view:ident),*], $($rest:tt)*
        })* ]
    ) => {
        /// The views of the modal (spec 2.2), from the table of features. The names are those of the contract.
        #[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
        #[json(verbatim)]
        pub enum View {
            $($(#[$about])* $View,)*
            $($($view,)*)*
        }
    };
}
features!(declare);

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

    /// Whether the view shows an account and so needs one (spec 6.2).
    pub fn needs_account(self) -> bool {
        let own = matches!(
            self,
            View::Account
                | View::ApproveTransaction
                | View::ChooseAccountName
                | View::RegisterAccountName
                | View::WalletReceive
                | View::Transactions
                | View::ProfileWallets
        );
        own || self.part().is_some()
    }

    /// Whether the view is a step of buying coins with money.
    pub fn buys(self) -> bool {
        self.part() == Some(Part::Onramp)
    }
}
