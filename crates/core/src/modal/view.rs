use crate::part::Part;
use crate::table::features;
use portico_json::Json;

macro_rules! declare {
    (
        views [
            without_account: [$($(#[$about:meta])* $View:ident,)*],
            of_account: [$($own:ident,)*],
        ]
        first [ $($first:tt)* ]
        home [ $($home:tt)* ]
        parts [ $($Part:ident($part_state:ty) in $part:ident {
            events: $event:ty, reasons: $reason:ty, alarms: $alarm:ty,
            $(switch: $switch:ident,)? form: $form:ident, views: [$($view:ident),*], $($rest:tt)*
        })* ]
    ) => {
        /// Views of the modal (spec 2.2), from the table of features. The names are those of the contract.
        #[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
        #[json(verbatim)]
        pub enum View {
            $($(#[$about])* $View,)*
            $($own,)*
            $($($view,)*)*
        }

        impl View {
            /// Whether the view shows an account and so requires one (spec 6.2).
            pub fn needs_account(self) -> bool {
                matches!(self, $(View::$own)|*) || self.part().is_some()
            }
        }
    };
}
features!(declare);

/// Views that a host may open by name (interface 1.4). The widget's type `OpenView` is generated from this list; a view that is not built
/// yet says so.
pub const OPENABLE: &[View] = &[
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
    View::SIWXSignMessage,
];

impl View {
    /// View of a name in a host's `open`, if hosts may open it. `ConnectingSiwe` is an older name of the sign-in (spec 2.2).
    pub fn from_host(name: &str) -> Option<View> {
        if name == "ConnectingSiwe" {
            return Some(View::SIWXSignMessage);
        }
        View::from_word(name).filter(|view| OPENABLE.contains(view))
    }

    /// Whether the view shows a pairing code or link for a remote wallet.
    pub fn pairs(self) -> bool {
        matches!(self, View::ConnectingWalletConnect | View::ConnectingWalletConnectBasic)
    }

    /// Whether the view shows a step of a login, or a request to approve, in the embedded wallet.
    pub fn is_of_login(self) -> bool {
        matches!(
            self,
            View::ApproveTransaction
                | View::EmailVerifyDevice
                | View::EmailVerifyOtp
                | View::ConnectingSocial
                | View::ConnectingFarcaster
                | View::UpgradeEmailWallet
        )
    }

    /// Whether a remote wallet can be reached from the view.
    pub fn leads_to_remote(self) -> bool {
        self.pairs() || matches!(self, View::Connect | View::AllWallets)
    }

    /// Whether the view belongs to the on-ramp.
    pub fn buys(self) -> bool {
        self.part() == Some(Part::Onramp)
    }
}
